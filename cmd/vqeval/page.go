package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/vqeval/vqeval/lab"
	"github.com/vqeval/vqeval/metrics"
	"github.com/vqeval/vqeval/report"
)

// drawPage makes the HTML page: the summary of everything, and the curves and
// pictures of the first group.
func (a *app) drawPage(ctx context.Context, res lab.Results, pictures *gallery, path string) error {
	groups := res.Groups()
	if len(groups) == 0 {
		return nil
	}
	g := groups[0]
	e := res.Manifest.Experiment
	p := report.Page{
		Title: pageTitle(e), Subtitle: g.Title + fmt.Sprintf(", seed %d of %d", g.Seed, len(e.Seeds)), Frame: e.Frame,
		Summary: pageCells(res), Tables: pageTables(res), Notes: pageNotes(res, groups),
		Curves: curves(g), Latency: latencyCharts(res, g.Clip, g.Profile), Settings: pageSettings(res.Manifest),
	}
	var err error
	if p.Frames, err = pictures.pageFrames(ctx, res, g, pictures.frames(g, p.Curves)); err != nil {
		return err
	}
	if p.Packets, p.Timelines, err = pageTimelines(res, g); err != nil {
		return err
	}
	if p.Sweeps, err = pageSweeps(res, g.Clip); err != nil {
		return err
	}
	if p.Files, err = pageFiles(res, g); err != nil {
		return err
	}
	return write(path, func(w io.Writer) error { return report.HTML(w, p) })
}

func pageTitle(e lab.Experiment) string {
	var names []string
	for _, t := range e.Transports {
		names = append(names, strings.ToUpper(t.Label()))
	}
	title := strings.Join(names, ", ")
	if e.About != "" {
		return e.About
	}
	return title + ": what the viewer got"
}

func curves(g lab.Group) []report.Curve {
	var out []report.Curve
	for _, s := range g.Series {
		out = append(out, report.Curve{Name: s.Transport, Rows: s.Series.Rows})
	}
	return out
}

func pageCells(res lab.Results) []report.Cell {
	severalLinks := slices.ContainsFunc(res.Cells, func(c lab.Cell) bool { return c.Profile != res.Cells[0].Profile })
	var out []report.Cell
	for _, c := range res.Cells {
		iv := func(name string) report.Interval {
			v := c.Values[name]
			return report.Interval{Mean: v.Mean, Low: v.Low, High: v.High}
		}
		duration := func(name string) time.Duration {
			return time.Duration(c.Values[name].Mean * float64(time.Millisecond))
		}
		cell := report.Cell{
			Transport: c.Transport, Deadline: time.Duration(c.Deadline), Seeds: c.Seeds, Counts: map[string]int{},
			SSIM: iv("ssim_y_mean"), PSNR: iv("psnr_y_mean"), MSE: iv("mse_y_mean"),
			DelayP50: duration("delay_ms_p50"), DelayP95: duration("delay_ms_p95"), GoodputMbps: c.Values["goodput_mbps"].Mean,
			PacketsSent: int64(c.Values["packets_sent"].Mean + .5), PacketsLost: int64(c.Values["packets_lost"].Mean + .5),
		}
		if severalLinks {
			cell.Profile = c.Profile
		}
		for _, v := range metrics.Verdicts() {
			cell.Counts[v] = int(c.Values[v].Mean*float64(c.Values[v].N) + .5)
		}
		out = append(out, cell)
	}
	return out
}

func pageNotes(res lab.Results, groups []lab.Group) []string {
	var notes []string
	if !res.Manifest.Experiment.Real {
		notes = append(notes, "Measured in virtual time: the protocol stacks are real, the link is a model in memory, and hosts are ideal (their CPU takes no time). vqeval run --real is the cross-check.")
	}
	if len(groups) > 1 {
		notes = append(notes, fmt.Sprintf("Curves and pictures show %s; the folder plots holds the other %d figures.", groups[0].Title, len(groups)-1))
	}
	for _, f := range res.Failures {
		notes = append(notes, "Run "+f.Run+" failed: "+f.Err)
	}
	return notes
}

func pageSettings(m lab.Manifest) []report.Field {
	out := []report.Field{{Name: "vqeval", Value: m.Version}, {Name: "Go", Value: m.Go + ", " + m.Platform},
		{Name: "made", Value: m.Created.Format(time.RFC3339)}, {Name: "SSIM dialect", Value: m.Experiment.Score.SSIM.String()},
		{Name: "PSNR ceiling", Value: "100 dB"}, {Name: "broken NAL units", Value: m.Experiment.Score.BrokenNAL.String()}}
	for _, c := range m.Clips {
		out = append(out, report.Field{Name: "clip " + c.Name, Value: "sha256 " + c.SHA256})
	}
	seen := map[string]bool{}
	for _, r := range m.Runs {
		if !seen[r.Link.Name] {
			seen[r.Link.Name] = true
			out = append(out, report.Field{Name: "link " + r.Link.Name, Value: "down " + r.Link.Down.String() + "; up " + r.Link.Up.String()})
		}
	}
	out = append(out, report.Field{Name: "seeds", Value: fmt.Sprint(m.Experiment.Seeds)})
	for _, name := range slices.Sorted(mapKeys(m.Libraries)) {
		out = append(out, report.Field{Name: name, Value: m.Libraries[name]})
	}
	return append(out, report.Field{Name: "command", Value: strings.Join(m.Command, " ")})
}

// pageFiles are the data that the reader may save from the page.
func pageFiles(res lab.Results, g lab.Group) ([]report.File, error) {
	var out []report.File
	for _, name := range []string{"manifest.json", "summary.csv"} {
		b, err := os.ReadFile(res.Path(name))
		if err != nil {
			return nil, err
		}
		out = append(out, report.File{Name: name, Data: b})
	}
	for _, s := range g.Series {
		var b bytes.Buffer
		if err := metrics.WriteCSV(&b, s.Series); err != nil {
			return nil, err
		}
		out = append(out, report.File{Name: filepath.Base(res.ScoreFile(s)), Type: "text/csv", Data: b.Bytes()})
	}
	return out, nil
}
