package main

import (
	"io"
	"slices"
	"time"

	"github.com/vqeval/vqeval/lab"
	"github.com/vqeval/vqeval/report"
)

// latencyCharts are quality over the playout deadline over one link, for
// experiments with several deadlines.
func latencyCharts(res lab.Results, clip, profile string) []report.LatencyChart {
	if len(res.Manifest.Experiment.Deadlines) < 2 {
		return nil
	}
	var out []report.LatencyChart
	for _, m := range []struct {
		metric report.Metric
		name   string
	}{{report.SSIM, "ssim_y_mean"}, {report.PSNR, "psnr_y_mean"}} {
		chart := report.LatencyChart{Metric: m.metric}
		for _, c := range res.Cells {
			if c.Profile != profile || c.Clip != clip || c.Values[m.name].N == 0 {
				continue
			}
			i := slices.IndexFunc(chart.Curves, func(l report.LatencyCurve) bool { return l.Name == c.Transport })
			if i < 0 {
				i = len(chart.Curves)
				chart.Curves = append(chart.Curves, report.LatencyCurve{Name: c.Transport})
			}
			v := c.Values[m.name]
			chart.Curves[i].Points = append(chart.Curves[i].Points, report.LatencyPoint{Deadline: time.Duration(c.Deadline), Mean: v.Mean, Low: v.Low, High: v.High})
		}
		out = append(out, chart)
	}
	return out
}

// drawLatencies draws plots/latency-ssim and plots/latency-psnr of each clip and
// link of which several deadlines were scored.
func (a *app) drawLatencies(res lab.Results) error {
	for _, g := range res.LinkGroups() {
		for _, chart := range latencyCharts(res, g.Clip, g.Profile) {
			if len(chart.Curves) == 0 {
				continue
			}
			err := a.plot(res.Path("plots", g.File("latency-%s", chart.Metric)), func(w io.Writer, f report.Format) error {
				return report.Latency(w, chart.Curves, report.LatencyOptions{Title: g.Title, Metric: chart.Metric, Format: f})
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}
