package score

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/vqeval/vqeval/decode"
)

// rawClip writes n grey frames of 64x48 that all differ.
func rawClip(t testing.TB, dir, name string, n int) string {
	t.Helper()
	b := make([]byte, 0, n*64*48*3/2)
	for i := range n {
		for k := range 64 * 48 * 3 / 2 {
			b = append(b, byte(i+k*k/7))
		}
	}
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, b, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestAllocations: scoring allocates per clip, not per frame. Tables that grow
// with the clip are allowed: their number is logarithmic.
func TestAllocations(t *testing.T) {
	dir := t.TempDir()
	short, long := rawClip(t, dir, "short.yuv", 100), rawClip(t, dir, "long.yuv", 900)
	allocations := func(path string) uint64 {
		raw := Raw{Size: decode.Size{Width: 64, Height: 48}}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		s, err := Score(context.Background(), Reference{Path: path, Raw: raw}, Capture{Path: path, Raw: raw}, Options{Workers: 1})
		runtime.ReadMemStats(&after)
		if err != nil || len(s.Rows) == 0 {
			t.Fatal(err, len(s.Rows))
		}
		return after.Mallocs - before.Mallocs
	}
	allocations(short)
	a, b := allocations(short), allocations(long)
	const perFrame = .25 // what the Go runtime does meanwhile is counted, too
	if extra := int64(b) - int64(a); extra > perFrame*800 {
		t.Errorf("800 frames more made %d allocations more", extra)
	}
}

func BenchmarkScore(b *testing.B) {
	const frames = 500
	path := rawClip(b, b.TempDir(), "clip.yuv", frames)
	raw := Raw{Size: decode.Size{Width: 64, Height: 48}}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Score(context.Background(), Reference{Path: path, Raw: raw}, Capture{Path: path, Raw: raw}, Options{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(frames*float64(b.N)/b.Elapsed().Seconds(), "frames/s")
}
