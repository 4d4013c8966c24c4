package kernel

import (
	"fmt"
	"runtime"
	"testing"
)

// Benchmarks measure 1920x1080 luma. Warm is the same pair again and again;
// cold goes round coldPairs distinct ones, more than the caches hold.
const (
	benchWidth  = 1920
	benchHeight = 1080
	coldPairs   = 32
)

type form struct {
	name string
	c    Config
}

// forms are the ways that a kernel can be computed here.
func forms(depth int) []form {
	return []form{{"best", Config{Depth: depth}}, {"generic", portable(depth)}}
}

// gaussForms are forms and the narrower vectors that the Gaussian has too.
func gaussForms(depth int) []form {
	return append(forms(depth), form{"narrow", Config{Depth: depth, Narrow: true}})
}

func benchPlanes(depth int) (a, b []byte) {
	rng := newRand()
	return contents[0].plane(rng, benchWidth*benchHeight, depth), contents[0].plane(rng, benchWidth*benchHeight, depth)
}

// benchmark runs measure, warm and cold, on both forms.
func benchmark(b *testing.B, depth int, measure func(c Config) func(p, q []byte, stride int)) {
	for _, form := range forms(depth) {
		for _, pairs := range []int{1, coldPairs} {
			state := map[bool]string{true: "warm", false: "cold"}[pairs == 1]
			b.Run(fmt.Sprintf("1080p%d/%s/%s", depth, form.name, state), func(b *testing.B) {
				var p, q [coldPairs][]byte
				for i := range pairs {
					p[i], q[i] = benchPlanes(depth)
				}
				f := measure(form.c)
				b.SetBytes(int64(2 * len(p[0])))
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					f(p[i%pairs], q[i%pairs], benchWidth*form.c.bytes())
				}
			})
		}
	}
}

// BenchmarkRead is the floor: every byte of both planes is looked at once.
func BenchmarkRead(b *testing.B) {
	benchmark(b, 8, func(Config) func(p, q []byte, stride int) {
		var sink uint64
		b.Cleanup(func() { runtime.KeepAlive(sink) })
		return func(p, q []byte, _ int) { sink ^= read(p) ^ read(q) }
	})
}

func BenchmarkBlocks(b *testing.B) {
	for _, depth := range []int{8, 10} {
		benchmark(b, depth, func(c Config) func(p, q []byte, stride int) {
			k := NewBlocks(benchWidth, c)
			return func(p, q []byte, stride int) { k.Measure(p, stride, q, stride, benchWidth, benchHeight) }
		})
	}
}
