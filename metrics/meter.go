package metrics

import (
	"fmt"

	"github.com/vqeval/vqeval/metrics/internal/kernel"
)

// newMeter returns the meter of dialect d for planes of w x h samples.
func newMeter(d Dialect, w, h int, c kernel.Config) (meter, error) {
	switch d {
	case FFmpeg:
		return extend(blocks{kernel.NewBlocks(max(w, 8), c)}, w, h, 8, c), nil
	case Precise:
		return gauss{kernel.NewGauss(c), c, true}, nil
	case Wang:
		return extend(gauss{kernel.NewGauss(c), c, false}, w, h, 11, c), nil
	case Fast:
		return box{kernel.NewBox(w, c), c}, nil
	}
	return nil, fmt.Errorf("unknown SSIM dialect %d", d)
}

// blocks is the meter of the FFmpeg dialect.
type blocks struct{ k *kernel.Blocks }

func (m blocks) measure(a, b Plane) (float64, uint64) {
	return m.k.Measure(a.Pix, a.Stride, b.Pix, b.Stride, a.Width, a.Height)
}

// gauss is the meter of the Precise (with edges) and Wang dialects.
type gauss struct {
	k     *kernel.Gauss
	c     kernel.Config
	edges bool
}

func (m gauss) measure(a, b Plane) (float64, uint64) {
	return m.k.Similarity(a.Pix, a.Stride, b.Pix, b.Stride, a.Width, a.Height, m.edges), sse(m.c, a, b)
}

// box is the meter of the Fast dialect.
type box struct {
	k *kernel.Box
	c kernel.Config
}

func (m box) measure(a, b Plane) (float64, uint64) {
	return m.k.Measure(a.Pix, a.Stride, b.Pix, b.Stride, a.Width, a.Height), sse(m.c, a, b)
}

func sse(c kernel.Config, a, b Plane) uint64 {
	return kernel.SSE(c, a.Pix, a.Stride, b.Pix, b.Stride, a.Width, a.Height)
}

// extended measures planes too small for a window: copies of them that go on
// with the last column and row until one fits. The squared error is that of
// the planes themselves.
type extended struct {
	meter
	c    kernel.Config
	a, b Plane // the copies
}

// extend wraps m if planes of w x h samples have a side below window.
func extend(m meter, w, h, window int, c kernel.Config) meter {
	if w >= window && h >= window {
		return m
	}
	bps := 1
	if c.Depth > 8 {
		bps = 2
	}
	e := &extended{meter: m, c: c}
	for _, p := range [...]*Plane{&e.a, &e.b} {
		p.Width, p.Height = max(w, window), max(h, window)
		p.Stride = p.Width * bps
		p.Pix = make([]byte, p.Stride*p.Height)
	}
	return e
}

func (e *extended) measure(a, b Plane) (float64, uint64) {
	e.a.continueFrom(a)
	e.b.continueFrom(b)
	ssim, _ := e.meter.measure(e.a, e.b)
	return ssim, sse(e.c, a, b)
}

// continueFrom fills p with src and the repetition of src's edges.
func (p Plane) continueFrom(src Plane) {
	bps := p.Stride / p.Width
	n := src.Width * bps
	for y := range p.Height {
		from := src.Pix[min(y, src.Height-1)*src.Stride:][:n]
		row := p.Pix[y*p.Stride:][:p.Stride]
		for x := copy(row, from); x < len(row); x += bps {
			copy(row[x:], from[n-bps:])
		}
	}
}
