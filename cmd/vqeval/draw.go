package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/vqeval/vqeval/lab"
	"github.com/vqeval/vqeval/metrics"
	"github.com/vqeval/vqeval/report"
)

// gallery keeps the pictures that are to be drawn: the experiment's frame of
// the first seed of each transport, as it comes by while scoring.
type gallery struct {
	frame  int
	mu     sync.Mutex
	matrix report.Matrix
	ref    map[string]metrics.Picture // by group
	shown  map[string]report.Panel    // by run and deadline
}

func newGallery(frame int) *gallery {
	return &gallery{frame: frame, ref: map[string]metrics.Picture{}, shown: map[string]report.Panel{}}
}

func shotKey(run string, d lab.Deadline) string { return run + " " + d.String() }

// take keeps a copy of a picture.
func (g *gallery) take(p lab.Picture) {
	if p.Frame != g.frame {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if _, ok := g.ref[p.Run.Clip]; !ok {
		g.ref[p.Run.Clip] = p.Ref.Clone()
		g.matrix = matrix(p.Matrix)
	}
	g.shown[shotKey(p.Run.Name, p.Deadline)] = panel(p)
}

// panel is how a picture stands in the comparison.
func panel(p lab.Picture) report.Panel {
	out := report.Panel{Name: p.Run.Transport.Label(), Picture: p.Shown.Clone(), Score: p.Row.Score, Verdict: p.Row.Verdict}
	if !p.Row.Verdict.Shown() {
		out.Note = "an older picture stands in its place"
	}
	return out
}

// draw makes plots and the comparison of one frame, for the first seed of each
// link and deadline, and the page at path.
func (a *app) draw(ctx context.Context, res lab.Results, g *gallery, path string) error {
	for _, group := range res.Groups() {
		if err := a.drawGroup(ctx, res, group, g); err != nil {
			return err
		}
	}
	return a.drawPage(ctx, res, path)
}

func (a *app) drawGroup(ctx context.Context, res lab.Results, group lab.Group, g *gallery) error {
	if err := drawPlots(res, group, curves(group), res.Manifest.Experiment.Frame); err != nil {
		return err
	}
	panels, ref, err := g.collect(ctx, res, group)
	if err != nil || panels == nil {
		return err
	}
	return write(res.Path(group.File("frame-%04d.png", g.frame)), func(w io.Writer) error {
		return report.Compare(w, ref, panels, report.CompareOptions{Frame: g.frame, Matrix: g.matrix, Title: fmt.Sprintf("Frame %d, %s", g.frame, group.Title)})
	})
}

// drawPlots draws the three-panel figure and each metric alone, as PNG and SVG.
func drawPlots(res lab.Results, group lab.Group, curves []report.Curve, frame int) error {
	for _, p := range []struct {
		name    string
		metrics []report.Metric
	}{
		{"figure", nil}, {"ssim", []report.Metric{report.SSIM}}, {"mse", []report.Metric{report.MSE}}, {"psnr", []report.Metric{report.PSNR}},
	} {
		for _, f := range []report.Format{report.PNG, report.SVG} {
			path := res.Path("plots", group.File("%s.%s", p.name, f))
			err := write(path, func(w io.Writer) error {
				return report.Figure(w, curves, report.FigureOptions{Title: group.Title, Frame: frame, Metrics: p.metrics, Format: f})
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// collect returns the panels of a group; pictures that did not come by while
// scoring, since the scores were there already, are decoded again.
func (g *gallery) collect(ctx context.Context, res lab.Results, group lab.Group) ([]report.Panel, metrics.Picture, error) {
	if len(group.Series) == 0 || g.frame >= len(group.Series[0].Series.Rows) {
		return nil, metrics.Picture{}, nil
	}
	var again []lab.Scored
	for _, s := range group.Series {
		if _, ok := g.shown[shotKey(s.Run.Name, group.Deadline)]; !ok {
			again = append(again, s)
		}
	}
	if err := lab.Pictures(ctx, res, again, []int{g.frame}, g.take); err != nil {
		return nil, metrics.Picture{}, fmt.Errorf("frame %d: %w", g.frame, err)
	}
	var panels []report.Panel
	for _, s := range group.Series {
		panels = append(panels, g.shown[shotKey(s.Run.Name, group.Deadline)])
	}
	return slices.Clip(panels), g.ref[group.Clip], nil
}

// write makes a file through a temporary name.
func write(path string, f func(io.Writer) error) error {
	var b bytes.Buffer
	if err := f(&b); err != nil {
		return err
	}
	return lab.WriteFile(path, b.Bytes())
}
