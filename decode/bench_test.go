package decode

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"testing"

	"github.com/vqeval/vqeval/samples"
)

// allocs counts what a frame costs in Go allocations once the decoder runs.
func allocs(t testing.TB, d *Decoder, n int) float64 {
	ctx := context.Background()
	next := func() {
		f, err := d.Next(ctx)
		if err != nil {
			t.Fatal(err)
		}
		f.Release()
	}
	for range 30 { // fills the pool and the decoder's delay
		next()
	}
	return testing.AllocsPerRun(n, next)
}

func TestNoAllocationPerFrame(t *testing.T) {
	clip, err := samples.Small.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	path := write(t, "small.mp4", clip)
	plain := write(t, "x.y4m", y4m(400, "FRAME\n"))
	for name, d := range map[string]*Decoder{
		"file":        open1(t, path, Options{}),
		"one thread":  open1(t, path, Options{Damaged: true}),
		"scaled":      open1(t, path, Options{Scale: Size{64, 64}}),
		"own reader":  open1(t, plain, Options{}),
		"few to lend": open1(t, path, Options{Pool: 1}),
	} {
		if got := allocs(t, d, 200); got != 0 {
			t.Errorf("%s: %g allocations a frame, want 0", name, got)
		}
	}
}

// BenchmarkDecode decodes the built-in FullHD clip over and over; an operation is
// one frame.
func BenchmarkDecode(b *testing.B) {
	clip, err := samples.FullHD.Bytes()
	if err != nil {
		b.Fatal(err)
	}
	path := write(b, "fullhd.mp4", clip)
	for _, threads := range []int{1, 0} {
		b.Run(fmt.Sprintf("1080p/threads=%d", threads), func(b *testing.B) { benchmark(b, path, Options{Threads: threads}) })
	}
}

// BenchmarkY4M reads FullHD pictures from a .y4m in the page cache.
func BenchmarkY4M(b *testing.B) {
	path := filepath.Join(b.TempDir(), "x.y4m")
	clip, err := samples.FullHD.Bytes()
	if err != nil {
		b.Fatal(err)
	}
	ffmpeg(b, "-i", write(b, "fullhd.mp4", clip), "-frames:v", "60", path)
	b.Run("1080p", func(b *testing.B) { benchmark(b, path, Options{}) })
}

func benchmark(b *testing.B, path string, o Options) {
	d, err := Open(path, o)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { d.Close() }()
	b.SetBytes(int64(d.Info().Width * d.Info().Height * 3 / 2))
	b.ReportAllocs()
	for b.Loop() {
		f, err := d.Next(context.Background())
		if errors.Is(err, io.EOF) {
			d.Close()
			if d, err = Open(path, o); err == nil {
				f, err = d.Next(context.Background())
			}
		}
		if err != nil {
			b.Fatal(err)
		}
		f.Release()
	}
}
