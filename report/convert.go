package report

import (
	"errors"
	"fmt"
	"image"

	"github.com/vqeval/vqeval/metrics"
)

// Matrix says how Y, U and V make red, green and blue.
type Matrix uint8

// The matrices. MatrixAuto is for streams that do not say: BT.709 for pictures
// of more than 576 lines, BT.601 below, as players do.
const (
	MatrixAuto Matrix = iota
	BT601
	BT709
	BT2020 // non-constant luminance
)

// weights returns the shares of red and blue in Y (ITU-R BT.601-7 2.5.1,
// BT.709-6 3.2, BT.2020-2 table 4).
func (m Matrix) weights(height int) (kr, kb float32) {
	switch {
	case m == BT2020:
		return .2627, .0593
	case m == BT709 || m == MatrixAuto && height > 576:
		return .2126, .0722
	}
	return .299, .114
}

// Image converts a picture for people to see: limited or full range as its
// format says, chroma interpolated linearly from where H.264 has it by default
// (co-sited with the left luma sample, between the lines; H.264 figure E-1,
// type 0). A picture without chroma becomes grey. The values are what a
// display of the same standard gets; primaries and gamma are not converted.
func Image(p metrics.Picture, m Matrix) (*image.RGBA, error) {
	if err := check(p); err != nil {
		return nil, err
	}
	w, h := p.Planes[0].Width, p.Planes[0].Height
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	kr, kb := m.weights(h)
	c := newConverter(p.Format, w, kr, kb)
	for y := range h {
		c.row(p, y)
		c.paint(out.Pix[y*out.Stride:][:4*w])
	}
	return out, nil
}

// check reports planes that cannot hold the picture.
func check(p metrics.Picture) error {
	if err := p.Format.Check(); err != nil {
		return err
	}
	w, h := p.Planes[0].Width, p.Planes[0].Height
	if w <= 0 || h <= 0 {
		return errors.New("picture is empty")
	}
	for i := range p.Format.Planes {
		q := p.Planes[i]
		pw, ph := p.Format.PlaneSize(i, w, h)
		if q.Width != pw || q.Height != ph {
			return fmt.Errorf("plane %d is %dx%d, want %dx%d", i, q.Width, q.Height, pw, ph)
		}
		if row := pw * p.Format.BytesPerSample(); q.Stride < row || len(q.Pix) < q.Stride*(ph-1)+row {
			return fmt.Errorf("plane %d is too short for %dx%d", i, pw, ph)
		}
	}
	return nil
}

// converter holds one row of each component as numbers: Y in 0..1, U and V in
// -.5 .. .5.
type converter struct {
	format  metrics.Format
	y, u, v []float32
	buf     [2][]float32 // two chroma rows to interpolate between
	// R = Y + rv V, G = Y + gu U + gv V, B = Y + bu U
	rv, gu, gv, bu float32
}

func newConverter(f metrics.Format, w int, kr, kb float32) *converter {
	kg := 1 - kr - kb
	c := &converter{
		format: f, y: make([]float32, w), u: make([]float32, w), v: make([]float32, w),
		rv: 2 * (1 - kr), gu: -2 * kb * (1 - kb) / kg, gv: -2 * kr * (1 - kr) / kg, bu: 2 * (1 - kb),
	}
	for i := range c.buf {
		c.buf[i] = make([]float32, w)
	}
	return c
}

// row reads row y of all components at the resolution of luma.
func (c *converter) row(p metrics.Picture, y int) {
	zero, scale := c.lumaRange()
	samples(c.y, p.Planes[0], y, c.format.Depth, zero, scale)
	if c.format.Planes < 3 {
		return
	}
	c.chroma(c.u, p.Planes[1], y)
	c.chroma(c.v, p.Planes[2], y)
}

// lumaRange returns the code of black and what turns a code step into its share
// of white: 16..235 of 8 bits in limited range (BT.709-6 section 4).
func (c *converter) lumaRange() (zero, scale float32) {
	if c.format.FullRange {
		return 0, 1 / float32(c.format.Max())
	}
	step := float32(int(1) << (c.format.Depth - 8))
	return 16 * step, 1 / (219 * step)
}

// chroma fills dst with row y of a chroma plane: first between its two nearest
// rows, then between columns.
func (c *converter) chroma(dst []float32, p metrics.Plane, y int) {
	zero := float32(int(1) << (c.format.Depth - 1))
	scale := 1 / float32(c.format.Max())
	if !c.format.FullRange {
		scale = 1 / (224 * float32(int(1)<<(c.format.Depth-8)))
	}
	top, below := c.buf[0][:p.Width], c.buf[1][:p.Width]
	// Chroma row k lies in the middle of the luma rows k<<s to (k+1)<<s - 1.
	at := (float32(y)+.5)/float32(int(1)<<c.format.ChromaShiftY) - .5
	k := int(at+1) - 1 // floor, as at > -1
	part := at - float32(k)
	samples(top, p, max(k, 0), c.format.Depth, zero, scale)
	if part > 0 {
		samples(below, p, min(k+1, p.Height-1), c.format.Depth, zero, scale)
		for i, v := range below {
			top[i] += (v - top[i]) * part
		}
	}
	widen(dst, top, c.format.ChromaShiftX)
}

// widen interpolates src to the columns of luma; sample k of src lies on luma
// column k<<shift.
func widen(dst, src []float32, shift int) {
	if shift == 0 {
		copy(dst, src)
		return
	}
	step := 1 / float32(int(1)<<shift)
	for x := range dst {
		k := x >> shift
		part := float32(x-k<<shift) * step
		dst[x] = src[k] + (src[min(k+1, len(src)-1)]-src[k])*part
	}
}

// samples reads row y of a plane as (code - zero) * scale.
func samples(dst []float32, p metrics.Plane, y, depth int, zero, scale float32) {
	row := p.Pix[y*p.Stride:]
	if depth == 8 {
		for i, v := range row[:len(dst)] {
			dst[i] = (float32(v) - zero) * scale
		}
		return
	}
	row = row[:2*len(dst)]
	for i := range dst {
		dst[i] = (float32(uint16(row[2*i])|uint16(row[2*i+1])<<8) - zero) * scale
	}
}

// paint writes the row as RGBA bytes.
func (c *converter) paint(dst []byte) {
	for x, y := range c.y {
		u, v := c.u[x], c.v[x]
		dst[4*x] = byte8(y + c.rv*v)
		dst[4*x+1] = byte8(y + c.gu*u + c.gv*v)
		dst[4*x+2] = byte8(y + c.bu*u)
		dst[4*x+3] = 0xff
	}
}

// byte8 rounds 0..1 to 0..255 and clips the rest.
func byte8(v float32) byte {
	return byte(max(0, min(255, v*255+.5)))
}
