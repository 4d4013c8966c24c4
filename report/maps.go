package report

import (
	"errors"
	"fmt"
	"image"
	"image/color"

	"github.com/vqeval/vqeval/metrics"
)

// Difference is the absolute difference of two luma planes, for people to see.
type Difference struct {
	Image   *image.RGBA // |Y - Y'| times the gain on the scale black, purple, orange, pale yellow
	Largest int         // in code values
	Differ  int         // samples that differ
}

// Diff draws where two pictures differ: each luma sample's absolute difference,
// brought to 8 bits and amplified by gain (at least 1). Black is equal, the
// palest yellow 255/gain and more. The pictures must have one size and depth.
func Diff(ref, got metrics.Picture, gain int) (Difference, error) {
	if err := alike(ref, got); err != nil {
		return Difference{}, err
	}
	f, a, b := ref.Format, ref.Planes[0], got.Planes[0]
	ramp := heat()
	out := Difference{Image: image.NewRGBA(image.Rect(0, 0, a.Width, a.Height))}
	x, y := make([]int, a.Width), make([]int, a.Width)
	for r := range a.Height {
		codes(x, a, r, f.Depth)
		codes(y, b, r, f.Depth)
		row := out.Image.Pix[r*out.Image.Stride:]
		for i := range x {
			d := max(x[i]-y[i], y[i]-x[i])
			if d > 0 {
				out.Differ++
				out.Largest = max(out.Largest, d)
			}
			shown := min(255, (d*255*max(gain, 1)+f.Max()/2)/f.Max())
			c := ramp[shown]
			row[4*i], row[4*i+1], row[4*i+2], row[4*i+3] = c.R, c.G, c.B, 0xff
		}
	}
	return out, nil
}

// alike reports two pictures that cannot be compared sample by sample.
func alike(ref, got metrics.Picture) error {
	if err := check(ref); err != nil {
		return fmt.Errorf("reference: %w", err)
	}
	if err := check(got); err != nil {
		return err
	}
	a, b := ref.Planes[0], got.Planes[0]
	if a.Width != b.Width || a.Height != b.Height {
		return fmt.Errorf("picture is %dx%d, the reference %dx%d", b.Width, b.Height, a.Width, a.Height)
	}
	if ref.Format.Depth != got.Format.Depth {
		return fmt.Errorf("picture has %d bits, the reference %d", got.Format.Depth, ref.Format.Depth)
	}
	return nil
}

// codes reads row y of a plane as code values.
func codes(dst []int, p metrics.Plane, y, depth int) {
	row := p.Pix[y*p.Stride:]
	for i := range dst {
		if depth == 8 {
			dst[i] = int(row[i])
		} else {
			dst[i] = int(row[2*i]) | int(row[2*i+1])<<8
		}
	}
}

// SSIMMap draws the local luma SSIM, one pixel for 4x4 samples: white where it
// is 1, over yellow and red to nearly black where it is 0 or less. It is made
// of the windows of the "ffmpeg" dialect (8x8, stride 4); a pixel is the mean of
// the windows that cover it.
func SSIMMap(ref, got metrics.Picture) (*image.RGBA, error) {
	if err := alike(ref, got); err != nil {
		return nil, err
	}
	win, w, h := ssimWindows(ref, got)
	if w < 1 || h < 1 {
		return nil, errors.New("picture is smaller than 8x8")
	}
	ramp := damage()
	out := image.NewRGBA(image.Rect(0, 0, w+1, h+1))
	for y := range h + 1 {
		for x := range w + 1 {
			sum, n := 0.0, 0.0
			for _, j := range [2]int{y - 1, y} {
				for _, i := range [2]int{x - 1, x} {
					if i >= 0 && j >= 0 && i < w && j < h {
						sum, n = sum+win[j*w+i], n+1
					}
				}
			}
			out.SetRGBA(x, y, ramp[int(255*max(0, min(1, sum/n))+.5)])
		}
	}
	return out, nil
}

// cell holds the sums over 4x4 samples.
type cell struct{ s1, s2, ss, s12 int64 }

// ssimWindows returns the luma SSIM of every window of the "ffmpeg" dialect and
// how many stand in a row and in a column.
func ssimWindows(ref, got metrics.Picture) (win []float64, w, h int) {
	f, a, b := ref.Format, ref.Planes[0], got.Planes[0]
	cw, ch := a.Width/4, a.Height/4
	w, h = cw-1, ch-1
	if w < 1 || h < 1 {
		return nil, 0, 0
	}
	l := float64(f.Max())
	c1, c2 := float64(int64(.0001*l*l*64+.5)), float64(int64(.0009*l*l*64*63+.5))
	above, row := make([]cell, cw), make([]cell, cw)
	x, y := make([]int, a.Width), make([]int, a.Width)
	for j := range ch {
		above, row = row, above
		clear(row)
		for r := 4 * j; r < 4*j+4; r++ {
			codes(x, a, r, f.Depth)
			codes(y, b, r, f.Depth)
			addCells(row, x, y)
		}
		for i := 0; j > 0 && i < w; i++ {
			win = append(win, windowSSIM(c1, c2, above[i], above[i+1], row[i], row[i+1]))
		}
	}
	return win, w, h
}

func addCells(row []cell, x, y []int) {
	for i := range 4 * len(row) {
		c, p, q := &row[i/4], int64(x[i]), int64(y[i])
		c.s1 += p
		c.s2 += q
		c.ss += p*p + q*q
		c.s12 += p * q
	}
}

func windowSSIM(c1, c2 float64, cells ...cell) float64 {
	var t cell
	for _, c := range cells {
		t.s1, t.s2, t.ss, t.s12 = t.s1+c.s1, t.s2+c.s2, t.ss+c.ss, t.s12+c.s12
	}
	m, n := float64(t.s1), float64(t.s2)
	vars, covar := float64(t.ss)*64-m*m-n*n, float64(t.s12)*64-m*n
	return (2*m*n + c1) * (2*covar + c2) / ((m*m + n*n + c1) * (vars + c2))
}

// ramp is a scale of 256 colours.
type ramp [256]color.RGBA

// heat runs from black (equal) over purple and orange to pale yellow: the
// anchors of matplotlib's "inferno", even in lightness for every eye.
func heat() *ramp {
	return newRamp(0x000000, 0x1b0c41, 0x4a0c6b, 0x781c6d, 0xa52c60, 0xcf4446, 0xed6925, 0xfb9b06, 0xf7d13d, 0xfcffa4)
}

// damage runs from nearly black (SSIM 0) over red and yellow to white (1).
func damage() *ramp {
	return newRamp(0x2d0008, 0x67000d, 0xa50f15, 0xd7301f, 0xef6548, 0xfc8d59, 0xfdbb84, 0xfdd49e, 0xfeecd0, 0xffffff)
}

func newRamp(anchors ...uint32) *ramp {
	var out ramp
	for i := range out {
		at := float64(i) / 255 * float64(len(anchors)-1)
		k := min(int(at), len(anchors)-2)
		out[i] = mix(rgb(anchors[k]), rgb(anchors[k+1]), at-float64(k))
	}
	return &out
}
