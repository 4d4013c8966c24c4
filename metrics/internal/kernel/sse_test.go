package kernel

import (
	"encoding/binary"
	"fmt"
	"testing"
)

func TestSSEMatchesGeneric(t *testing.T) {
	rng := newRand()
	for _, depth := range []int{8, 10, 12, 15, 16} {
		c := Config{Depth: depth}
		for _, w := range sizes {
			pairs(func(name string, x, y content) {
				const h, pad = 3, 5
				stride := (w + pad) * c.bytes()
				a, b := x.plane(rng, (w+pad)*h, depth), y.plane(rng, (w+pad)*h, depth)
				got, want := SSE(c, a, stride, b, stride, w, h), SSE(portable(depth), a, stride, b, stride, w, h)
				if got != want {
					t.Errorf("%s depth %d width %d: SSE %d, want %d", name, depth, w, got, want)
				}
			})
		}
	}
}

// The farthest planes, by arithmetic: one black, the other white.
func TestSSEExtreme(t *testing.T) {
	const w, h = 1920, 68 // more than a band
	rng := newRand()
	for _, depth := range []int{8, 9, 10, 12, 14, 15, 16} {
		c := Config{Depth: depth}
		a, b := contents[1].plane(rng, w*h, depth), contents[2].plane(rng, w*h, depth)
		peak := uint64(1)<<depth - 1
		if got, want := SSE(c, a, w*c.bytes(), b, w*c.bytes(), w, h), w*h*peak*peak; got != want {
			t.Errorf("depth %d: SSE = %d, want %d", depth, got, want)
		}
	}
}

// The widest row must not overflow a lane.
func TestSSEWidest(t *testing.T) {
	rng := newRand()
	a, b := contents[1].plane(rng, MaxWidth, 8), contents[2].plane(rng, MaxWidth, 8)
	if got, want := SSE(Config{Depth: 8}, a, MaxWidth, b, MaxWidth, MaxWidth, 1), uint64(MaxWidth*255*255); got != want {
		t.Errorf("SSE = %d, want %d", got, want)
	}
}

func FuzzSSE(f *testing.F) {
	f.Add([]byte("abc"), []byte("abd"), uint8(0))
	f.Add(make([]byte, 99), make([]byte, 70), uint8(7))
	f.Fuzz(func(t *testing.T, a, b []byte, extra uint8) {
		for _, depth := range []int{8, 15, 16} {
			c := Config{Depth: depth}
			n := min(len(a), len(b)) / c.bytes()
			w := min(n, int(extra)+1)
			if w == 0 {
				continue
			}
			h, stride := n/w, w*c.bytes()
			got, want := SSE(c, a, stride, b, stride, w, h), SSE(portable(depth), a, stride, b, stride, w, h)
			if depth == 15 { // samples of more bits than the depth are no input
				continue
			}
			if got != want {
				t.Errorf("depth %d, %dx%d: SSE %d, want %d", depth, w, h, got, want)
			}
		}
	})
}

func BenchmarkSSE(b *testing.B) {
	for _, depth := range []int{8, 10} {
		for _, form := range forms(depth) {
			b.Run(fmt.Sprintf("1080p%d/%s", depth, form.name), func(b *testing.B) {
				x, y := benchPlanes(depth)
				stride := benchWidth * form.c.bytes()
				b.SetBytes(int64(2 * len(x)))
				for b.Loop() {
					SSE(form.c, x, stride, y, stride, benchWidth, benchHeight)
				}
			})
		}
	}
}

// read returns the exclusive or of all words of p, whose length must be a
// multiple of 64: as little work as looking at every byte can be.
func read(p []byte) (x uint64) {
	for len(p) >= 64 {
		q := p[:64]
		x ^= binary.LittleEndian.Uint64(q) ^ binary.LittleEndian.Uint64(q[8:]) ^ binary.LittleEndian.Uint64(q[16:]) ^
			binary.LittleEndian.Uint64(q[24:]) ^ binary.LittleEndian.Uint64(q[32:]) ^ binary.LittleEndian.Uint64(q[40:]) ^
			binary.LittleEndian.Uint64(q[48:]) ^ binary.LittleEndian.Uint64(q[56:])
		p = p[64:]
	}
	return x
}
