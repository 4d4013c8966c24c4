package score

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/vqeval/vqeval/decode"
	"github.com/vqeval/vqeval/decode/align"
	"github.com/vqeval/vqeval/metrics"
)

// conclude completes the rows of a capture that needs no further pass.
func (g *group) conclude(c *captured, warnings []decode.Warning) {
	c.rename()
	if c.rec != nil {
		c.explain(g.clip.PTS[:len(c.rows)], g.interval())
	}
	c.heal()
	c.notes = append(c.notes, decodeWarnings(warnings)...)
	if n := len(c.result.Extra); n > 0 {
		text := fmt.Sprintf("%d captured frames answer", n)
		if n == 1 {
			text = "1 captured frame answers"
		}
		c.notes = append(c.notes, text+" no reference frame: "+ranges(c.result.Extra))
	}
	if len(c.clip.PTS) == 0 {
		c.notes = append(c.notes, fmt.Sprintf("0 of %d frames could be decoded", len(c.rows)))
	}
	if last := c.lastShown(); c.rec == nil && last >= 0 && last < len(c.rows)-1 && !cutShort(warnings) {
		c.notes = append(c.notes, fmt.Sprintf("the capture ends with frame %d of 0-%d: it has nothing for the last %d", last, len(c.rows)-1, len(c.rows)-1-last))
	}
	c.forget()
}

// lastShown is the last reference frame for which a picture of its own was shown,
// or -1.
func (c *captured) lastShown() int {
	for i := len(c.rows) - 1; i >= 0; i-- {
		if c.rows[i].Verdict.Shown() {
			return i
		}
	}
	return -1
}

// cutShort reports whether one of the warnings says already that the end is not there.
func cutShort(warnings []decode.Warning) bool {
	return slices.ContainsFunc(warnings, func(w decode.Warning) bool { return w.Kind == decode.Truncated })
}

// forget lets go of what is large, since a group may have many captures.
func (c *captured) forget() {
	c.clip, c.source.units, c.twins, c.unitTime, c.unitOf, c.used = align.Clip{}, nil, nil, nil, nil, nil
	c.Recording = nil
	if c.rec != nil {
		c.rec.assembled.Units = nil
	}
}

// heal names for each frame that is not as it was sent the key frame that ended
// the damage.
func (c *captured) heal() {
	key := -1
	for i := len(c.rows) - 1; i >= 0; i-- {
		row := &c.rows[i]
		if row.Verdict == metrics.OK {
			if c.keyFrame(row.Shown) {
				key = i
			}
			continue
		}
		row.Cause.HealedAt = key
	}
}

// ranges writes ascending numbers as 3,5-9.
func ranges(v []int) string {
	const most = 8 // stretches that are listed
	var parts []string
	for i := 0; i < len(v); {
		j := i
		for j+1 < len(v) && v[j+1] == v[j]+1 {
			j++
		}
		if len(parts) == most {
			return strings.Join(parts, ",") + ",…"
		}
		if i == j {
			parts = append(parts, fmt.Sprint(v[i]))
		} else {
			parts = append(parts, fmt.Sprintf("%d-%d", v[i], v[j]))
		}
		i = j + 1
	}
	return strings.Join(parts, ",")
}

// outcome is what the caller gets.
func (g *group) outcome(c *captured) Outcome {
	o := Outcome{Err: c.err}
	if c.err != nil {
		return o
	}
	if c.rec != nil {
		o.Stats, o.Use, o.Stream = c.rec.statsOf()
	}
	o.Alignment = c.result
	m := g.opts.Metrics
	m.LumaOnly = m.LumaOnly || c.lumaOnly
	o.Series = metrics.Series{
		Tool: g.opts.Tool, Version: g.opts.Version,
		Reference: g.ref.title(), Captured: c.title(),
		Settings:  g.settings(c),
		Options:   m,
		FrameRate: g.ref.info.FrameRate.Float(),
		Rows:      c.rows,
		Notes:     slices.Concat(c.result.Notes, g.refNotes, c.notes),
	}
	return o
}

// settings lists what is needed to make the series again.
func (g *group) settings(c *captured) map[string]string {
	s := map[string]string{
		"align":      g.opts.Align.String(),
		"aligned_by": c.result.Method.String(),
		"ssim":       g.opts.Metrics.SSIM.String(),
	}
	if c.rec != nil {
		s["broken_nal"] = c.Policy.String()
	}
	if c.rec != nil && c.Deadline > 0 {
		s["deadline_ms"] = fmt.Sprint(float64(c.Deadline.Microseconds()) / 1000)
		s["late"] = "ref"
		if c.Late != "" {
			s["late"] = string(c.Late)
		}
	}
	if (c.convert.scale != decode.Size{}) {
		s["scale"] = "bicubic " + c.convert.scale.String()
	}
	if c.convert.format != "" {
		s["convert"] = c.convert.format
	}
	if g.opts.Range != decode.RangeUnknown {
		s["range"] = g.opts.Range.String()
	}
	if c.result.Method == align.Content && c.result.Offset != 0 {
		s["offset"] = fmt.Sprint(c.result.Offset)
	}
	maps.Copy(s, g.opts.Settings)
	return s
}
