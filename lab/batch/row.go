package batch

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/vqeval/vqeval/lab/score"
	"github.com/vqeval/vqeval/metrics"
)

// A Row is one line of a summary. It is small, so that the rows of many
// thousands of captures can be held.
type Row struct {
	Item    Item
	Dialect string    // of SSIM
	Align   string    // how frames were paired
	Pooled  string    // "all" reference frames, or the "shown" ones
	Numbers []float64 // as Numbers lists them; NaN = there is none; nil if it failed
	Notes   []string
	Err     string // why there are no numbers
}

// Failed reports whether the item could not be scored.
func (r Row) Failed() bool { return r.Err != "" }

// Reason is why there are no numbers, without the captured file's name.
func (r Row) Reason() string { return strings.TrimPrefix(r.Err, r.Item.Captured+": ") }

// numberNames lists the columns of a summary that are numbers. Their order is
// part of the format.
var numberNames = [...]string{
	"deadline_ms", "frames", "ok", "damaged", "frozen", "late", "expired", "missing",
	"mse_y_mean", "psnr_y_mean", "psnr_y_total", "ssim_y_mean",
	"delay_ms_p50", "delay_ms_p95", "goodput_mbps", "packets_sent", "packets_lost",
	"identical", "extra", "psnr_y_min", "psnr_y_p5", "ssim_y_min", "ssim_y_p5",
	"mse_yuv_mean", "psnr_yuv_mean", "psnr_yuv_total", "ssim_yuv_mean", "ms_ssim_mean",
	"mse_u_mean", "psnr_u_mean", "psnr_u_total", "ssim_u_mean",
	"mse_v_mean", "psnr_v_mean", "psnr_v_total", "ssim_v_mean",
}

// Numbers lists the columns of a summary that are numbers.
func Numbers() []string { return slices.Clone(numberNames[:]) }

// Number returns a number by the name of its column, NaN if there is none.
func (r Row) Number(name string) float64 {
	if i := slices.Index(numberNames[:], name); i >= 0 && i < len(r.Numbers) {
		return r.Numbers[i]
	}
	return math.NaN()
}

func failedRow(it Item, err error) Row {
	return Row{Item: it, Err: strings.TrimSpace(err.Error())}
}

// newRow sums up what was scored.
func newRow(it Item, o score.Outcome, shown bool) Row {
	s := o.Series
	r := Row{Item: it, Dialect: s.Options.SSIM.String(), Align: o.Alignment.Method.String(), Pooled: "all", Notes: s.Notes}
	if shown {
		r.Pooled = "shown"
	}
	known := facts(it, o)
	pooled := s.Pool(metrics.Filter{ShownOnly: shown})
	r.Numbers = make([]float64, len(numberNames))
	for i, name := range numberNames {
		v, ok := known[name]
		if !ok {
			v = pooledNumber(pooled, name)
		}
		r.Numbers[i] = v
	}
	return r
}

// pooledNumber finds psnr_y_mean in the statistics of psnr_y.
func pooledNumber(p metrics.Pooled, name string) float64 {
	cut := strings.LastIndexByte(name, '_')
	st, ok := p[name[:cut]]
	if !ok {
		return math.NaN()
	}
	switch name[cut+1:] {
	case "mean":
		return st.Mean
	case "min":
		return st.Min
	case "p5":
		return st.P5
	case "total":
		return st.Total
	}
	return math.NaN()
}

// facts are the numbers that are no pooled metrics.
func facts(it Item, o score.Outcome) map[string]float64 {
	s := o.Series
	f := map[string]float64{"frames": float64(len(s.Rows)), "extra": float64(len(o.Alignment.Extra)), "deadline_ms": math.NaN()}
	for verdict, n := range s.Counts() {
		f[verdict] = float64(n)
	}
	identical := 0
	var delays []float64
	for _, row := range s.Rows {
		if row.Score.Identical && row.Verdict.Shown() {
			identical++
		}
		if row.DelayMS >= 0 {
			delays = append(delays, row.DelayMS)
		}
	}
	f["identical"] = float64(identical)
	if it.Deadline > 0 {
		f["deadline_ms"] = float64(it.Deadline) / float64(time.Millisecond)
	}
	slices.Sort(delays)
	f["delay_ms_p50"], f["delay_ms_p95"] = quantile(delays, .5), quantile(delays, .95)
	packets(f, o)
	return f
}

// packets adds what only recordings of packets have.
func packets(f map[string]float64, o score.Outcome) {
	for _, name := range []string{"goodput_mbps", "packets_sent", "packets_lost"} {
		f[name] = math.NaN()
	}
	if s := o.Stats; s != nil {
		f["packets_sent"] = float64(s.Packets - s.Duplicates + s.Lost) // as far as the sequence numbers tell
		f["packets_lost"] = float64(s.Lost)
	}
	if s := o.Stream; s != nil {
		if span := s.Last.Sub(s.First).Seconds(); span > 0 {
			f["goodput_mbps"] = float64(s.Bytes) * 8 / span / 1e6
		}
	}
}

// quantile interpolates linearly at rank p*(n-1) of sorted values.
func quantile(sorted []float64, p float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	rank := p * float64(len(sorted)-1)
	i := int(rank)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	part := rank - float64(i)
	return sorted[i]*(1-part) + sorted[i+1]*part
}
