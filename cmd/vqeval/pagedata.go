package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"slices"
	"time"

	"github.com/vqeval/vqeval/lab"
	"github.com/vqeval/vqeval/report"
)

func mapKeys(m map[string]string) iter.Seq[string] { return maps.Keys(m) }

// pageFrames makes the frames to embed, of all transports of the group.
func (g *gallery) pageFrames(ctx context.Context, res lab.Results, group lab.Group, frames []int) ([]report.FrameView, error) {
	if err := g.complete(ctx, res, group, frames); err != nil {
		return nil, err
	}
	frames = slices.DeleteFunc(slices.Clone(frames), func(f int) bool { _, ok := g.refs[original{group.Clip, f}]; return !ok })
	out := make([]report.FrameView, len(frames))
	s := newStudio()
	for i, f := range frames {
		ref, panels := g.refs[original{group.Clip, f}], g.panels(group, f)
		s.do(func() (err error) {
			out[i], err = report.NewFrameView(f, ref, panels, report.ViewOptions{Matrix: g.matrix})
			return err
		})
	}
	return out, s.wait()
}

func matrix(name string) report.Matrix {
	switch name {
	case "bt601":
		return report.BT601
	case "bt709":
		return report.BT709
	case "bt2020":
		return report.BT2020
	}
	return report.MatrixAuto
}

// step is the resolution of the link's queue over time.
const step = 50 * time.Millisecond

// pageTimelines are the packets by fate and the link's queue over time.
func pageTimelines(res lab.Results, g lab.Group) ([]report.Lane, []report.TimePanel, error) {
	var lanes []report.Lane
	queue := report.TimePanel{Label: "link queue, KiB", Steps: true}
	for _, s := range g.Series {
		events, err := lab.LinkEvents(res, s.Run.Name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, nil, fmt.Errorf("run %s: %w", s.Run.Name, err)
		}
		lanes = append(lanes, lane(s.Transport, events))
		queue.Traces = append(queue.Traces, queueTrace(s.Transport, events))
	}
	goodput, err := goodputPanel(res, g)
	if err != nil {
		return nil, nil, err
	}
	senders, err := senderPanels(res, g)
	if err != nil {
		return nil, nil, err
	}
	panels := slices.Concat(goodput, senders)
	if len(lanes) > 0 {
		panels = append([]report.TimePanel{queue}, panels...)
	}
	return lanes, panels, nil
}

func lane(name string, events []lab.LinkEvent) report.Lane {
	out := report.Lane{Name: name}
	for _, e := range events {
		if e.Up {
			continue
		}
		p := report.PacketEvent{At: e.At}
		switch e.Verdict {
		case "dropped-queue":
			p.Place = "link queue"
		case "lost-random":
			p.Place = "random loss"
		case "too-big":
			p.Place = "larger than the MTU"
		}
		out.Events = append(out.Events, p)
	}
	return out
}

// queueTrace keeps the largest queue of each step.
func queueTrace(name string, events []lab.LinkEvent) report.Trace {
	t := report.Trace{Name: name}
	for _, e := range events {
		if e.Up {
			continue
		}
		at := e.At / step * step
		kib := float64(e.Queue) / 1024
		if n := len(t.T); n > 0 && t.T[n-1] == at {
			t.V[n-1] = max(t.V[n-1], kib)
			continue
		}
		t.T, t.V = append(t.T, at), append(t.V, kib)
	}
	return t
}
