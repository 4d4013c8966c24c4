package report

import (
	"fmt"
	"image/color"
	"math"
	"testing"

	"github.com/vqeval/vqeval/metrics"
)

// flat is a picture of one colour, given as R, G, B in 0..1.
func flat(f metrics.Format, w, h int, r, g, b, kr, kb float64) metrics.Picture {
	y := kr*r + (1-kr-kb)*g + kb*b
	is := func(v float64) func(x, y float64) float64 { return func(_, _ float64) float64 { return v } }
	return picture(f, w, h, is(y), is((b-y)/(2*(1-kb))), is((r-y)/(2*(1-kr))))
}

// A colour coded by the definition comes back, in every format and range.
func TestImageColours(t *testing.T) {
	colours := []color.RGBA{{0, 0, 0, 255}, {255, 255, 255, 255}, {255, 0, 0, 255}, {0, 255, 0, 255}, {0, 0, 255, 255}, {200, 120, 40, 255}}
	for _, m := range []struct {
		matrix Matrix
		kr, kb float64
	}{{BT601, .299, .114}, {BT709, .2126, .0722}, {BT2020, .2627, .0593}} {
		for _, depth := range []int{8, 10, 12, 16} {
			for _, shift := range [][2]int{{0, 0}, {1, 0}, {1, 1}, {2, 0}} {
				for _, full := range []bool{false, true} {
					f := metrics.Format{Depth: depth, Planes: 3, ChromaShiftX: shift[0], ChromaShiftY: shift[1], FullRange: full}
					for _, want := range colours {
						p := flat(f, 7, 5, float64(want.R)/255, float64(want.G)/255, float64(want.B)/255, m.kr, m.kb)
						img, err := Image(p, m.matrix)
						if err != nil {
							t.Fatalf("%+v: %v", f, err)
						}
						for _, at := range [][2]int{{0, 0}, {3, 2}, {6, 4}} {
							if got := img.RGBAAt(at[0], at[1]); distance(got, want) > 2 { // rounding of 8-bit chroma
								t.Fatalf("matrix %d, %+v, at %v: got %v, want %v", m.matrix, f, at, got, want)
							}
						}
					}
				}
			}
		}
	}
}

func TestImageGrey(t *testing.T) {
	p := flat(metrics.Format{Depth: 8, Planes: 1}, 4, 4, .5, .5, .5, .299, .114)
	img, err := Image(p, MatrixAuto)
	if err != nil {
		t.Fatal(err)
	}
	if got := img.RGBAAt(1, 1); distance(got, color.RGBA{128, 128, 128, 255}) > 1 || got.R != got.G || got.G != got.B {
		t.Errorf("got %v, want mid-grey", got)
	}
}

// The matrix follows the height where the stream does not say: pure BT.709 red
// is exact at 1080 lines, and is not at 480.
func TestImageMatrixAuto(t *testing.T) {
	for h, exact := range map[int]bool{480: false, 576: false, 720: true, 1080: true} {
		img, err := Image(flat(yuv420(), 16, h, 0, 1, 0, .2126, .0722), MatrixAuto)
		if err != nil {
			t.Fatal(err)
		}
		if got := distance(img.RGBAAt(5, 5), color.RGBA{0, 255, 0, 255}) <= 2; got != exact {
			t.Errorf("%d lines: exact = %v, want %v (%v)", h, got, exact, img.RGBAAt(5, 5))
		}
	}
}

// A ramp of chroma along x (or y) stays where it is: sample k of U lies on the
// luma column 2k, and between the luma rows 2k and 2k+1.
func TestImageSiting(t *testing.T) {
	const n = 32
	f := yuv420()
	p := flat(f, n, n, .5, .5, .5, .2126, .0722)
	u := p.Planes[1]
	for _, c := range []struct {
		axis   string
		sample func(x, y int) int
		want   func(x, y int) float64 // the code of U on a luma sample
	}{
		{"x", func(x, _ int) int { return 108 + 2*x }, func(x, _ int) float64 { return 108 + float64(x) }},
		{"y", func(_, y int) int { return 108 + 2*y }, func(_, y int) float64 { return 108 + float64(y) - .5 }},
	} {
		for y := range u.Height {
			for x := range u.Width {
				u.Pix[y*u.Stride+x] = byte(c.sample(x, y))
			}
		}
		img, err := Image(p, BT709)
		if err != nil {
			t.Fatal(err)
		}
		for i := 1; i < n-2; i++ {
			blue := 127.5 + (c.want(i, i)-128)/224*2*(1-.0722)*255
			if got := float64(img.RGBAAt(i, i).B); math.Abs(got-blue) > 1.2 {
				t.Errorf("along %s: blue at %d is %v, want %.1f", c.axis, i, got, blue)
			}
		}
	}
}

// The map's windows are those of the metric: their mean is its SSIM.
func TestSSIMWindows(t *testing.T) {
	for _, f := range []metrics.Format{yuv420(), {Depth: 10, Planes: 1}} {
		for _, size := range [][2]int{{64, 48}, {67, 50}, {8, 8}} {
			t.Run(fmt.Sprint(f.Depth, size), func(t *testing.T) {
				ref, got := scene(f, size[0], size[1], 0), scene(f, size[0], size[1], .05)
				win, w, h := ssimWindows(ref, got)
				sum := 0.0
				for _, v := range win {
					sum += v
				}
				if want := score(ref, got).SSIM[0]; len(win) != w*h || math.Abs(sum/float64(w*h)-want) > 1e-6 {
					t.Errorf("mean of %d windows = %v, want %v", len(win), sum/float64(w*h), want)
				}
			})
		}
	}
}

func TestDiff(t *testing.T) {
	ref := flat(yuv420(), 16, 16, .5, .5, .5, .2126, .0722)
	got := broken(ref, 1)
	got.Planes[0].Pix[3*got.Planes[0].Stride+5] += 10
	got.Planes[0].Pix[4*got.Planes[0].Stride+5] -= 100
	d, err := Diff(ref, got, 4)
	if err != nil {
		t.Fatal(err)
	}
	if d.Differ != 2 || d.Largest != 100 {
		t.Errorf("%d samples differ by up to %d, want 2 by up to 100", d.Differ, d.Largest)
	}
	for _, c := range []struct {
		x, y, scale int
	}{{0, 0, 0}, {5, 3, 40}, {5, 4, 255}} {
		if got, want := d.Image.RGBAAt(c.x, c.y), heat()[c.scale]; got != want {
			t.Errorf("at %d,%d: %v, want step %d of the scale, %v", c.x, c.y, got, c.scale, want)
		}
	}
}
