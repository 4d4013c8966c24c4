package score

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vqeval/vqeval/metrics"
)

// TestAgreesWithFFmpeg: files go through decoder, pairing and measuring and come
// out with what ffmpeg's filters say of every frame and plane, to the digits that
// those print. The judge is
//
//	ffmpeg -cpuflags 0 -i ref.mp4 -i got.mkv -lavfi "[0][1]psnr=stats_file=psnr;[0][1]ssim=stats_file=ssim" -f null -
//
// in C, since the SSE4 form of ffmpeg 5.1's ssim is wrong for some widths.
func TestAgreesWithFFmpeg(t *testing.T) {
	ref := reference(t, t.TempDir())
	got := recode(t, ref, "coarse.mkv", "null", "-qp", "38", "-bf", "2")
	dir := filepath.Dir(ref)
	psnr, ssim := filepath.Join(dir, "psnr"), filepath.Join(dir, "ssim")
	ffmpeg(t, "-cpuflags", "0", "-i", ref, "-i", got, "-lavfi",
		"[0][1]psnr=stats_file="+filterPath(psnr)+";[0][1]ssim=stats_file="+filterPath(ssim), "-f", "null", "-")
	s := mustScore(t, ref, got, Options{})
	agree(t, s, psnr, []string{"mse_y", "mse_u", "mse_v", "mse_yuv"}, .0051)
	agree(t, s, ssim, []string{"ssim_y", "ssim_u", "ssim_v", "ssim_yuv"}, 2e-6)
}

// filterPath quotes a file's name for a filter graph.
func filterPath(path string) string {
	return strings.NewReplacer(`\`, `\\`, `:`, `\:`, `'`, `\'`, `,`, `\,`, `;`, `\;`).Replace(path)
}

// agree holds the named metrics of every frame within tolerance of a stats file.
func agree(t *testing.T, got metrics.Series, path string, names []string, tolerance float64) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	want, err := metrics.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Rows) != clipFrames || len(want.Rows) != clipFrames {
		t.Fatalf("got %d frames, ffmpeg has %d, want %d", len(got.Rows), len(want.Rows), clipFrames)
	}
	for i := range want.Rows {
		for _, name := range names {
			ours, _ := got.Rows[i].Score.Value(name)
			theirs, known := want.Rows[i].Score.Value(name)
			if !known || !(math.Abs(ours-theirs) <= tolerance) {
				t.Errorf("frame %d: %s is %.8f, ffmpeg has %.8f (%t)", i, name, ours, theirs, known)
			}
		}
	}
}
