package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/vqeval/vqeval/lab"
	"github.com/vqeval/vqeval/report"
)

// draw makes plots and the comparison of one frame, for the first seed of each
// link and deadline, and the page at path. It shows progress and keeps the time.
func (a *app) draw(ctx context.Context, res lab.Results, g *gallery, path string) error {
	began := time.Now()
	defer func() { a.drawing = time.Since(began) }()
	groups := res.Groups()
	total := int64(len(groups) + 1)
	bar := a.progress("drawing", total, "figures")
	defer a.endProgress(bar)
	s := newStudio()
	var err error
	for i, group := range groups {
		bar.set(int64(i), total, group.Title)
		if err = ctx.Err(); err == nil {
			err = a.drawGroup(ctx, res, group, g, s)
		}
		if err != nil {
			break
		}
	}
	bar.set(total-1, total, path)
	if err = errors.Join(err, s.wait()); err != nil {
		return err
	}
	if err := a.drawLatencies(res); err != nil {
		return err
	}
	if err := a.drawSweeps(res); err != nil {
		return err
	}
	return a.drawPage(ctx, res, g, path)
}

func (a *app) drawGroup(ctx context.Context, res lab.Results, group lab.Group, g *gallery, s *studio) error {
	s.do(func() error { return a.drawPlots(res, group, curves(group), res.Manifest.Experiment.Frame) })
	if group.Deadline == res.Manifest.Experiment.Deadlines[0] { // senders know nothing of deadlines
		s.do(func() error { return a.drawSenders(res, group) })
	}
	if len(group.Series) == 0 || g.frame >= len(group.Series[0].Series.Rows) {
		return nil
	}
	if err := g.complete(ctx, res, group, []int{g.frame}); err != nil {
		return fmt.Errorf("frame %d: %w", g.frame, err)
	}
	ref, panels, matrix := g.clips[group.Clip], g.panels(group, g.frame), g.matrix
	s.do(func() error {
		return write(res.Path(group.File("frame-%04d.png", g.frame)), func(w io.Writer) error {
			return report.Compare(w, ref, panels, report.CompareOptions{Frame: g.frame, Matrix: matrix, Title: fmt.Sprintf("Frame %d, %s", g.frame, group.Title)})
		})
	})
	return nil
}

// drawPlots draws the three-panel figure and each metric alone.
func (a *app) drawPlots(res lab.Results, group lab.Group, curves []report.Curve, frame int) error {
	for _, p := range []struct {
		name    string
		metrics []report.Metric
	}{
		{"figure", nil}, {"ssim", []report.Metric{report.SSIM}}, {"mse", []report.Metric{report.MSE}}, {"psnr", []report.Metric{report.PSNR}},
	} {
		err := a.plot(res.Path("plots", group.File("%s", p.name)), func(w io.Writer, f report.Format) error {
			return report.Figure(w, curves, report.FigureOptions{Title: group.Title, Frame: frame, Metrics: p.metrics, Format: f})
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// plot writes a plot as PNG and SVG, with --pdf as PDF too. path has no ending.
func (a *app) plot(path string, draw func(io.Writer, report.Format) error) error {
	formats := []report.Format{report.PNG, report.SVG}
	if a.pdf {
		formats = append(formats, report.PDF)
	}
	for _, f := range formats {
		if err := write(path+"."+f.String(), func(w io.Writer) error { return draw(w, f) }); err != nil {
			return err
		}
	}
	return nil
}

// write makes a file through a temporary name.
func write(path string, f func(io.Writer) error) error {
	var b bytes.Buffer
	if err := f(&b); err != nil {
		return err
	}
	return lab.WriteFile(path, b.Bytes())
}
