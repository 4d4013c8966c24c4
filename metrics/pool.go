package metrics

import (
	"math"
	"slices"
)

// Filter chooses the rows that are pooled. The zero value takes all of them,
// as the viewer sat through every one.
type Filter struct {
	ShownOnly bool // only frames that were shown themselves: verdicts OK and Damaged
}

// Stat summarises one metric over the frames of a clip.
type Stat struct {
	Mean     float64 `json:"mean"`
	Harmonic float64 `json:"harmonic"` // n/sum(1/x); 0, its limit, where a value is 0 or less
	Min      float64 `json:"min"`
	Max      float64 `json:"max"`
	MinFrame int     `json:"min_frame"` // the first frame that has the minimum
	MaxFrame int     `json:"max_frame"`
	Std      float64 `json:"std"` // of the population
	Var      float64 `json:"var"`
	P1       float64 `json:"p1"` // percentiles, interpolated linearly between ranks
	P5       float64 `json:"p5"`
	P10      float64 `json:"p10"`
	P50      float64 `json:"p50"`
	P90      float64 `json:"p90"`
	Total    float64 `json:"total,omitempty"` // PSNR only: that of the mean MSE
	Frames   int     `json:"frames"`
}

// Pooled holds one Stat per metric: mse_y, psnr_u, ssim_yuv, ms_ssim and so on.
// Metrics that no pooled row has are absent.
type Pooled map[string]Stat

// Metrics lists the names of the metrics in the order of the columns.
func Metrics() []string {
	var names []string
	for _, m := range metricTable {
		names = append(names, m.name)
	}
	return names
}

// Value returns one metric of the score by its name, such as "psnr_y", and
// whether the score has it.
func (s Score) Value(name string) (float64, bool) {
	for _, m := range metricTable {
		if m.name == name && s.Planes >= m.planes {
			return *m.field(&s), m.name != "ms_ssim" || s.MSSSIM != 0
		}
	}
	return 0, false
}

// Has says whether the rows carry a metric, as far as their planes go.
func (s Series) Has(name string) bool {
	if s.Metrics != nil {
		return slices.Contains(s.Metrics, name)
	}
	return name != "ms_ssim" || s.Options.MSSSIM
}

// Counts returns how many rows have each verdict, by its name; verdicts that
// did not occur are 0.
func (s Series) Counts() map[string]int {
	n := make(map[string]int, len(verdicts))
	for _, v := range verdicts {
		n[v] = 0
	}
	for _, r := range s.Rows {
		n[r.Verdict.String()]++
	}
	return n
}

// Pool summarises every metric over the rows that f lets through.
func (s Series) Pool(f Filter) Pooled {
	p := Pooled{}
	for _, m := range metricTable {
		if !s.Has(m.name) {
			continue
		}
		var values []float64
		var frames []int
		for _, r := range s.Rows {
			if r.Score.Planes >= m.planes && (!f.ShownOnly || r.Verdict.Shown()) {
				values = append(values, *m.field(&r.Score))
				frames = append(frames, r.Frame)
			}
		}
		if len(values) > 0 {
			p[m.name] = newStat(values, frames)
		}
	}
	for _, plane := range [...]string{"y", "u", "v", "yuv"} {
		s.addTotal(p, "psnr_"+plane, "mse_"+plane)
	}
	return p
}

// addTotal sets the PSNR of the mean MSE. The rows need not say how deep their
// samples are: the row with the largest MSE holds MAX in its PSNR, and its own
// PSNR plus 10 log10(its MSE / mean MSE) is 10 log10(MAX^2 / mean MSE).
func (s Series) addTotal(p Pooled, psnr, mse string) {
	stat, ok := p[psnr]
	errors, both := p[mse]
	if !ok || !both {
		return
	}
	stat.Total = MaxPSNR
	for _, r := range s.Rows {
		if r.Frame != errors.MaxFrame {
			continue
		}
		if db, _ := r.Score.Value(psnr); db < MaxPSNR && errors.Mean > 0 {
			stat.Total = min(MaxPSNR, db+10*math.Log10(errors.Max/errors.Mean))
		}
	}
	p[psnr] = stat
}

// newStat summarises values, which belong to frames; there is at least one.
func newStat(values []float64, frames []int) Stat {
	s := Stat{Frames: len(values), Min: values[0], Max: values[0], MinFrame: frames[0], MaxFrame: frames[0]}
	var sum, inverse float64
	for i, v := range values {
		sum += v
		inverse += 1 / v
		if v < s.Min {
			s.Min, s.MinFrame = v, frames[i]
		}
		if v > s.Max {
			s.Max, s.MaxFrame = v, frames[i]
		}
	}
	n := float64(len(values))
	s.Mean = sum / n
	if s.Min > 0 {
		s.Harmonic = n / inverse
	}
	for _, v := range values {
		s.Var += (v - s.Mean) * (v - s.Mean)
	}
	s.Var /= n
	s.Std = math.Sqrt(s.Var)
	sorted := slices.Sorted(slices.Values(values))
	s.P1, s.P5, s.P10 = percentile(sorted, 1), percentile(sorted, 5), percentile(sorted, 10)
	s.P50, s.P90 = percentile(sorted, 50), percentile(sorted, 90)
	return s
}

// percentile interpolates linearly at rank p/100*(n-1) of sorted values.
func percentile(sorted []float64, p float64) float64 {
	rank := p / 100 * float64(len(sorted)-1)
	i := int(rank)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	part := rank - float64(i)
	return sorted[i]*(1-part) + sorted[i+1]*part
}
