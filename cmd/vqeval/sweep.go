package main

import (
	"io"
	"slices"

	"github.com/vqeval/vqeval/lab"
	"github.com/vqeval/vqeval/report"
)

// sweepChart is the cells of a group over what its links vary.
func sweepChart(cells []lab.Cell, g lab.SweepGroup) report.SweepChart {
	c := report.SweepChart{Title: g.Title, Axis: sweepAxisLabel(g.Line.Key)}
	for _, q := range []struct {
		name  string
		panel report.SweepPanel
		skip  bool
	}{
		{"ssim_y_mean", report.SweepPanel{Label: "SSIM", Top: 1}, false},
		{"psnr_y_mean", report.SweepPanel{Label: "PSNR, dB", Top: 100}, false},
		{"on_time", report.SweepPanel{Label: "Frames on time", Zero: true, Top: 1}, g.Deadline == 0},
		{"delay_ms_p50", report.SweepPanel{Label: "Median delay, ms", Zero: true}, g.Deadline != 0},
		{"goodput_mbps", report.SweepPanel{Label: "Goodput, Mbit/s", Zero: true}, false},
	} {
		q.panel.Curves = sweepCurves(cells, g, q.name)
		if !q.skip && len(q.panel.Curves) > 0 {
			c.Panels = append(c.Panels, q.panel)
		}
	}
	return c
}

// sweepCurves takes one measure of a group from the cells.
func sweepCurves(cells []lab.Cell, g lab.SweepGroup, name string) []report.SweepCurve {
	var out []report.SweepCurve
	for _, c := range cells {
		i, v := slices.Index(g.Line.Links, c.Profile), c.Values[name]
		if i < 0 || c.Clip != g.Clip || c.Deadline != g.Deadline || v.N == 0 {
			continue
		}
		at := slices.IndexFunc(out, func(k report.SweepCurve) bool { return k.Name == c.Transport })
		if at < 0 {
			at = len(out)
			out = append(out, report.SweepCurve{Name: c.Transport})
		}
		out[at].Points = append(out[at].Points, report.SweepPoint{At: g.Line.Values[i], Mean: v.Mean, Low: v.Low, High: v.High})
	}
	return out
}

func sweepAxisLabel(key string) string {
	switch key {
	case "rate":
		return "Rate of the link, Mbit/s"
	case "delay":
		return "One-way delay, ms"
	case "loss":
		return "Random loss, %"
	}
	return "Queue, KiB"
}

// drawSweeps draws plots/sweep of each group.
func (a *app) drawSweeps(res lab.Results) error {
	groups, err := res.SweepGroups()
	if err != nil {
		return err
	}
	for _, g := range groups {
		c := sweepChart(res.Cells, g)
		if len(c.Panels) == 0 {
			continue
		}
		err := a.plot(res.Path("plots", g.File("sweep")), func(w io.Writer, f report.Format) error {
			return report.SweepPlot(w, c, f)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// pageSweeps are the charts of the page: all that belong to its clip.
func pageSweeps(res lab.Results, clip string) ([]report.SweepChart, error) {
	groups, err := res.SweepGroups()
	if err != nil {
		return nil, err
	}
	var out []report.SweepChart
	for _, g := range groups {
		if c := sweepChart(res.Cells, g); g.Clip == clip && len(c.Panels) > 0 {
			out = append(out, c)
		}
	}
	return out, nil
}
