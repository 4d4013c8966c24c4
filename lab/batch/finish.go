package batch

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/vqeval/vqeval/lab/folder"
	"github.com/vqeval/vqeval/metrics"
)

// Finish writes the summaries anew, whole and in the plan's order, and the index
// with the plots at its head.
func (f *Folder) Finish(plots []Plot) error {
	rows := f.present()
	if err := f.writeSummary(rows); err != nil {
		return err
	}
	labels := f.plan.Labels
	for _, s := range []struct {
		name  string
		write func(io.Writer) error
	}{
		{"summary.json", func(w io.Writer) error { return WriteJSON(w, f.made, labels, rows) }},
		{"summary.parquet", func(w io.Writer) error { return WriteParquet(w, labels, rows) }},
		{"index.html", func(w io.Writer) error {
			return WriteIndex(w, Index{Title: "Scores of " + filepath.Base(absolute(f.dir)), Made: f.made, Labels: labels, Rows: rows, Plots: plots, Link: f.link})
		}},
	} {
		var b bytes.Buffer
		if err := s.write(&b); err != nil {
			return err
		}
		if err := folder.WriteFile(f.Path(s.name), b.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// PagePath returns the path of an item's own page, whether it is there or not.
func (f *Folder) PagePath(it Item) string { return f.Path(pagesDir, it.Name+".html") }

// link finds what the index links a row with: its page, or its scores.
func (f *Folder) link(r Row) string {
	if r.Failed() {
		return ""
	}
	paths := []string{f.PagePath(r.Item)}
	for _, part := range f.parts {
		paths = append(paths, f.scorePath(r.Item, part))
	}
	for _, p := range paths {
		if _, err := os.Stat(p); err == nil {
			if rel, err := filepath.Rel(f.dir, p); err == nil {
				return "./" + filepath.ToSlash(rel)
			}
		}
	}
	return ""
}

// Series reads the scores per frame that are kept of an item. It returns an error
// if there are none.
func (f *Folder) Series(it Item) (metrics.Series, error) {
	for _, format := range []Format{CSV, JSON, Parquet} {
		file, err := os.Open(f.scorePath(it, format.Parts()[0]))
		if err != nil {
			continue
		}
		defer file.Close()
		return metrics.Read(file)
	}
	return metrics.Series{}, fs.ErrNotExist
}

func (f *Folder) writeSummary(rows []Row) error {
	var b bytes.Buffer
	if err := WriteCSV(&b, f.plan.Labels, rows); err != nil {
		return err
	}
	return folder.WriteFile(f.Path(summaryFile), b.Bytes())
}
