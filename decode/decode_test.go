package decode

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// sums are the MD5s of every frame, as ffmpeg's framemd5 counts them: the planes
// one after the other, without padding.
func sums(t testing.TB, d *Decoder) (all []string) {
	t.Helper()
	for f := range frames(t, d) {
		all = append(all, sum(f))
	}
	return all
}

func sum(f *Frame) string {
	h := md5.New()
	for _, p := range f.Planes[:f.Format.Planes] {
		row := p.Width * f.Format.BytesPerSample()
		for y := range p.Height {
			h.Write(p.Pix[y*p.Stride:][:row])
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

func hexMD5(b []byte) string {
	h := md5.Sum(b)
	return hex.EncodeToString(h[:])
}

// frames yields each frame until the end and releases it.
func frames(t testing.TB, d *Decoder) func(yield func(*Frame) bool) {
	return func(yield func(*Frame) bool) {
		for {
			f, err := d.Next(context.Background())
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			more := yield(f)
			f.Release()
			if !more {
				return
			}
		}
	}
}

func open1(t testing.TB, path string, o Options) *Decoder {
	t.Helper()
	d, err := Open(path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

// golden reads one MD5 a line.
func golden(t testing.TB, path string) []string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(b))
}

func equal(t testing.TB, got, want []string) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d frames, want %d", len(got), len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("frame %d has MD5 %s, want %s", i, got[i], want[i])
		}
	}
}

// ffmpeg runs the ffmpeg CLI in a folder of its own; the test is skipped where
// there is none.
func ffmpeg(t testing.TB, args ...string) []byte {
	t.Helper()
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		t.Skip("ffmpeg is not installed")
	}
	cmd := exec.Command("ffmpeg", append([]string{"-nostdin", "-v", "error", "-y"}, args...)...)
	cmd.Stderr = t.Output()
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("ffmpeg to %s: %v", args[len(args)-1], err)
	}
	return out
}

// frameMD5 is what ffmpeg decodes from its arguments.
func frameMD5(t testing.TB, args ...string) (all []string) {
	t.Helper()
	return framemd5(ffmpeg(t, append(args, "-f", "framemd5", "-")...))
}

// framemd5 takes the sums out of what ffmpeg's muxer of that name writes.
func framemd5(out []byte) (all []string) {
	for line := range strings.Lines(string(out)) {
		if strings.HasPrefix(line, "0,") {
			fields := strings.Split(strings.TrimSpace(line), ",")
			all = append(all, strings.TrimSpace(fields[len(fields)-1]))
		}
	}
	return all
}

// The golden sums are ffmpeg's own, see testdata/make.sh. With B-frames, two of
// the 50 come out only when the decoder is drained.
func TestOpenMatchesFFmpeg(t *testing.T) {
	for _, name := range []string{"bframes", "pframes"} {
		for _, o := range []Options{{}, {Damaged: true}, {Threads: 3}, {Pool: 1}} {
			d := open1(t, filepath.Join("testdata", name+".mp4"), o)
			equal(t, sums(t, d), golden(t, filepath.Join("testdata", name+".md5")))
			if notes := d.Notes(); len(notes) != 0 {
				t.Errorf("%s: notes %v", name, notes)
			}
		}
	}
}

func TestInfo(t *testing.T) {
	d := open1(t, "testdata/bframes.mp4", Options{})
	got := d.Info()
	if got.Width != 98 || got.Height != 54 || got.PixelFormat != "yuv420p" || got.ConvertedFrom != "" || got.Codec != "h264" ||
		got.Container != "mov" || got.FrameRate != (Rate{25, 1}) || got.Frames != 50 || !got.HasPTS || got.RangeTag != RangeUnknown {
		t.Errorf("info %+v", got)
	}
	if f := got.Format; f.Depth != 8 || f.Planes != 3 || f.ChromaShiftX != 1 || f.ChromaShiftY != 1 || f.FullRange {
		t.Errorf("format %+v", f)
	}
}

// Frames come in the order of showing, know their time and the coded picture that
// they come from.
func TestFrameTimes(t *testing.T) {
	clip, err := ReadUnits(t.Context(), "testdata/bframes.mp4")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for f := range frames(t, open1(t, "testdata/bframes.mp4", Options{})) {
		if f.Number != n || f.PTS != int64(n)*3600 {
			t.Errorf("frame %d: number %d, PTS %d, want %d", n, f.Number, f.PTS, n*3600)
		}
		if got := clip.Units[f.Unit].PTS; got != f.PTS {
			t.Errorf("frame %d: unit %d has PTS %d, want %d", n, f.Unit, got, f.PTS)
		}
		n++
	}
}

func TestNextEnds(t *testing.T) {
	d := open1(t, "testdata/pframes.mp4", Options{Pool: 2})
	ctx, cancel := context.WithCancel(t.Context())
	a, err := d.Next(ctx)
	if err != nil {
		t.Fatal(err)
	}
	b, err := d.Next(ctx)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := d.Next(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Next with all frames out and ctx ended: %v, want context.Canceled", err)
	}
	a.Release()
	a.Release()
	c, err := d.Next(t.Context())
	if err != nil || c.Number != 2 {
		t.Errorf("Next after the cancelled one: frame %v, %v, want frame 2", c, err)
	}
	d.Close()
	d.Close()
	if got, want := sum(b), golden(t, "testdata/pframes.md5")[1]; got != want {
		t.Errorf("a frame held over Close has MD5 %s, want %s", got, want)
	}
	b.Release()
	c.Release()
	if _, err := d.Next(t.Context()); err == nil || errors.Is(err, io.EOF) {
		t.Errorf("Next after Close: %v, want an error", err)
	}
}
