package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/vqeval/vqeval/lab/batch"
	"github.com/vqeval/vqeval/metrics"
	"github.com/vqeval/vqeval/report"
)

// worstScores keeps the scores per frame of the n worst captures that came by, so
// that they need not be read or made again for the plots.
type worstScores struct {
	n    int
	mu   sync.Mutex
	kept map[int]*batch.Result // by their index in the plan
}

func (w *worstScores) take(r *batch.Result) {
	if r.Err != nil || w.n == 0 {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.kept == nil {
		w.kept = map[int]*batch.Result{}
	}
	w.kept[r.Index] = r
	if len(w.kept) <= w.n {
		return
	}
	best := slices.MaxFunc(slices.Sorted(maps.Keys(w.kept)), func(a, b int) int {
		return cmp.Compare(w.kept[a].Row.Number("psnr_y_mean"), w.kept[b].Row.Number("psnr_y_mean"))
	})
	delete(w.kept, best)
}

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

// drawScores draws the worst captures of a folder and, where there are several
// deadlines, quality over the deadline. What is drawn stands on the index.
func (a *app) drawScores(ctx context.Context, f fileFlags, s scoring, o *scoreOutput, rows []batch.Row) ([]batch.Plot, error) {
	for _, pattern := range []string{"worst-*", "latency-*"} { // of another time
		old, err := filepath.Glob(o.folder.Path("plots", pattern))
		if err != nil {
			return nil, err
		}
		for _, path := range old {
			os.Remove(path)
		}
	}
	plots, err := drawLatency(o.folder, rows)
	if err != nil {
		return nil, err
	}
	for k, r := range batch.Worst(rows, f.worst) {
		if r.Failed() || r.Number("identical") == r.Number("frames") {
			continue // nothing to see
		}
		series, err := o.seriesOf(ctx, s, r)
		if err != nil {
			a.note("warning: %s is not drawn: %v", r.Item.Captured, err)
			continue
		}
		p, err := drawWorst(o.folder, k+1, r, series)
		runtime.GC() // its picture goes before the next one comes
		if err != nil {
			return nil, err
		}
		plots = append(plots, p)
	}
	return plots, nil
}

// seriesOf finds the scores per frame of a row: in memory, in the folder, or by
// scoring it again.
func (o *scoreOutput) seriesOf(ctx context.Context, s scoring, r batch.Row) (metrics.Series, error) {
	index := slices.IndexFunc(s.plan.Items, func(it batch.Item) bool { return it.Name == r.Item.Name })
	if kept := o.worst.kept[index]; kept != nil {
		return kept.Series, nil
	}
	if series, err := o.folder.Series(r.Item); err == nil {
		return series, nil
	}
	var out metrics.Series
	again := s.o
	again.Save, again.Progress = nil, nil
	again.Done = func(r *batch.Result) error {
		out = r.Series
		return r.Err
	}
	return out, batch.Score(ctx, s.plan, []int{index}, again)
}

func drawWorst(dir *batch.Folder, rank int, r batch.Row, s metrics.Series) (batch.Plot, error) {
	name := filepath.Base(r.Item.Captured)
	base := filepath.Join("plots", fmt.Sprintf("worst-%d-%s", rank, r.Item.Name))
	caption := fmt.Sprintf("%s: PSNR Y %.2f dB, SSIM Y %.4f", r.Item.Captured, r.Number("psnr_y_mean"), r.Number("ssim_y_mean"))
	o := report.FigureOptions{Title: r.Item.Name, Frame: s.Pool(metrics.Filter{})["psnr_y"].MinFrame}
	for _, o.Format = range []report.Format{report.PNG, report.SVG} {
		err := write(dir.Path(base+"."+o.Format.String()), func(w io.Writer) error {
			return report.Figure(w, []report.Curve{{Name: name, Rows: s.Rows}}, o)
		})
		if err != nil {
			return batch.Plot{}, fmt.Errorf("%s: %w", r.Item.Captured, err)
		}
	}
	return batch.Plot{Path: "./" + filepath.ToSlash(base) + ".png", Caption: caption}, nil
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
