package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"time"

	"github.com/vqeval/vqeval/lab/batch"
	"github.com/vqeval/vqeval/metrics"
	"github.com/vqeval/vqeval/report"
)

// writePage writes the page of one capture.
func writePage(path string, r *batch.Result) error {
	name := filepath.Base(r.Item.Captured)
	var scores bytes.Buffer
	if err := metrics.WriteCSV(&scores, r.Series); err != nil {
		return err
	}
	pooled := r.Series.Pool(metrics.Filter{})
	mean := func(metric string) report.Interval { return report.Interval{Mean: pooled[metric].Mean} }
	page := report.Page{
		Title:    name,
		Subtitle: fmt.Sprintf("%s against %s", r.Item.Captured, r.Item.Reference),
		Frame:    pooled["psnr_y"].MinFrame,
		Notes:    r.Series.Notes,
		Summary: []report.Cell{{Transport: name, Deadline: r.Item.Deadline, Seeds: 1, Counts: r.Series.Counts(),
			SSIM: mean("ssim_y"), PSNR: mean("psnr_y"), MSE: mean("mse_y")}},
		Files: []report.File{{Name: r.Item.Name + ".csv", Type: "text/csv", Data: scores.Bytes()}},
	}
	if len(r.Series.Rows) > 0 {
		page.Curves = []report.Curve{{Name: name, Rows: r.Series.Rows}}
	}
	for _, k := range slices.Sorted(maps.Keys(r.Series.Settings)) {
		if v := r.Series.Settings[k]; v != "" {
			page.Settings = append(page.Settings, report.Field{Name: k, Value: v})
		}
	}
	return write(path, func(w io.Writer) error { return report.HTML(w, page) })
}

// mostCurves bounds how many captures share a plot of quality over the deadline.
const mostCurves = 8

// drawLatency draws quality over the playout deadline, if there are several.
func drawLatency(dir *batch.Folder, rows []batch.Row) ([]batch.Plot, error) {
	var plots []batch.Plot
	for _, m := range []struct {
		metric report.Metric
		column string
	}{{report.SSIM, "ssim_y_mean"}, {report.PSNR, "psnr_y_mean"}} {
		curves := latencyCurves(rows, m.column)
		if len(curves) == 0 || len(curves) > mostCurves {
			continue
		}
		base := "plots/latency-" + m.metric.String()
		for _, format := range []report.Format{report.PNG, report.SVG} {
			err := write(dir.Path(base+"."+format.String()), func(w io.Writer) error {
				return report.Latency(w, curves, report.LatencyOptions{Title: "Quality over the playout delay", Metric: m.metric, Format: format})
			})
			if err != nil {
				return nil, err
			}
		}
		plots = append(plots, batch.Plot{Path: "./" + base + ".png", Caption: "quality over the playout delay, " + m.metric.String()})
	}
	return plots, nil
}

// latencyCurves makes a curve of each capture that was scored at several deadlines.
func latencyCurves(rows []batch.Row, column string) (curves []report.LatencyCurve) {
	var order []string
	points := map[string][]report.LatencyPoint{}
	for _, r := range rows {
		if r.Failed() {
			continue
		}
		if points[r.Item.Captured] == nil {
			order = append(order, r.Item.Captured)
		}
		points[r.Item.Captured] = append(points[r.Item.Captured], report.LatencyPoint{Deadline: r.Item.Deadline, Mean: r.Number(column)})
	}
	for _, path := range order {
		if len(points[path]) > 1 {
			curves = append(curves, report.LatencyCurve{Name: curveName(path), Points: sorted(points[path])})
		}
	}
	return curves
}

// curveName is a recording's name without what all recordings are called.
func curveName(path string) string {
	base := filepath.Base(path)
	if name := base[:len(base)-len(filepath.Ext(base))]; name != "capture" {
		return name
	}
	return filepath.Base(filepath.Dir(path))
}

// sorted orders points by their deadline, none being the longest.
func sorted(p []report.LatencyPoint) []report.LatencyPoint {
	length := func(p report.LatencyPoint) time.Duration {
		if p.Deadline == 0 {
			return math.MaxInt64
		}
		return p.Deadline
	}
	slices.SortStableFunc(p, func(a, b report.LatencyPoint) int { return cmp.Compare(length(a), length(b)) })
	return p
}
