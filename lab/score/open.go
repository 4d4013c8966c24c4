package score

import (
	"context"
	"errors"
	"fmt"

	"github.com/vqeval/vqeval/decode"
)

// open opens the reference.
func (g *group) open() error {
	if k, err := isCapture(g.ref.path); err == nil && k {
		return fmt.Errorf("%s: a recording of packets cannot be the reference", g.ref.title())
	}
	g.ref.convert.to = g.opts.Range
	if err := g.ref.prepare(poolSize(g.workers()), g.opts.Threads); err != nil {
		return named(g.ref, err)
	}
	return nil
}

// openCaptures opens some captures, of which each may fail for itself.
func (g *group) openCaptures(ctx context.Context, captures []*captured) error {
	for _, c := range captures {
		if err := ctx.Err(); err != nil {
			return err
		}
		if c.err = g.openCapture(ctx, c); c.err != nil {
			c.err = named(&c.source, c.err)
			c.discard()
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

func (g *group) openCapture(ctx context.Context, c *captured) error {
	recording := c.Recording != nil
	if !recording {
		var err error
		if recording, err = isCapture(c.path); err != nil {
			return err
		}
	}
	switch {
	case recording:
		if err := c.assemble(g.loaded); err != nil {
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
