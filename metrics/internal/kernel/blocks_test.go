package kernel

import (
	"math"
	"testing"
)

// Equality is bit for bit: cells are integers, windows are added in one order.
func TestBlocksMatchGeneric(t *testing.T) {
	rng := newRand()
	for _, depth := range []int{8, 10, 12, 13} {
		for _, w := range sizes {
			if w < 8 {
				continue
			}
			best, plain := NewBlocks(w, Config{Depth: depth}), NewBlocks(w, portable(depth))
			pairs(func(name string, x, y content) {
				const h, pad = 13, 3
				stride := (w + pad) * best.c.bytes()
				a, b := x.plane(rng, (w+pad)*h, depth), y.plane(rng, (w+pad)*h, depth)
				ssim, sse := best.Measure(a, stride, b, stride, w, h)
				wantSSIM, wantSSE := plain.Measure(a, stride, b, stride, w, h)
				if sse != wantSSE || math.Float64bits(ssim) != math.Float64bits(wantSSIM) {
					t.Errorf("%s depth %d width %d: SSIM %v SSE %d, want %v and %d", name, depth, w, ssim, sse, wantSSIM, wantSSE)
				}
				if direct := SSE(portable(depth), a, stride, b, stride, w, h); direct != sse {
					t.Errorf("%s depth %d width %d: SSE %d, directly %d", name, depth, w, sse, direct)
				}
			})
		}
	}
}

// The widest and farthest planes must not overflow a lane.
func TestBlocksWidest(t *testing.T) {
	rng := newRand()
	a, b := contents[1].plane(rng, MaxWidth*8, 8), contents[2].plane(rng, MaxWidth*8, 8)
	_, sse := NewBlocks(MaxWidth, Config{Depth: 8}).Measure(a, MaxWidth, b, MaxWidth, MaxWidth, 8)
	if want := uint64(MaxWidth * 8 * 255 * 255); sse != want {
		t.Errorf("SSE = %d, want %d", sse, want)
	}
}

// Flat windows have the closed form (2ab+C1)/(a²+b²+C1), with ffmpeg's C1,
// which is a 64th of the usual one.
func TestBlocksFlat(t *testing.T) {
	for _, c := range []struct{ a, b byte }{{0, 0}, {0, 255}, {100, 110}, {1, 2}, {255, 255}} {
		p, q := make([]byte, 32*32), make([]byte, 32*32)
		for i := range p {
			p[i], q[i] = c.a, c.b
		}
		x, y, c1 := float64(c.a), float64(c.b), 416./4096
		want := (2*x*y + c1) / (x*x + y*y + c1)
		if got, _ := NewBlocks(32, Config{Depth: 8}).Measure(p, 32, q, 32, 32, 32); math.Abs(got-want) > 1e-6 {
			t.Errorf("%d against %d: SSIM %.8f, want %.8f", c.a, c.b, got, want)
		}
	}
}

func FuzzBlocks(f *testing.F) {
	f.Add(make([]byte, 200), make([]byte, 200), uint8(2))
	f.Add([]byte("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+/"), make([]byte, 64), uint8(0))
	f.Fuzz(func(t *testing.T, a, b []byte, extra uint8) {
		for _, depth := range []int{8, 16} {
			c := Config{Depth: depth}
			n, w := min(len(a), len(b))/c.bytes(), int(extra)+8
			h := n / w
			if h < 8 {
				continue
			}
			stride := w * c.bytes()
			ssim, sse := NewBlocks(w, c).Measure(a, stride, b, stride, w, h)
			wantSSIM, wantSSE := NewBlocks(w, portable(depth)).Measure(a, stride, b, stride, w, h)
			if sse != wantSSE || math.Float64bits(ssim) != math.Float64bits(wantSSIM) {
				t.Errorf("depth %d, %dx%d: SSIM %v SSE %d, want %v and %d", depth, w, h, ssim, sse, wantSSIM, wantSSE)
			}
		}
	})
}
