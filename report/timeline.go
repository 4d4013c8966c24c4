package report

import (
	"errors"
	"fmt"
	"image/color"
	"io"
	"math"
	"time"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Trace is a quantity over time. T ascends and counts from the start of the
// stream; V has one value for each T, NaN for a gap.
type Trace struct {
	Name string
	T    []time.Duration
	V    []float64
}

// TimePanel is one data area of a Timeline: traces of one quantity.
type TimePanel struct {
	Label  string // the quantity with its unit: "queue, KiB"
	Traces []Trace
	Steps  bool // a value holds until the next one, as a window or a queue does
}

// TimelineOptions say how a Timeline looks; the zero value is a PNG without a
// title that marks nothing.
type TimelineOptions struct {
	Title  string
	Mark   time.Duration // a dashed line at this moment; 0 = none
	Format Format
}

// Timeline draws panels of traces over a common axis of seconds. A name that
// begins with a transport's has its colour; the same name has the same colour
// in every panel.
func Timeline(w io.Writer, panels []TimePanel, o TimelineOptions) error {
	var labels []string
	seen := map[string]bool{}
	end := 0.0
	for _, p := range panels {
		for _, t := range p.Traces {
			if len(t.T) != len(t.V) {
				return fmt.Errorf("timeline: %s has %d times for %d values", t.Name, len(t.T), len(t.V))
			}
			if !seen[t.Name] {
				seen[t.Name], labels = true, append(labels, t.Name)
			}
			if len(t.T) > 0 {
				end = max(end, t.T[len(t.T)-1].Seconds())
			}
		}
	}
	if end == 0 {
		return errors.New("timeline: nothing to draw")
	}
	colors := map[string]color.RGBA{}
	s := sheet{title: o.Title}
	for i, c := range palette(labels) {
		colors[labels[i]] = c
		s.legend = append(s.legend, entry{name: labels[i], mark: lineMark(c, 1.4)})
	}
	x := axis{label: "Time, s", hi: end}
	step, decimals := niceStep(end, 8)
	x.ticks = linearTicks(0, end, step, decimals)
	for _, p := range panels {
		s.panels = append(s.panels, timePanel(p, x, colors, o.Mark))
	}
	return s.write(w, o.Format)
}

func timePanel(p TimePanel, x axis, colors map[string]color.RGBA, mark time.Duration) panel {
	hi := 0.0
	for _, t := range p.Traces {
		for _, v := range t.V {
			if !math.IsNaN(v) {
				hi = max(hi, v)
			}
		}
	}
	if hi == 0 {
		hi = 1
	}
	step, decimals := niceStep(hi, 4)
	hi = math.Ceil(hi/step-1e-9) * step
	out := panel{x: x, height: 3.2 * vg.Centimeter, y: axis{label: p.Label, hi: hi, ticks: linearTicks(0, hi, step, decimals)}}
	if mark > 0 {
		out.layers = append(out.layers, dashedAt(mark.Seconds()))
	}
	for _, t := range p.Traces {
		if p.Steps {
			t = stairs(t)
		}
		style := draw.LineStyle{Color: colors[t.Name], Width: vg.Points(1)}
		out.layers = append(out.layers, polyline(style, len(t.T), func(i int) (x, y float64, ok bool) {
			return t.T[i].Seconds(), t.V[i], !math.IsNaN(t.V[i])
		}))
	}
	return out
}

// stairs repeats each value just before the next one.
func stairs(t Trace) Trace {
	out := Trace{Name: t.Name}
	for i := range t.T {
		if i > 0 {
			out.T, out.V = append(out.T, t.T[i]), append(out.V, t.V[i-1])
		}
		out.T, out.V = append(out.T, t.T[i]), append(out.V, t.V[i])
	}
	return out
}
