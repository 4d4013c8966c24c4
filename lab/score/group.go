package score

import (
	"context"
	"fmt"
	"runtime"
	"slices"

	"github.com/vqeval/vqeval/decode"
	"github.com/vqeval/vqeval/decode/align"
	"github.com/vqeval/vqeval/metrics"
)

// A group is one reference with the captures that are compared with it.
type group struct {
	ref      *source
	opts     Options
	captures []*captured
	clip     align.Clip // the reference's frames, known after the first pass
	refNotes []string
	coded    *codebook           // the reference's coded pictures, once they are needed
	loaded   map[string]*loading // recordings by path
}

// A captured is one capture at work.
type captured struct {
	Capture
	source
	index    int
	rec      *recorded // of a recording
	lumaOnly bool
	twins    []int64 // per access unit: time of the reference's with the same bytes, or noTime; nil = not looked for
	unitTime []int64 // of a file: times of its access units as read for twins

	// Of the last pass.
	pairs  []int // given to it; nil = by time
	used   []int // that it made
	clip   align.Clip
	unitOf []int // access unit of each frame
	rows   []metrics.Row
	result align.Result
	done   bool
	err    error
}

func (g *group) workers() int {
	if g.opts.Workers > 0 {
		return g.opts.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// interval is the reference's frame interval in 90 kHz ticks, as far as it is
// declared.
func (g *group) interval() int64 {
	r := g.ref.info.FrameRate
	if !r.Known() {
		return 90000 / 25
	}
	return max(1, 90000*int64(r.Den)/int64(r.Num))
}

func (g *group) close() {
	g.ref.discard()
	for _, c := range g.captures {
		c.discard()
	}
}

// together is how many captures are decoded side by side, with one decoding of the
// reference. It bounds memory, at about 12 frames a capture.
const together = 8

// run scores all captures, some at a time.
func (g *group) run(ctx context.Context) error {
	for some := range slices.Chunk(g.captures, together) {
		if err := g.openCaptures(ctx, some); err != nil {
			return err
		}
		if err := g.runSome(ctx, some); err != nil {
			return err
		}
		g.loaded = map[string]*loading{}
	}
	return nil
}

// runSome makes passes until each of the captures is done.
func (g *group) runSome(ctx context.Context, captures []*captured) error {
	for {
		var todo []*captured
		for _, c := range captures {
			if !c.done && c.err == nil {
				todo = append(todo, c)
			}
		}
		if len(todo) == 0 {
			return nil
		}
		p, err := g.newPass(todo)
		if err != nil {
			return err
		}
		if err := p.run(ctx); err != nil {
			return err
		}
		if p.ref.unsteady {
			g.ref.damaged = true
			continue
		}
		g.learn(p)
		for _, l := range p.lanes {
			if err := g.settle(ctx, l, p.short()); err != nil {
				return err
			}
		}
	}
}

// learn keeps what the pass found out about the reference.
func (g *group) learn(p *pass) {
	if p.ref.stopped {
		return // only captures that have to be decoded again are left
	}
	if g.clip.Sigs == nil {
		g.clip = p.ref.clip()
	}
	g.refNotes = nil
	for _, w := range p.ref.decoder.Notes() {
		g.refNotes = append(g.refNotes, "reference: "+shortfall(w))
	}
}

// settle takes over what a lane measured, or has it done again: with one decoder
// thread, or with the pairs that the pictures ask for.
func (g *group) settle(ctx context.Context, l *lane, short bool) error {
	c := l.c
	switch {
	case l.feed.unsteady:
		c.damaged = true
		return nil
	case l.failed != nil:
		c.err = fmt.Errorf("%s: %w", c.title(), l.failed)
		return nil
	case l.feed.err != nil:
		c.err = fmt.Errorf("%s: %w", c.title(), l.feed.err)
		return nil
	}
	c.used, c.rows = l.used, l.flat()
	if short {
		c.done = true
		return nil
	}
	if c.pairs == nil {
		c.clip, c.unitOf = l.feed.clip(), l.feed.units
		if c.err = g.align(ctx, c); c.err != nil {
			return ctx.Err()
		}
		if !c.agrees() {
			c.pairs = c.result.Pair
			return nil
		}
	}
	c.done = true
	g.conclude(c, l.feed.decoder.Notes())
	return nil
}

// signs reports whether the capture's pictures may be needed to align it.
func (g *group) signs(c *captured) bool {
	switch m := g.opts.Align; {
	case c.pairs != nil || m == align.Index || m == align.PTS:
		return false
	case c.rec != nil && m != align.Content:
		return c.rec.uncertain
	}
	return true
}

// decodeWarnings is the text of a decoder's warnings.
func decodeWarnings(ws []decode.Warning) (notes []string) {
	for _, w := range ws {
		notes = append(notes, shortfall(w))
	}
	return notes
}
