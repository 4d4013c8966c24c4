package main

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"github.com/vqeval/vqeval/lab"
)

// clipSizes makes sure that each clip can be sent, before any work begins, and
// says how large it is.
func clipSizes(ctx context.Context, specs []lab.Spec) (map[string]lab.ClipSize, error) {
	sizes := map[string]lab.ClipSize{}
	for _, s := range specs {
		if _, ok := sizes[s.Clip]; ok || s.Bulk.On() {
			continue
		}
		c, err := readClip(ctx, s.Clip)
		if err != nil {
			return nil, explainClip(s.Clip, err)
		}
		size := lab.ClipSize{Pixels: int64(c.Width) * int64(c.Height) * int64(len(c.Units)), Length: time.Duration(c.Duration()) * time.Second / 90000}
		for _, u := range c.Units {
			size.Bytes += int64(u.Size())
		}
		sizes[s.Clip] = size
	}
	return sizes, nil
}

// plan is what --dry-run prints.
type plan struct {
	Runs      []lab.Spec     `json:"runs"`
	Deadlines []lab.Deadline `json:"deadlines"`
	Estimate  lab.Estimate   `json:"estimate"`
}

func (a *app) printPlan(e lab.Experiment, specs []lab.Spec, sizes map[string]lab.ClipSize) error {
	p := plan{specs, e.Deadlines, e.Estimate(specs, runtime.NumCPU(), func(clip string) lab.ClipSize { return sizes[clip] })}
	if a.json {
		return printJSON(a.stdout, p)
	}
	lines := [][]string{{"run", "transport", "clip", "link", "seed"}}
	for _, s := range specs {
		lines = append(lines, []string{s.Name, s.Transport.Mode, s.Clip, s.Link.Name, fmt.Sprint(s.Seed)})
	}
	printTable(a.stdout, lines, 4)
	clock := "virtual"
	if e.Real {
		clock = "real"
	}
	fmt.Fprintf(a.stdout, "\n%d runs of %v %s time", len(specs), p.Estimate.Virtual.Round(time.Second), clock)
	if !e.Bulk.On() && !e.Score.DeliveryOnly {
		fmt.Fprintf(a.stdout, ", each scored at the deadlines %v", e.Deadlines)
	}
	fmt.Fprintf(a.stdout, "\nabout %v to send, at most %v to decode, measure and draw, on %d processors that are free\n",
		p.Estimate.Sending.Round(time.Second), p.Estimate.Scoring.Round(time.Second), runtime.NumCPU())
	return nil
}
