package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/vqeval/vqeval/report"
	"github.com/vqeval/vqeval/stream/rquic"
	"github.com/vqeval/vqeval/stream/transport"
)

// Names of what an rQUIC sender records.
const (
	recordDecisions = "decisions.csv" // for each access unit
	recordTrace     = "trace.csv"     // every 100 ms
	recordPlot      = "sender"        // the same drawn
)

// prepareRecord makes the folder and refuses to replace what is there.
func (f *sendFlags) prepareRecord() error {
	if f.record == "" {
		return nil
	}
	if err := os.MkdirAll(f.record, 0o755); err != nil {
		return fmt.Errorf("--record %s: %w", f.record, bare(err))
	}
	for _, name := range []string{recordDecisions, recordTrace} {
		if _, err := os.Stat(filepath.Join(f.record, name)); err == nil && !f.force {
			return writeError(filepath.Join(f.record, name), errExists)
		}
	}
	return nil
}

// keepRecord writes what an rQUIC sender decided, and how it saw the path.
func (a *app) keepRecord(dir string, tx transport.Sender) error {
	s, ok := tx.(*rquic.Sender)
	if dir == "" || !ok {
		return nil
	}
	samples := s.Samples()
	err := errors.Join(
		write(filepath.Join(dir, recordDecisions), func(w io.Writer) error { return rquic.WriteDecisions(w, s.Decisions()) }),
		write(filepath.Join(dir, recordTrace), func(w io.Writer) error { return rquic.WriteTrace(w, samples) }))
	if err != nil || len(samples) < 2 {
		return err
	}
	panels := tracePanels([]senderTrace{{string(rquic.Mode), samples}})
	return a.plot(filepath.Join(dir, recordPlot), func(w io.Writer, f report.Format) error {
		return report.Timeline(w, panels, report.TimelineOptions{Title: "rQUIC's sender", Format: f})
	})
}
