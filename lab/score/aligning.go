package score

import (
	"context"
	"fmt"

	"github.com/vqeval/vqeval/decode/align"
	"github.com/vqeval/vqeval/metrics"
)

// align decides which captured frame answers which reference frame.
func (g *group) align(ctx context.Context, c *captured) (err error) {
	if c.rec != nil {
		return g.alignRecording(c)
	}
	got, method := c.clip, g.opts.Align
	if method == align.Coded && !c.bare {
		g.recogniseFile(ctx, c)
	}
	if c.twins != nil {
		got.Twins = g.twinFrames(c)
	}
	if c.result, err = align.Align(g.clip, got, method); err != nil {
		return fmt.Errorf("%s: %w", c.title(), err)
	}
	doubt := c.result.Method == align.Content || c.result.Unsure || c.partlyDamaged()
	if c.bare || method != align.Auto || !doubt {
		return nil
	}
	// The pictures contradict the times, or cannot confirm them. If the capture
	// has the reference's own coded pictures, nothing needs to be guessed.
	g.recogniseFile(ctx, c)
	if c.twins == nil {
		return ctx.Err()
	}
	got.Twins = g.twinFrames(c)
	again, err := align.Align(g.clip, got, method)
	if err == nil && again.Method == align.Coded {
		c.result = again
	}
	return ctx.Err()
}

// partlyDamaged reports whether some pictures are the reference's to the last
// sample and others are not: a stream that was not coded again, and suffered.
func (c *captured) partlyDamaged() bool {
	var seen [2]bool
	for _, r := range c.rows {
		if r.Verdict.Shown() {
			seen[r.Verdict] = true
		}
	}
	return seen[metrics.OK] && seen[metrics.Damaged]
}

// alignRecording pairs the frames of a recording that were there in time.
func (g *group) alignRecording(c *captured) (err error) {
	got := align.Clip{HasPTS: true, RTP: true}
	var frames []int // that are visible
	for j, u := range c.unitOf {
		if c.hides(u) {
			continue
		}
		if len(frames) > 0 && c.rec.restarts(c.unitOf[frames[len(frames)-1]], u) {
			got.Breaks = append(got.Breaks, len(frames))
		}
		frames = append(frames, j)
		got.PTS = append(got.PTS, c.clip.PTS[j])
		if c.clip.Sigs != nil {
			got.Sigs = append(got.Sigs, c.clip.Sigs[j])
		}
	}
	ref := g.clip
	if c.clip.Sigs == nil {
		ref.Sigs = nil
	}
	if c.result, err = align.Align(ref, got, g.opts.Align); err != nil {
		return fmt.Errorf("%s: %w", c.title(), err)
	}
	for i, j := range c.result.Pair {
		if j >= 0 {
			c.result.Pair[i] = frames[j]
		}
	}
	for k, j := range c.result.Extra {
		c.result.Extra[k] = frames[j]
	}
	return nil
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
