package main

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/vqeval/vqeval/lab"
	"github.com/vqeval/vqeval/metrics"
	"github.com/vqeval/vqeval/report"
)

const (
	embedded = 6  // frames whose pictures the page carries
	apart    = 12 // frames between two of them, so that each shows another stretch of damage
)

// gallery keeps the pictures that are to be drawn, as they come by while
// scoring: the experiment's frame of every run, and of the runs on the page
// also the worst frames. What is missing in the end is decoded again.
type gallery struct {
	frame int
	page  func(lab.Picture) bool // whether a picture's run is on the page

	mu     sync.Mutex
	matrix report.Matrix
	clips  map[string]metrics.Picture // references of the experiment's frame, by clip
	refs   map[original]metrics.Picture
	shots  map[shot]report.Panel
	worst  map[string][]metrics.Row // by run, worst first
}

// original names a picture of a clip.
type original struct {
	clip  string
	frame int
}

// shot names a picture.
type shot struct {
	run      string
	deadline lab.Deadline
	frame    int
}

func newGallery(e lab.Experiment) *gallery {
	return &gallery{
		frame: e.Frame,
		page: func(p lab.Picture) bool {
			return p.Run.Clip == e.Clips[0] && p.Deadline == e.Deadlines[0] && p.Run.Link.Name == e.FirstLink()
		},
		clips: map[string]metrics.Picture{}, refs: map[original]metrics.Picture{},
		shots: map[shot]report.Panel{}, worst: map[string][]metrics.Row{},
	}
}

// take keeps a copy of a picture if it is wanted.
func (g *gallery) take(p lab.Picture) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.matrix = matrix(p.Matrix)
	page := g.page(p)
	if p.Frame == g.frame {
		if _, ok := g.clips[p.Run.Clip]; !ok {
			g.clips[p.Run.Clip] = p.Ref.Clone()
		}
		g.keep(p, page)
	} else if page && g.among(p) {
		g.keep(p, true)
	}
}

func (g *gallery) keep(p lab.Picture, page bool) {
	g.shots[shot{p.Run.Name, p.Deadline, p.Frame}] = panel(p)
	key := original{p.Run.Clip, p.Frame}
	if _, ok := g.refs[key]; page && !ok {
		g.refs[key] = p.Ref.Clone()
	}
}

// among reports whether a picture is among the worst of its run so far, each
// from another stretch, and forgets the one that it displaces.
func (g *gallery) among(p lab.Picture) bool {
	if p.Row.Score.Identical {
		return false
	}
	list := g.worst[p.Run.Name]
	at := slices.IndexFunc(list, func(r metrics.Row) bool { return max(r.Frame-p.Frame, p.Frame-r.Frame) < apart })
	switch {
	case at < 0 && len(list) < embedded-1:
		at = len(list)
		list = append(list, p.Row)
	case at < 0:
		at = len(list) - 1
	}
	if old := list[at]; old.Frame != p.Frame {
		if old.Score.PSNR[0] <= p.Row.Score.PSNR[0] {
			return false
		}
		g.forget(p, old.Frame)
		list[at] = p.Row
	}
	slices.SortStableFunc(list, func(a, b metrics.Row) int { return cmp.Compare(a.Score.PSNR[0], b.Score.PSNR[0]) })
	g.worst[p.Run.Name] = list
	return true
}

// forget drops an earlier picture of p's run, and its reference if no other run
// needs it.
func (g *gallery) forget(p lab.Picture, frame int) {
	delete(g.shots, shot{p.Run.Name, p.Deadline, frame})
	for s := range g.shots {
		if s.frame == frame {
			return
		}
	}
	delete(g.refs, original{p.Run.Clip, frame})
}

// frames chooses the frames of the page: the experiment's, and the worst ones
// of the runs by turns; where no scoring went by, those that the scores name.
func (g *gallery) frames(group lab.Group, curves []report.Curve) []int {
	last := len(curves[0].Rows) - 1
	picked := []int{min(g.frame, last)}
	for turn := range embedded - 1 {
		for _, s := range group.Series {
			list := g.worst[s.Run.Name]
			if turn < len(list) && len(picked) < embedded && !slices.ContainsFunc(picked, func(f int) bool {
				return max(f-list[turn].Frame, list[turn].Frame-f) < apart
			}) {
				picked = append(picked, list[turn].Frame)
			}
		}
	}
	if len(picked) == 1 {
		return report.PickFrames(curves, picked[0], embedded)
	}
	slices.Sort(picked)
	return picked
}

// complete makes sure that the frames of a group are there. A picture that
// equals its reference is the reference; others are decoded again.
func (g *gallery) complete(ctx context.Context, res lab.Results, group lab.Group, frames []int) error {
	var again []lab.Scored
	var missing []int
	for _, s := range group.Series {
		lacks := false
		for _, f := range frames {
			if !g.has(s, f) {
				lacks, missing = true, append(missing, f)
			}
		}
		if lacks {
			again = append(again, s)
		}
	}
	slices.Sort(missing)
	return lab.Pictures(ctx, res, again, slices.Compact(missing), func(p lab.Picture) {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.matrix = matrix(p.Matrix)
		if p.Frame == g.frame {
			g.clips[p.Run.Clip] = p.Ref.Clone()
		}
		g.keep(p, true)
	})
}

// has reports whether a picture is there, after making it from its reference
// if the two are equal.
func (g *gallery) has(s lab.Scored, frame int) bool {
	key := shot{s.Run.Name, s.Deadline, frame}
	if _, ok := g.shots[key]; ok {
		return true
	}
	ref, ok := g.refs[original{s.Run.Clip, frame}]
	if !ok || frame >= len(s.Series.Rows) || !s.Series.Rows[frame].Score.Identical {
		return false
	}
	row := s.Series.Rows[frame]
	g.shots[key] = report.Panel{Name: s.Transport, Picture: ref, Score: row.Score, Verdict: row.Verdict}
	return true
}

// panels returns the pictures of one frame, one of each run of the group.
func (g *gallery) panels(group lab.Group, frame int) []report.Panel {
	var out []report.Panel
	for _, s := range group.Series {
		if p, ok := g.shots[shot{s.Run.Name, s.Deadline, frame}]; ok {
			out = append(out, p)
		}
	}
	return out
}

// panel is how a picture stands in the comparison.
func panel(p lab.Picture) report.Panel {
	out := report.Panel{Name: p.Run.Transport.Label(), Picture: p.Shown.Clone(), Score: p.Row.Score, Verdict: p.Row.Verdict}
	if !p.Row.Verdict.Shown() {
		out.Note = "an older picture stands in its place"
	}
	return out
}
