package lab

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vqeval/vqeval/stream/link"
)

// A SweepLine is the links of an experiment that differ in one quantity only.
type SweepLine struct {
	Key    string    // rate, delay, loss or queue
	Base   string    // what they have in common, for titles and file names
	Links  []string  // their labels, in the order of the experiment
	Values []float64 // one for each: Mbit/s, one-way ms, percent, or KiB
}

// sweepAxis is one list of a Sweep.
type sweepAxis struct {
	key    string
	values []string
}

// axes lists what s varies, the slowest first.
func (s Sweep) axes() []sweepAxis {
	var out []sweepAxis
	for _, a := range []sweepAxis{{"rate", s.Rate}, {"delay", s.Delay}, {"loss", s.Loss}, {"queue", s.Queue}} {
		if len(a.values) > 0 {
			out = append(out, a)
		}
	}
	return out
}

// SweepLines returns the lines of a plot over the longest list of the sweep, one
// for each link and combination of the other lists; none without a list of at
// least two values.
func (e Experiment) SweepLines() ([]SweepLine, error) {
	axes := e.Sweep.axes()
	main, stride := -1, 1
	for i, a := range axes {
		if len(a.values) > 1 && (main < 0 || len(a.values) > len(axes[main].values)) {
			main = i
		}
	}
	if main < 0 {
		return nil, nil
	}
	for _, a := range axes[main+1:] {
		stride *= len(a.values)
	}
	n := len(axes[main].values)
	all := e.Sweep.expand(e.Links)
	bases := e.Sweep.without(axes[main].key).expand(e.Links)
	lines := make([]SweepLine, len(all)/n)
	for i, l := range all {
		at := i/(stride*n)*stride + i%stride
		value, err := sweepValue(axes[main].key, axes[main].values[i/stride%n])
		if err != nil {
			return nil, err
		}
		line := &lines[at]
		line.Key, line.Base = axes[main].key, bases[at].Label()
		line.Links, line.Values = append(line.Links, l.Label()), append(line.Values, value)
	}
	return lines, nil
}

// without returns s with one list less.
func (s Sweep) without(key string) Sweep {
	switch key {
	case "rate":
		s.Rate = nil
	case "delay":
		s.Delay = nil
	case "loss":
		s.Loss = nil
	case "queue":
		s.Queue = nil
	}
	return s
}

// sweepValue reads a value of a sweep as a number in the unit of SweepLine.
func sweepValue(key, text string) (float64, error) {
	var d link.Direction
	if err := d.Set(key, text); err != nil {
		return 0, fmt.Errorf("sweep: %w", err)
	}
	switch key {
	case "rate":
		return float64(d.Rate) / 1e6, nil
	case "delay":
		return ms(d.Delay), nil
	case "loss":
		return 100 * d.Loss, nil
	}
	return float64(d.Queue) / 1024, nil
}

// A SweepGroup is what belongs into one plot over a sweep: all transports over
// the links of a line, at one deadline.
type SweepGroup struct {
	Group // without series; its profile is the line's base
	Line  SweepLine
}

// SweepGroups returns the plots over what the experiment varied.
func (r Results) SweepGroups() ([]SweepGroup, error) {
	e := r.Manifest.Experiment
	lines, err := e.SweepLines()
	if err != nil {
		return nil, err
	}
	var out []SweepGroup
	for _, clip := range e.clips() {
		for _, d := range e.Deadlines {
			for _, l := range lines {
				g := Group{Clip: clip, Profile: l.Base, Deadline: d, Title: clipTitle(clip) + " over " + l.Base}
				var parts []string
				if len(e.clips()) > 1 {
					parts = append(parts, clipTitle(clip))
				}
				if len(lines) > 1 {
					parts = append(parts, l.Base)
				}
				if d != 0 {
					g.Title += ", played out after " + d.String()
					parts = append(parts, "d"+d.String())
				}
				if len(parts) > 0 {
					g.suffix = "-" + folderSafe(strings.Join(parts, "-"))
				}
				if slices.ContainsFunc(r.Cells, func(c Cell) bool { return c.Clip == clip && c.Deadline == d }) {
					out = append(out, SweepGroup{g, l})
				}
			}
		}
	}
	return out, nil
}
