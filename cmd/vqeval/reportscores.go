package main

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/vqeval/vqeval/metrics"
	"github.com/vqeval/vqeval/report"
)

// areFiles reports whether the arguments of report are files of scores. A folder
// stands alone.
func areFiles(args []string) (bool, error) {
	for _, path := range args {
		st, err := os.Stat(path)
		switch {
		case len(args) == 1:
			return err == nil && !st.IsDir(), nil // lab has better words for a folder that is none
		case err != nil:
			return false, readableFile(path)
		case st.IsDir():
			return false, usagef("%s is a folder: report wants one result folder, or files of scores", path)
		}
	}
	return true, nil
}

// reportScores draws a page of files of scores, whichever program made them.
func (a *app) reportScores(paths []string, frame int, out string, given bool) error {
	if out == "" {
		out = "report.html"
	}
	page := report.Page{Title: "Scores", Subtitle: fmt.Sprintf("%d files of scores", len(paths))}
	if len(paths) == 1 {
		page.Title, page.Subtitle = curveName(paths[0]), paths[0]
	}
	in := inputs{}
	for i, path := range paths {
		s, err := readScores(path)
		if err != nil {
			return err
		}
		if len(s.Rows) == 0 {
			return fmt.Errorf("%s: there is no frame in it", path)
		}
		if st, err := os.Stat(path); err == nil {
			in = append(in, st)
		}
		if err := addScores(&page, path, distinctName(page.Curves, path), s); err != nil {
			return err
		}
		if i == 0 && !given {
			frame = s.Pool(metrics.Filter{})["psnr_y"].MinFrame
		}
	}
	if err := in.check("--out", out); err != nil {
		return err
	}
	if last := page.Curves[0].Rows; given && (frame < 0 || frame > last[len(last)-1].Frame) {
		return usagef("--frame %d: the scores have frames 0..%d", frame, last[len(last)-1].Frame)
	}
	page.Frame = frame
	if err := write(out, func(w io.Writer) error { return report.HTML(w, page) }); err != nil {
		return err
	}
	if a.json {
		return printJSON(a.stdout, []string{out})
	}
	_, err := fmt.Fprintln(a.stdout, out)
	return err
}

// distinctName is what a curve is called: the file's name, with its ending or its
// folder where another has the same.
func distinctName(curves []report.Curve, path string) string {
	taken := func(name string) bool {
		return slices.ContainsFunc(curves, func(c report.Curve) bool { return c.Name == name })
	}
	for _, name := range []string{curveName(path), filepath.Base(path), path} {
		if !taken(name) {
			return name
		}
	}
	return fmt.Sprintf("%s (%d)", path, len(curves)+1)
}

// addScores adds the curve of one file, its means, and what is known of its making.
func addScores(page *report.Page, path, name string, s metrics.Series) error {
	var text bytes.Buffer
	if err := metrics.WriteCSV(&text, s); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	pooled := s.Pool(metrics.Filter{})
	mean := func(metric string) report.Interval {
		if p, ok := pooled[metric]; ok {
			return report.Interval{Mean: p.Mean}
		}
		return report.Interval{Mean: math.NaN()}
	}
	blank(s.Rows, pooled)
	if foreign(s) {
		judgeRows(s.Rows)
		page.Notes = append(page.Notes, name+" has no verdicts: frames of the best score there is are drawn as ok, all others as damaged")
	}
	page.Curves = append(page.Curves, report.Curve{Name: name, Rows: s.Rows})
	page.Summary = append(page.Summary, report.Cell{Transport: name, Seeds: 1, Counts: s.Counts(),
		SSIM: mean("ssim_y"), PSNR: mean("psnr_y"), MSE: mean("mse_y")})
	page.Files = append(page.Files, report.File{Name: fmt.Sprintf("%d-%s.csv", len(page.Curves), curveName(path)), Type: "text/csv", Data: text.Bytes()})
	for _, n := range s.Notes {
		page.Notes = append(page.Notes, name+": "+n)
	}
	if s.Tool != "" {
		page.Settings = append(page.Settings, report.Field{Name: name + ": made by", Value: s.Tool + " " + s.Version})
	}
	for _, k := range slices.Sorted(maps.Keys(s.Settings)) {
		if v := s.Settings[k]; v != "" {
			page.Settings = append(page.Settings, report.Field{Name: name + ": " + k, Value: v})
		}
	}
	return nil
}

// blank takes away the values of luma that were not measured, so that they are
// drawn as gaps.
func blank(rows []metrics.Row, measured metrics.Pooled) {
	for i := range rows {
		s := &rows[i].Score
		for name, v := range map[string]*float64{"psnr_y": &s.PSNR[0], "ssim_y": &s.SSIM[0], "mse_y": &s.MSE[0]} {
			if _, ok := measured[name]; !ok {
				*v = math.NaN()
			}
		}
	}
}

// judgeRows gives rows verdicts by their scores.
func judgeRows(rows []metrics.Row) {
	for i := range rows {
		r := &rows[i]
		r.Verdict = metrics.Damaged
		if s := r.Score; s.MSE[0] == 0 || s.PSNR[0] >= metrics.MaxPSNR || s.SSIM[0] == 1 {
			r.Verdict = metrics.OK
		}
	}
}
