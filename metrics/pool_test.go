package metrics

import (
	"math"
	"testing"
)

// vectorSeries scores the published vector (see TestPublishedVector).
func vectorSeries(t *testing.T) Series {
	t.Helper()
	s, err := NewScorer(Format{Depth: 8, Planes: 1}, 64, 48, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var series Series
	for i := range 10 {
		sc := s.Score(flat(64, 48, byte(50+10*i)), flat(64, 48, byte(50+8*i)))
		r := Row{Frame: i, Shown: i, Score: sc, Verdict: Damaged, Cause: Cause{HealedAt: -1}, DelayMS: -1}
		if sc.Identical {
			r.Verdict = OK
		}
		series.Rows = append(series.Rows, r)
	}
	return series
}

// Pooled values that VQMT 14.1 publishes for the vector. The last digit of its
// variance of SSIM is beyond what its own rounded frames give.
func TestPooledVector(t *testing.T) {
	p := vectorSeries(t).Pool(Filter{})
	psnr, ssim := p["psnr_y"], p["ssim_y"]
	for _, c := range []struct {
		name      string
		got, want float64
		tolerance float64
	}{
		{"psnr total", psnr.Total, 27.56175422, 5e-6},
		{"psnr mean", psnr.Mean, 36.77965927, 5e-6},
		{"psnr harmonic", psnr.Harmonic, 30.92931938, 5e-6},
		{"psnr min", psnr.Min, 23.02535248, 5e-6},
		{"psnr max", psnr.Max, 100, 0},
		{"psnr std", psnr.Std, 21.80170822, 5e-6},
		{"psnr var", psnr.Var, 475.31451416, 5e-5},
		{"ssim mean", ssim.Mean, .99525839, 5e-6},
		{"ssim harmonic", ssim.Harmonic, .99524826, 5e-6},
		{"ssim min", ssim.Min, .99060369, 5e-6},
		{"ssim max", ssim.Max, 1, 0},
		{"ssim std", ssim.Std, .00317683, 5e-6},
		{"ssim var", ssim.Var, 1.00922653e-05, 5e-8},
		{"ssim total", ssim.Total, 0, 0},
	} {
		if !(math.Abs(c.got-c.want) <= c.tolerance) {
			t.Errorf("%s = %.10g, want %.10g", c.name, c.got, c.want)
		}
	}
	if psnr.MinFrame != 9 || psnr.MaxFrame != 0 || ssim.MinFrame != 9 || ssim.MaxFrame != 0 {
		t.Errorf("extremes of %+v and %+v, want frames 9 and 0", psnr, ssim)
	}
	if _, ok := p["psnr_u"]; ok {
		t.Error("a grey clip has psnr_u")
	}
}

func TestPercentile(t *testing.T) {
	for _, c := range []struct {
		values  []float64
		p, want float64
	}{
		{[]float64{7}, 1, 7},
		{[]float64{1, 2}, 50, 1.5},
		{[]float64{0, 10, 20, 30, 40}, 10, 4},
		{[]float64{0, 10, 20, 30, 40}, 90, 36},
		{[]float64{0, 10, 20, 30, 40}, 100, 40},
	} {
		if got := percentile(c.values, c.p); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("percentile(%v, %v) = %v, want %v", c.values, c.p, got, c.want)
		}
	}
}

func TestPoolFilter(t *testing.T) {
	s := vectorSeries(t)
	s.Rows[9].Verdict = Frozen
	all, shown := s.Pool(Filter{})["psnr_y"], s.Pool(Filter{ShownOnly: true})["psnr_y"]
	if all.Frames != 10 || shown.Frames != 9 || shown.MinFrame != 8 {
		t.Errorf("pooled %d and %d frames, minimum in %d; want 10, 9, 8", all.Frames, shown.Frames, shown.MinFrame)
	}
	n := s.Counts()
	if n["ok"] != 1 || n["damaged"] != 8 || n["frozen"] != 1 || n["late"] != 0 || len(n) != 6 {
		t.Errorf("counts are %v", n)
	}
	if p := (Series{}).Pool(Filter{}); len(p) != 0 {
		t.Errorf("an empty series pools to %v", p)
	}
}

// A metric with zeros has harmonic mean 0, never an infinity.
func TestHarmonicOfZero(t *testing.T) {
	if st := vectorSeries(t).Pool(Filter{})["mse_y"]; st.Harmonic != 0 || st.Min != 0 || st.Mean != 114 {
		t.Errorf("mse_y pools to %+v", st)
	}
}
