package metrics

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// clips differ in size, format and depth.
var clips = []struct {
	pixFmt string
	format Format
	w, h   int
	frames int
	noise  int // strength of the damage, of depth 8
}{
	{"yuv420p", Format{8, 3, 1, 1, false}, 176, 144, 3, 12},
	{"yuv420p", Format{8, 3, 1, 1, false}, 175, 143, 2, 90},
	{"yuv420p", Format{8, 3, 1, 1, false}, 1920, 272, 1, 25},
	{"yuv422p", Format{8, 3, 1, 0, false}, 322, 182, 2, 1},
	{"yuv444p", Format{8, 3, 0, 0, false}, 65, 33, 3, 40},
	{"yuv410p", Format{8, 3, 2, 2, false}, 130, 70, 2, 7},
	{"gray", Format{8, 1, 0, 0, false}, 131, 97, 2, 5},
	{"yuv420p10le", Format{10, 3, 1, 1, false}, 194, 98, 3, 9},
	{"yuv422p12le", Format{12, 3, 1, 0, false}, 97, 61, 2, 60},
	{"yuv444p16le", Format{16, 3, 0, 0, false}, 70, 50, 2, 3},
	{"gray10le", Format{10, 1, 0, 0, false}, 50, 66, 2, 2},
}

// Every frame and plane agrees with ffmpeg's filters, up to the digits that
// they print. For each clip, run over the raw planes a and b:
//
//	ffmpeg -cpuflags 0 -f rawvideo -pix_fmt FMT -s WxH -i a -f rawvideo -pix_fmt FMT -s WxH -i b \
//	  -lavfi "[0][1]psnr=stats_file=psnr;[0][1]ssim=stats_file=ssim" -f null -
//
// With -cpuflags 0 ffmpeg's C code is the judge. The SSE4 form of ffmpeg 5.1's
// ssim is wrong by up to .01 for planes of 8 bits whose width is 8 to 11 modulo
// 16, where the last group of windows holds one alone; it agrees otherwise.
func TestAgreesWithFFmpeg(t *testing.T) {
	ffmpeg, err := exec.LookPath("ffmpeg")
	if err != nil {
		t.Skip("ffmpeg is not installed: its filters cannot be compared with")
	}
	for _, c := range clips {
		t.Run(fmt.Sprintf("%s/%dx%d", c.pixFmt, c.w, c.h), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			var a, b bytes.Buffer
			var scores []Score
			s, err := NewScorer(c.format, c.w, c.h, Options{})
			if err != nil {
				t.Fatal(err)
			}
			for n := range c.frames {
				p := newPicture(c.format, c.w, c.h, 24, sceneAt(c.format, n))
				q := newPicture(c.format, c.w, c.h, 8, damaged(c.format, n, c.noise))
				a.Write(p.raw())
				b.Write(q.raw())
				scores = append(scores, s.Score(p, q))
			}
			psnr, ssim := runFFmpeg(t, ffmpeg, dir, c.pixFmt, fmt.Sprintf("%dx%d", c.w, c.h), a.Bytes(), b.Bytes())
			compare(t, scores, psnr, []string{"mse_y", "mse_u", "mse_v", "mse_yuv"}, .0051)
			compare(t, scores, psnr, []string{"psnr_y", "psnr_u", "psnr_v", "psnr_yuv"}, .0051)
			compare(t, scores, ssim, []string{"ssim_y", "ssim_u", "ssim_v", "ssim_yuv"}, 1e-6)
		})
	}
}

// runFFmpeg returns the stats of both filters for two raw clips.
func runFFmpeg(t *testing.T, ffmpeg, dir, pixFmt, size string, a, b []byte) (psnr, ssim Series) {
	t.Helper()
	for name, data := range map[string][]byte{"a": a, "b": b} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	args := []string{"-v", "error", "-nostdin", "-cpuflags", "0", "-filter_threads", "1"}
	for _, name := range []string{"a", "b"} {
		args = append(args, "-f", "rawvideo", "-pix_fmt", pixFmt, "-s", size, "-i", name)
	}
	args = append(args, "-lavfi", "[0][1]psnr=stats_file=psnr;[0][1]ssim=stats_file=ssim", "-f", "null", "-")
	cmd := exec.CommandContext(t.Context(), ffmpeg, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("ffmpeg: %v\n%s", err, out)
	}
	var err error
	for name, s := range map[string]*Series{"psnr": &psnr, "ssim": &ssim} {
		text, e := os.ReadFile(filepath.Join(dir, name))
		if e != nil {
			t.Fatal(e)
		}
		if *s, err = Read(bytes.NewReader(text)); err != nil {
			t.Fatal(err)
		}
	}
	return psnr, ssim
}

// compare holds the named metrics of every frame within tolerance of ffmpeg's.
func compare(t *testing.T, got []Score, want Series, names []string, tolerance float64) {
	t.Helper()
	if len(got) != len(want.Rows) {
		t.Fatalf("ffmpeg has %d frames, want %d", len(want.Rows), len(got))
	}
	for i, r := range want.Rows {
		for _, name := range names {
			theirs, has := r.Score.Value(name)
			ours, _ := got[i].Value(name)
			if has && !(math.Abs(ours-theirs) <= tolerance) {
				t.Errorf("frame %d: %s is %.8f, ffmpeg has %.8f", i, name, ours, theirs)
			}
		}
	}
}
