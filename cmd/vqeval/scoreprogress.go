package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/vqeval/vqeval/lab/batch"
)

// scoringProgress tells how far a batch is: by frames while there is a single
// capture, by captures else.
type scoringProgress struct {
	app   *app
	bar   *progress
	total int
	began time.Time
	told  time.Time
}

func (a *app) tellScoring(total int) *scoringProgress {
	unit, n := "captures", int64(total)
	if total == 1 {
		unit, n = "frames", 0
	}
	return &scoringProgress{app: a, bar: a.progress("scoring", n, unit), total: total, began: time.Now()}
}

func (s *scoringProgress) end() { s.app.endProgress(s.bar) }

// update is called for each frame; a person needs ten a second.
func (s *scoringProgress) update(p batch.Progress) {
	if time.Since(s.told) < 100*time.Millisecond {
		return
	}
	s.told = time.Now()
	if s.total == 1 {
		s.bar.set(int64(p.At), int64(p.Of), "")
		return
	}
	s.bar.set(int64(p.Done), int64(p.Total), s.label(p))
}

func (s *scoringProgress) label(p batch.Progress) string {
	spent := time.Since(s.began)
	parts := []string{fmt.Sprintf("%.0f frames/s", float64(p.Frames)/max(spent.Seconds(), 1e-3))}
	if p.Failed > 0 {
		parts = append(parts, fmt.Sprintf("%d failed", p.Failed))
	}
	if left := p.Total - p.Done; p.Done > 0 && left > 0 && s.bar.bar == nil { // the bar has its own
		parts = append(parts, "ETA "+(spent*time.Duration(left)/time.Duration(p.Done)).Round(time.Second).String())
	}
	const most = 2 // names
	names := p.Current
	if len(names) > most {
		names = names[:most]
	}
	return strings.Join(append(parts, names...), ", ")
}
