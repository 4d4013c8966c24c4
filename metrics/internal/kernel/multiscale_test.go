package kernel

import (
	"math"
	"testing"
)

// halved is the mean of 2x2 samples, odd sizes continued, in float64.
func halved(p []float64, w, h int) ([]float64, int, int) {
	nw, nh := (w+1)/2, (h+1)/2
	out := make([]float64, nw*nh)
	for y := range nh {
		for x := range nw {
			x1, y1 := min(2*x+1, w-1), min(2*y+1, h-1)
			out[y*nw+x] = (p[2*y*w+2*x] + p[2*y*w+x1] + p[y1*w+2*x] + p[y1*w+x1]) / 4
		}
	}
	return out, nw, nh
}

// directMultiScale takes the mean factors of each scale from direct windows.
func directMultiScale(a, b []byte, w, h, depth int) float64 {
	p, q := make([]float64, w*h), make([]float64, w*h)
	for i := range p {
		p[i], q[i] = at(a, w, i%w, i/w, depth), at(b, w, i%w, i/w, depth)
	}
	result := 1.
	for s, e := range []float64{.0448, .2856, .3001, .2363, .1333} {
		ssim, cs := direct{window: gaussWindow()}.meanOf(func(x, y int) (float64, float64) {
			i := y*w + x
			return p[i], q[i]
		}, w, h, depth)
		if s == 4 {
			cs = ssim
		}
		result *= math.Pow(max(cs, 0), e)
		var nw, nh int
		p, nw, nh = halved(p, w, h)
		q, _, _ = halved(q, w, h)
		w, h = nw, nh
	}
	return result
}

func TestMultiScaleAgreesWithDirect(t *testing.T) {
	rng := newRand()
	for _, c := range []struct{ w, h, depth, noise int }{{177, 179, 8, 9}, {180, 176, 10, 100}} {
		a, b := texture(rng, c.w, c.h, c.depth, c.noise)
		want := directMultiScale(a, b, c.w, c.h, c.depth)
		for _, f := range gaussForms(c.depth) {
			stride := c.w * f.c.bytes()
			got := NewMultiScale(c.w, c.h, f.c).Measure(a, stride, b, stride)
			if math.Abs(got-want) > gaussBound {
				t.Errorf("%v %s: %.9f, want %.9f", c, f.name, got, want)
			}
		}
	}
}

// A negative picture has negative structure at every scale.
func TestMultiScaleNegative(t *testing.T) {
	a, _ := texture(newRand(), 176, 176, 8, 0)
	b := make([]byte, len(a))
	for i, v := range a {
		b[i] = 255 - v
	}
	if got := NewMultiScale(176, 176, Config{Depth: 8}).Measure(a, 176, b, 176); got != 0 {
		t.Errorf("a negative reads %v, want 0", got)
	}
	if got := NewMultiScale(176, 176, Config{Depth: 8}).Measure(a, 176, a, 176); got != 1 {
		t.Errorf("identical pictures read %v, want 1", got)
	}
}

func BenchmarkMultiScale(b *testing.B) {
	benchmark(b, 8, func(c Config) func(p, q []byte, stride int) {
		k := NewMultiScale(benchWidth, benchHeight, c)
		return func(p, q []byte, stride int) { k.Measure(p, stride, q, stride) }
	})
}
