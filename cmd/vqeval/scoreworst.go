package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

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

// plotBase is the path of a plot without its ending, in the folder.
func plotBase(rank int, name string) string {
	return filepath.Join("plots", fmt.Sprintf("worst-%d-%s", rank, name))
}

// dropPlots removes the plots of captures that are to be scored now: what is there
// from then on shows what the folder says.
func dropPlots(dir *batch.Folder, p batch.Plan) error {
	old, err := filepath.Glob(dir.Path("plots", "worst-*"))
	if err != nil || len(old) == 0 {
		return err
	}
	stale := map[string]bool{}
	for _, i := range dir.Todo() {
		stale[p.Items[i].Name] = true
	}
	for _, path := range old {
		base := filepath.Base(path)
		parts := strings.SplitN(strings.TrimSuffix(base, filepath.Ext(base)), "-", 3)
		if len(parts) == 3 && stale[parts[2]] {
			os.Remove(path)
		}
	}
	return nil
}

// removePlots removes the plots of another time, but for those in kept.
func removePlots(dir *batch.Folder, kept []batch.Plot) error {
	for _, pattern := range []string{"worst-*", "latency-*"} {
		old, err := filepath.Glob(dir.Path("plots", pattern))
		if err != nil {
			return err
		}
		for _, path := range old {
			picture := "./plots/" + strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)) + ".png"
			if !slices.ContainsFunc(kept, func(p batch.Plot) bool { return p.Path == picture }) {
				os.Remove(path)
			}
		}
	}
	return nil
}

// drawScores draws the worst captures of a folder and, where there are several
// deadlines, quality over the deadline. What is drawn stands on the index.
func (a *app) drawScores(ctx context.Context, f fileFlags, s scoring, o *scoreOutput, rows []batch.Row) ([]batch.Plot, error) {
	plots, err := drawLatency(o.folder, rows)
	if err != nil {
		return nil, err
	}
	for k, r := range batch.Worst(rows, f.worst) {
		if r.Failed() || r.Number("identical") == r.Number("frames") {
			continue // nothing to see
		}
		p := batch.Plot{
			Path:    "./" + filepath.ToSlash(plotBase(k+1, r.Item.Name)) + ".png",
			Caption: fmt.Sprintf("%s: PSNR Y %.2f dB, SSIM Y %.4f", r.Item.Captured, r.Number("psnr_y_mean"), r.Number("ssim_y_mean")),
		}
		if _, err := os.Stat(o.folder.Path(p.Path)); err == nil {
			plots = append(plots, p)
			continue
		}
		series, err := o.seriesOf(ctx, s, r)
		if err != nil {
			if ctx.Err() != nil {
				continue // no time to score it again
			}
			a.note("warning: %s is not drawn: %v", printable(r.Item.Captured), err)
			continue
		}
		err = drawWorst(o.folder, k+1, r, series)
		runtime.GC() // its picture goes before the next one comes
		if err != nil {
			return nil, err
		}
		plots = append(plots, p)
	}
	return plots, removePlots(o.folder, plots)
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

func drawWorst(dir *batch.Folder, rank int, r batch.Row, s metrics.Series) error {
	name := filepath.Base(r.Item.Captured)
	o := report.FigureOptions{Title: r.Item.Name, Frame: s.Pool(metrics.Filter{})["psnr_y"].MinFrame}
	for _, o.Format = range []report.Format{report.SVG, report.PNG} {
		err := write(dir.Path(plotBase(rank, r.Item.Name)+"."+o.Format.String()), func(w io.Writer) error {
			return report.Figure(w, []report.Curve{{Name: name, Rows: s.Rows}}, o)
		})
		if err != nil {
			return fmt.Errorf("%s: %w", r.Item.Captured, err)
		}
	}
	return nil
}
