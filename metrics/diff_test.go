package metrics

import (
	"math"
	"slices"
	"testing"
)

func TestDiffOfTheSame(t *testing.T) {
	d := Diff(sample(), sample(), 0)
	if !d.Same() || d.First != -1 || d.Frames != 6 || len(d.Metrics) != len(metricTable) {
		t.Errorf("a series differs from itself: %+v", d)
	}
}

func TestDiff(t *testing.T) {
	a, b := sample(), sample()
	b.Rows = b.Rows[:5] // frame 5 is gone
	b.Rows[2].Score.PSNR[0] += .5
	b.Rows[4].Score.PSNR[0] -= 2
	b.Rows[3].Verdict = OK
	b.Options = Options{SSIM: Wang}
	d := Diff(a, b, .01)
	if d.Same() || d.First != 2 || d.Frames != 5 || !slices.Equal(d.OnlyA, []int{5}) || len(d.OnlyB) != 0 || !slices.Equal(d.Verdicts, []int{3}) || !d.Dialects {
		t.Errorf("difference is %+v", d)
	}
	m := d.Metrics["psnr_y"]
	if m.First != 2 || m.At != 4 || m.Frames != 2 || m.Compared != 5 || math.Abs(m.Largest-2) > 1e-9 || math.Abs(m.MeanA-m.MeanB-.3) > 1e-9 {
		t.Errorf("psnr_y is %+v", m)
	}
	if m := d.Metrics["ssim_y"]; m.First != -1 || m.At != -1 || m.Frames != 0 {
		t.Errorf("ssim_y is %+v", m)
	}
	if d.MissingIn["ms_ssim"] != "b" || len(d.MissingIn) != 1 {
		t.Errorf("missing are %v", d.MissingIn)
	}
	if loose := Diff(a, b, 3); loose.First != 3 || loose.Metrics["psnr_y"].Frames != 0 {
		t.Errorf("with a tolerance of 3: %+v", loose)
	}
}

// Series that share no metric have no difference in any.
func TestDiffOfStrangers(t *testing.T) {
	a, b := sample(), sample()
	a.Metrics, b.Metrics = []string{"psnr_y"}, []string{"ssim_y"}
	d := Diff(a, b, 0)
	if d.Same() || len(d.Metrics) != 0 || d.MissingIn["psnr_y"] != "b" || d.MissingIn["ssim_y"] != "a" {
		t.Errorf("difference is %+v", d)
	}
}
