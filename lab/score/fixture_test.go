package score

import (
	"bytes"
	"context"
	"fmt"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/vqeval/vqeval/decode"
	"github.com/vqeval/vqeval/metrics"
	"github.com/vqeval/vqeval/stream"
	"github.com/vqeval/vqeval/stream/capture"
	"github.com/vqeval/vqeval/stream/h264"
	"github.com/vqeval/vqeval/stream/rtph264"
)

const clipFrames = 30 // with a key frame every 10

// lossless makes ffmpeg keep every sample.
var lossless = []string{"-c:v", "libx264", "-qp", "0", "-preset", "ultrafast", "-threads", "1"}

// ffmpeg runs the tool, which CI installs.
func ffmpeg(t testing.TB, args ...string) {
	t.Helper()
	path, err := exec.LookPath("ffmpeg")
	if err != nil {
		t.Skip("ffmpeg is not installed")
	}
	out, err := exec.Command(path, append([]string{"-nostdin", "-v", "error", "-y"}, args...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("ffmpeg %v: %v: %s", args, err, out)
	}
}

// reference copies the test clip to dir: 160x96, every frame different, made by
//
//	ffmpeg -f lavfi -i testsrc2=s=160x96:r=25 -frames:v 30 -c:v libx264 -preset veryslow -crf 32 -g 10 -keyint_min 10
//	-sc_threshold 0 -bf 0 -threads 1 -pix_fmt yuv420p -bitexact -flags +bitexact -fflags +bitexact testdata/ref.mp4
func reference(t testing.TB, dir string) string {
	t.Helper()
	b, err := os.ReadFile("testdata/ref.mp4")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "ref.mp4")
	if err := os.WriteFile(path, b, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// recode makes a lossless capture of a clip through a filter.
func recode(t testing.TB, ref, name, filter string, args ...string) string {
	path := filepath.Join(filepath.Dir(ref), name)
	all := []string{"-i", ref, "-vf", filter, "-vsync", "passthrough"}
	if filepath.Ext(name) != ".y4m" {
		all = append(all, lossless...)
	}
	ffmpeg(t, append(append(all, args...), path)...)
	return path
}

func mustScore(t testing.TB, ref, got string, o Options) metrics.Series {
	t.Helper()
	s, err := Score(context.Background(), Reference{Path: ref}, Capture{Path: got}, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// verdicts writes the first letter of each: o d f l e m.
func verdicts(s metrics.Series) string {
	b := make([]byte, len(s.Rows))
	for i, r := range s.Rows {
		b[i] = r.Verdict.String()[0]
	}
	return string(b)
}

// A delivery says when a packet arrives after its access unit's time; a negative
// delay is never.
type delivery func(unit, packet int) time.Duration

// record sends a clip over a line that is told what to do, and records it.
func record(t testing.TB, ref string, p rtph264.Packetizer, line delivery) string {
	t.Helper()
	clip, err := decode.ReadUnits(context.Background(), ref)
	if err != nil {
		t.Fatal(err)
	}
	addr := netip.MustParseAddrPort("127.0.0.1:5004")
	var buf bytes.Buffer
	w, err := capture.NewWriter(&buf, capture.WriterOptions{Src: addr, Dst: addr})
	if err != nil {
		t.Fatal(err)
	}
	start := time.Unix(1700000000, 0)
	for i, u := range clip.Units {
		packets, err := p.Packetize(u, rtph264.Mark{})
		if err != nil {
			t.Fatal(err)
		}
		for k, b := range packets {
			if d := line(i, k); d >= 0 {
				if err := w.Write(start.Add(duration(u.DTS)+d), b); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(filepath.Dir(ref), fmt.Sprintf("%s.pcapng", filepath.Base(t.Name())))
	if err := os.WriteFile(path, buf.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// bare writes some access units of a clip as a bare H.264 stream.
func bare(t testing.TB, ref, name string, change func(i int, u h264.AccessUnit) (h264.AccessUnit, bool)) string {
	t.Helper()
	clip, err := decode.ReadUnits(context.Background(), ref)
	if err != nil {
		t.Fatal(err)
	}
	var b []byte
	for i, u := range clip.Units {
		if u, keep := change(i, u); keep {
			b = h264.AppendAnnexB(b, u.NALUs...)
		}
	}
	path := filepath.Join(filepath.Dir(ref), name)
	if err := os.WriteFile(path, b, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func load(t testing.TB, path string) *stream.Recording {
	t.Helper()
	r, err := readRecording(path, stream.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}
