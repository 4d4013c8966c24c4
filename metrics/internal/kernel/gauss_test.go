package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// gaussBound is how far a mean in float32 may be from one in float64. A
// variance is a difference of two values up to 2^16 (at depth 8), each with
// 2^-24 of relative error, beside a constant of 2*C2 = 117: .008/117 = 7e-5 for
// a window at worst, where a bright flat picture meets another; over the
// windows of a picture the errors cancel to less than 2e-6.
const gaussBound = 2e-6

// texture is a picture with structure at every scale and b, its damaged copy.
func texture(rng *rand.Rand, w, h, depth, noise int) (a, b []byte) {
	var p, q content
	i := 0
	top := float64(int(1)<<depth - 1)
	p.fill = func(*rand.Rand, int) uint16 {
		x, y := float64(i%w), float64(i/w)
		i++
		return uint16(top * (.5 + .2*math.Sin(x/7+y/31) + .15*math.Sin(x*y/97) + .1*math.Cos(x*1.3-y)))
	}
	a = p.plane(rng, w*h, depth)
	i = 0
	q.fill = func(_ *rand.Rand, max int) uint16 {
		i++
		d := (rng.IntN(2*noise+1) - noise) << (depth - 8)
		return uint16(min(99*max/100, int(at(a, w, (i-1)%w, (i-1)/w, depth))+d+noise))
	}
	return a, q.plane(rng, w*h, depth)
}

func TestGaussAgreesWithDirect(t *testing.T) {
	rng := newRand()
	for _, c := range []struct{ w, h, depth, noise int }{
		{11, 11, 8, 20}, {12, 40, 8, 5}, {40, 12, 8, 5}, {64, 28, 8, 60}, {139, 14, 8, 10}, {138, 13, 8, 1}, {267, 12, 8, 30},
		{64, 18, 10, 60}, {147, 12, 12, 3}, {30, 28, 16, 9}, {30, 15, 9, 0},
	} {
		a, b := texture(rng, c.w, c.h, c.depth, c.noise)
		for _, edges := range []bool{false, true} {
			want, _ := direct{gaussWindow(), edges}.mean(a, b, c.w, c.h, c.depth)
			for _, f := range gaussForms(c.depth) {
				stride := c.w * f.c.bytes()
				got := NewGauss(f.c).Similarity(a, stride, b, stride, c.w, c.h, edges)
				if math.Abs(got-want) > gaussBound {
					t.Errorf("%v edges %v %s: %.9f, want %.9f", c, edges, f.name, got, want)
				}
			}
		}
	}
}

// Planes smaller than the window are measured with replicated edges.
func TestGaussSmallPlanes(t *testing.T) {
	rng := newRand()
	for _, size := range [][2]int{{1, 1}, {1, 9}, {4, 4}, {10, 3}, {8, 8}} {
		w, h := size[0], size[1]
		a, b := texture(rng, w, h, 8, 30)
		want, _ := direct{gaussWindow(), true}.mean(a, b, w, h, 8)
		for _, f := range gaussForms(8) {
			if got := NewGauss(f.c).Similarity(a, w, b, w, w, h, true); math.Abs(got-want) > 1e-5 {
				t.Errorf("%dx%d %s: %.9f, want %.9f", w, h, f.name, got, want)
			}
		}
	}
}

// The assembly fuses multiplications and additions, the generic form does not.
func TestGaussMatchesGeneric(t *testing.T) {
	rng := newRand()
	for _, depth := range []int{8, 16} {
		best, plain := NewGauss(Config{Depth: depth}), NewGauss(portable(depth))
		for _, w := range sizes {
			if w < 11 {
				continue
			}
			pairs(func(name string, x, y content) {
				const h, pad = 13, 3
				stride := (w + pad) * best.c.bytes()
				a, b := x.plane(rng, (w+pad)*h, depth), y.plane(rng, (w+pad)*h, depth)
				for _, edges := range []bool{false, true} {
					got, want := best.Similarity(a, stride, b, stride, w, h, edges), plain.Similarity(a, stride, b, stride, w, h, edges)
					if !(math.Abs(got-want) <= 2*gaussBound) {
						t.Errorf("%s depth %d width %d edges %v: SSIM %v, want %v", name, depth, w, edges, got, want)
					}
				}
			})
		}
	}
}

// Wider vectors do the same operations in the same order.
func TestGaussWidthsAgree(t *testing.T) {
	rng := newRand()
	wide, narrow := NewGauss(Config{Depth: 8}), NewGauss(Config{Depth: 8, Narrow: true})
	for _, w := range sizes {
		if w < 11 {
			continue
		}
		const h = 13
		a, b := texture(rng, w, h, 8, 20)
		for _, what := range []kind{similarity, contrast} {
			got := wide.mean(&source{a: a, b: b, sa: w, sb: w, w: w, h: h}, true, what)
			want := narrow.mean(&source{a: a, b: b, sa: w, sb: w, w: w, h: h}, true, what)
			if got != want {
				t.Errorf("width %d, kind %v: %v with all vectors, %v with narrow ones", w, what, got, want)
			}
		}
	}
}

// Identical planes read exactly 1: v is 0 everywhere, so that numerator and
// denominator are the same number.
func TestGaussIdentical(t *testing.T) {
	rng := newRand()
	for _, f := range gaussForms(8) {
		a, _ := texture(rng, 300, 40, 8, 0)
		for _, edges := range []bool{false, true} {
			if got := NewGauss(f.c).Similarity(a, 300, a, 300, 300, 40, edges); got != 1 {
				t.Errorf("%s edges %v: identical planes read %v", f.name, edges, got)
			}
		}
	}
}

func FuzzGauss(f *testing.F) {
	f.Add(make([]byte, 200), make([]byte, 200), uint8(2))
	f.Fuzz(func(t *testing.T, a, b []byte, extra uint8) {
		n, w := min(len(a), len(b)), int(extra)+11
		h := n / w
		if h < 11 {
			return
		}
		got := NewGauss(Config{Depth: 8}).Similarity(a, w, b, w, w, h, false)
		want := NewGauss(portable(8)).Similarity(a, w, b, w, w, h, false)
		if !(math.Abs(got-want) <= 1e-4) {
			t.Errorf("%dx%d: SSIM %v, want %v", w, h, got, want)
		}
	})
}

func BenchmarkGauss(b *testing.B) {
	for _, depth := range []int{8, 10} {
		b.Run(fmt.Sprintf("depth%d", depth), func(b *testing.B) {
			benchmark(b, depth, func(c Config) func(p, q []byte, stride int) {
				k := NewGauss(c)
				return func(p, q []byte, stride int) { k.Similarity(p, stride, q, stride, benchWidth, benchHeight, true) }
			})
		})
	}
}
