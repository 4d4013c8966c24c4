package score

import (
	"context"
	"errors"
	"fmt"
	"runtime"

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
	coded    *codebook // the reference's coded pictures, once they are needed
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

// open opens the reference, which must work, and all captures, of which each may
// fail for itself.
func (g *group) open(ctx context.Context, captures []Capture) error {
	if k, err := isCapture(g.ref.path); err == nil && k {
		return fmt.Errorf("%s: a recording of packets cannot be the reference", g.ref.title())
	}
	g.ref.convert.to = g.opts.Range
	if err := g.ref.prepare(poolSize(g.workers()), g.opts.Threads); err != nil {
		return named(g.ref, err)
	}
	loaded := map[string]*loading{}
	for k, c := range captures {
		e := &captured{Capture: c, source: source{path: c.Path, name: c.Name, raw: c.Raw}, index: k}
		g.captures = append(g.captures, e)
		if err := ctx.Err(); err != nil {
			g.close()
			return err
		}
		if e.err = g.openCapture(ctx, e, loaded); e.err != nil {
			e.err = named(&e.source, e.err)
			e.discard()
		}
	}
	return nil
}

// named puts the input's name in front of an error of its own, unless decode did.
func named(s *source, err error) error {
	var m *MismatchError
	if errors.As(err, &m) || s.name != "" && s.name != s.path {
		return fmt.Errorf("%s: %w", s.title(), err)
	}
	return err
}

func (g *group) openCapture(ctx context.Context, c *captured, loaded map[string]*loading) error {
	recording := c.Recording != nil
	if !recording {
		var err error
		if recording, err = isCapture(c.path); err != nil {
			return err
		}
	}
	switch {
	case recording:
		if err := c.assemble(loaded); err != nil {
			return err
		}
	case bareName(c.path):
		if _, err := c.readBare(ctx); err != nil {
			return err
		}
		g.recognise(ctx, c)
	}
	if err := c.prepare(poolSize(g.workers()), g.opts.Threads); err != nil {
		return err
	}
	if c.info.Format.Depth == 0 && c.rec == nil {
		return fmt.Errorf("%s: %w", c.path, decode.ErrNoPicture)
	}
	if c.info.Format.Depth == 0 {
		return nil // nothing of the recording decodes: all frames are missing
	}
	return g.match(c)
}

// match makes the capture's pictures comparable, or refuses.
func (g *group) match(c *captured) error {
	if want := conversionFor(g.ref.info, c.info, g.opts); want != (conversion{}) {
		c.convert = want
		if err := c.prepare(poolSize(g.workers()), g.opts.Threads); err != nil {
			return err
		}
	}
	luma, notes, err := compare(g.ref.info, c.info, g.opts)
	c.lumaOnly = luma
	c.notes = append(c.notes, notes...)
	return err
}

func (g *group) close() {
	g.ref.discard()
	for _, c := range g.captures {
		c.discard()
	}
}

// run makes passes until every capture is done.
func (g *group) run(ctx context.Context) error {
	for {
		var todo []*captured
		for _, c := range g.captures {
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
			if err := g.settle(ctx, l); err != nil {
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
func (g *group) settle(ctx context.Context, l *lane) error {
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
func (c *captured) signs() bool {
	switch {
	case c.pairs != nil:
		return false
	case c.rec != nil:
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
