package score

import (
	"context"

	"github.com/vqeval/vqeval/decode/align"
	"github.com/vqeval/vqeval/metrics"
)

// align decides which captured frame answers which reference frame.
func (g *group) align(ctx context.Context, c *captured) (err error) {
	got := c.clip
	if c.rec != nil {
		got.RTP, got.Breaks = true, c.rec.breaks(c.units)
	}
	if c.bare && c.rec == nil {
		got.HasPTS = c.twins != nil
		got.Twins = g.twinFrames(c)
	}
	method := g.opts.Align
	if c.result, err = align.Align(g.clip, got, method); err != nil {
		return err
	}
	if method != align.Auto || c.result.Method != align.Content && !c.result.Unconfirmed || c.bare {
		return nil
	}
	// The pictures contradict the times, or cannot confirm them. If the capture
	// has the reference's own coded pictures, nothing needs to be guessed.
	if g.recogniseFile(ctx, c); c.twins == nil {
		return ctx.Err()
	}
	got.Twins = g.twinFrames(c)
	again, err := align.Align(g.clip, got, method)
	if err == nil && again.Method == align.Coded {
		c.result = again
	}
	return ctx.Err()
}

// agrees reports whether the pairs that were measured are the right ones, or
// show the same pictures.
func (c *captured) agrees() bool {
	sigs, last := c.clip.Sigs, -1
	alike := func(a, b int) bool { return a == b || sigs != nil && a >= 0 && b >= 0 && sigs[a] == sigs[b] }
	for i, j := range c.result.Pair {
		k := c.used[i]
		if j >= 0 {
			last = j
		}
		if j < 0 && k < 0 {
			continue
		}
		if j < 0 && !alike(k, last) || j >= 0 && !alike(j, k) {
			return false
		}
	}
	return true
}

// rename gives the rows the verdicts of the final pairs: where the capture
// repeated a picture while the reference went on, it was frozen.
func (c *captured) rename() {
	last := -1
	for i := range c.rows {
		r, j := &c.rows[i], c.result.Pair[i]
		if j >= 0 {
			last, r.Shown = j, j
			continue
		}
		if last >= 0 {
			r.Verdict, r.Shown = metrics.Frozen, last
		}
	}
}
