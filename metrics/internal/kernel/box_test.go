package kernel

import (
	"math"
	"testing"
)

func TestBoxMatchesGeneric(t *testing.T) {
	rng := newRand()
	for _, depth := range []int{8, 16} {
		for _, w := range sizes {
			if w == 0 {
				continue
			}
			best, plain := NewBox(w, Config{Depth: depth}), NewBox(w, portable(depth))
			pairs(func(name string, x, y content) {
				const h, pad = 4, 3
				stride := (w + pad) * best.c.bytes()
				a, b := x.plane(rng, (w+pad)*h, depth), y.plane(rng, (w+pad)*h, depth)
				got, want := best.Measure(a, stride, b, stride, w, h), plain.Measure(a, stride, b, stride, w, h)
				if math.Float64bits(got) != math.Float64bits(want) {
					t.Errorf("%s depth %d width %d: SSIM %v, want %v", name, depth, w, got, want)
				}
			})
		}
	}
}

// Integers before the division, one rounding of each factor after: 1e-6.
func TestBoxAgreesWithDirect(t *testing.T) {
	rng := newRand()
	for _, c := range []struct{ w, h, depth, noise int }{
		{8, 8, 8, 20}, {1, 1, 8, 3}, {12, 40, 8, 5}, {64, 28, 8, 60}, {139, 12, 8, 10}, {44, 28, 10, 60}, {47, 20, 16, 3},
	} {
		a, b := texture(rng, c.w, c.h, c.depth, c.noise)
		want, _ := direct{boxWindow(), true}.mean(a, b, c.w, c.h, c.depth)
		for _, f := range forms(c.depth) {
			stride := c.w * f.c.bytes()
			if got := NewBox(c.w, f.c).Measure(a, stride, b, stride, c.w, c.h); math.Abs(got-want) > 1e-6 {
				t.Errorf("%v %s: %.9f, want %.9f", c, f.name, got, want)
			}
		}
	}
}

func FuzzBox(f *testing.F) {
	f.Add(make([]byte, 200), make([]byte, 200), uint8(2))
	f.Fuzz(func(t *testing.T, a, b []byte, extra uint8) {
		w := int(extra) + 1
		h := min(len(a), len(b)) / w
		if h == 0 {
			return
		}
		got := NewBox(w, Config{Depth: 8}).Measure(a, w, b, w, w, h)
		want := NewBox(w, portable(8)).Measure(a, w, b, w, w, h)
		if math.Float64bits(got) != math.Float64bits(want) {
			t.Errorf("%dx%d: SSIM %v, want %v", w, h, got, want)
		}
	})
}

func BenchmarkBox(b *testing.B) {
	benchmark(b, 8, func(c Config) func(p, q []byte, stride int) {
		k := NewBox(benchWidth, c)
		return func(p, q []byte, stride int) { k.Measure(p, stride, q, stride, benchWidth, benchHeight) }
	})
}
