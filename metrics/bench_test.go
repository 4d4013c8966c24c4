package metrics

import (
	"fmt"
	"testing"

	"github.com/vqeval/vqeval/metrics/internal/kernel"
)

// BenchmarkScore measures whole frames of 1920x1080 4:2:0, Y, U and V; warm is
// the same pair again and again, cold goes round more pairs than caches hold.
func BenchmarkScore(b *testing.B) {
	const w, h, many = 1920, 1080, 16
	f := Format{Depth: 8, Planes: 3, ChromaShiftX: 1, ChromaShiftY: 1}
	var refs, gots [many]Picture
	for i := range many {
		refs[i] = newPicture(f, w, h, 0, func(plane, x, y int) int { return (x*y + 7*x + plane) & 0xff })
		gots[i] = newPicture(f, w, h, 0, func(plane, x, y int) int { return (x*y + 7*x + y/2 + i) & 0xff })
	}
	for d := range dialects {
		for _, form := range []string{"best", "generic"} {
			for _, pairs := range []int{1, many} {
				state := map[bool]string{true: "warm", false: "cold"}[pairs == 1]
				b.Run(fmt.Sprintf("1080p/%s/%s/%s", Dialect(d), form, state), func(b *testing.B) {
					s, err := newScorer(f, w, h, Options{SSIM: Dialect(d)}, kernel.Config{Depth: 8, Portable: form == "generic"})
					if err != nil {
						b.Fatal(err)
					}
					b.SetBytes(2 * w * h * 3 / 2)
					b.ReportAllocs()
					for i := 0; b.Loop(); i++ {
						s.Score(refs[i%pairs], gots[i%pairs])
					}
				})
			}
		}
	}
}
