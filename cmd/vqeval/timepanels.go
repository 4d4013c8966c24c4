package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"

	"github.com/vqeval/vqeval/lab"
	"github.com/vqeval/vqeval/report"
	"github.com/vqeval/vqeval/stream/rquic"
)

// goodputPanel is what arrived in each second, nil where nobody noted it.
func goodputPanel(res lab.Results, g lab.Group) ([]report.TimePanel, error) {
	p := report.TimePanel{Label: "goodput, Mbit/s", Steps: true}
	for _, s := range g.Series {
		r, err := res.ReadRemarks(s)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("run %s: %w", s.Run.Name, err)
		}
		t := report.Trace{Name: s.Transport}
		for i, v := range r.Goodput {
			t.T, t.V = append(t.T, time.Duration(i)*time.Second), append(t.V, v)
		}
		if len(t.T) > 0 {
			p.Traces = append(p.Traces, t)
		}
	}
	if len(p.Traces) == 0 {
		return nil, nil
	}
	return []report.TimePanel{p}, nil
}

// senderPanels show adaptive CUBIC at work: how the rQUIC senders of a group
// saw the path every 100 ms.
func senderPanels(res lab.Results, g lab.Group) ([]report.TimePanel, error) {
	var traces []senderTrace
	for _, s := range g.Series {
		samples, err := lab.SenderTrace(res, s.Run.Name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("run %s: %w", s.Run.Name, err)
		}
		if len(samples) > 0 {
			traces = append(traces, senderTrace{s.Transport, samples})
		}
	}
	return tracePanels(traces), nil
}

// senderTrace is how one rQUIC sender saw the path.
type senderTrace struct {
	name    string
	samples []rquic.Sample
}

// tracePanels returns a panel for each measure, none without traces.
func tracePanels(traces []senderTrace) []report.TimePanel {
	if len(traces) == 0 {
		return nil
	}
	var panels []report.TimePanel
	for _, k := range []struct {
		label string
		value func(rquic.Sample) float64
	}{
		{"window, packets", func(s rquic.Sample) float64 { return s.Window }},
		{"round trip, ms", func(s rquic.Sample) float64 { return float64(s.SRTT) / 1e6 }},
		{"DIFF, packets", func(s rquic.Sample) float64 { return s.Diff }},
		{"e", func(s rquic.Sample) float64 { return s.E }},
	} {
		p := report.TimePanel{Label: k.label, Steps: true}
		for _, trace := range traces {
			t := report.Trace{Name: trace.name}
			for _, x := range trace.samples {
				t.T, t.V = append(t.T, x.At), append(t.V, k.value(x))
			}
			p.Traces = append(p.Traces, t)
		}
		panels = append(panels, p)
	}
	return panels
}

// drawSenders draws plots/sender, if the group has rQUIC.
func (a *app) drawSenders(res lab.Results, g lab.Group) error {
	panels, err := senderPanels(res, g)
	if err != nil || panels == nil {
		return err
	}
	return a.plot(res.Path("plots", g.File("sender")), func(w io.Writer, f report.Format) error {
		return report.Timeline(w, panels, report.TimelineOptions{Title: "rQUIC's sender, " + g.Title, Format: f})
	})
}
