package report

import (
	"cmp"
	"errors"
	"fmt"
	"image/color"
	"io"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// SweepPoint is what a transport reaches at one value of what was varied: the
// mean over seeds and its interval. Low and High equal to Mean, or both 0, mean
// that no interval is known.
type SweepPoint struct{ At, Mean, Low, High float64 }

// SweepCurve is one transport over what was varied.
type SweepCurve struct {
	Name   string
	Points []SweepPoint // in any order
}

// SweepPanel is one quantity over what was varied.
type SweepPanel struct {
	Label  string  // of the vertical axis, with its unit: "Goodput, Mbit/s"
	Zero   bool    // the axis begins at 0
	Top    float64 // the axis never ends above it; 0 = no bound
	Curves []SweepCurve
}

// SweepChart is quantities over what an experiment varied.
type SweepChart struct {
	Title  string
	Axis   string // what was varied, with its unit: "Random loss, %"
	Panels []SweepPanel
}

// SweepPlot draws quantities over what an experiment varied, one panel each:
// a line and a mark of its own shape for each transport, and its interval as a
// band. Values that span more than a decade lie on a logarithmic axis, where 0
// has a column of its own at the left.
func SweepPlot(w io.Writer, chart SweepChart, f Format) error {
	panels := chart.Panels
	x, place, err := sweepAxis(panels, chart.Axis)
	if err != nil {
		return fmt.Errorf("sweep plot: %w", err)
	}
	labels := sweepNames(panels)
	colors := palette(labels)
	s := sheet{title: chart.Title}
	for i, name := range labels {
		s.legend = append(s.legend, entry{name: name, mark: latencyMark(glyph(i, colors[i]))})
	}
	if slices.ContainsFunc(panels, SweepPanel.banded) {
		s.legend = append(s.legend, entry{name: "bands: 95 % intervals over seeds"})
	}
	for _, q := range panels {
		p := panel{x: x, y: q.axis(), height: 4 * vg.Centimeter}
		if len(panels) == 1 {
			p.height = 7 * vg.Centimeter
		}
		for _, c := range q.Curves {
			i := slices.Index(labels, c.Name)
			p.layers = append([]layer{band(c, place, colors[i])}, p.layers...) // below all lines
			p.layers = append(p.layers, sweepLayer(c, place, glyph(i, colors[i])))
		}
		s.panels = append(s.panels, p)
	}
	return s.write(w, f)
}

// sweepNames lists the transports of all panels, in the order in which they occur.
func sweepNames(panels []SweepPanel) []string {
	var out []string
	for _, p := range panels {
		for _, c := range p.Curves {
			if !slices.Contains(out, c.Name) {
				out = append(out, c.Name)
			}
		}
	}
	return out
}

func (p SweepPanel) banded() bool {
	return slices.ContainsFunc(p.Curves, func(c SweepCurve) bool {
		return slices.ContainsFunc(c.Points, func(q SweepPoint) bool {
			lo, hi := q.interval()
			return lo < hi
		})
	})
}

// interval returns Low and High, or the mean where they are not known.
func (p SweepPoint) interval() (lo, hi float64) {
	return LatencyPoint{Mean: p.Mean, Low: p.Low, High: p.High}.interval()
}

// sorted returns the points by rising value.
func (c SweepCurve) sorted() []SweepPoint {
	points := slices.Clone(c.Points)
	slices.SortStableFunc(points, func(a, b SweepPoint) int { return cmp.Compare(a.At, b.At) })
	return points
}

// axis returns the vertical axis that holds all intervals.
func (p SweepPanel) axis() axis {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, c := range p.Curves {
		for _, q := range c.Points {
			l, h := q.interval()
			lo, hi = min(lo, l), max(hi, h)
		}
	}
	if p.Zero {
		lo = min(lo, 0)
	}
	if least := max(.02*math.Abs(hi), 1e-9); hi-lo < least {
		hi, lo = hi+least/2, lo-least/2
	}
	step, decimals := niceStep(hi-lo, 5)
	a := axis{label: p.Label, lo: math.Floor(lo/step+1e-9) * step, hi: math.Ceil(hi/step-1e-9) * step}
	if p.Top > 0 {
		a.hi = min(a.hi, p.Top)
	}
	a.ticks = linearTicks(a.lo, a.hi, step, decimals)
	return a
}

// sweepAxis returns the axis over all values and where each lies on it.
func sweepAxis(panels []SweepPanel, label string) (axis, func(float64) float64, error) {
	var all []float64
	for _, p := range panels {
		for _, c := range p.Curves {
			for _, q := range c.Points {
				all = append(all, q.At)
			}
		}
	}
	if len(all) == 0 {
		return axis{}, nil, errors.New("no points")
	}
	slices.Sort(all)
	all = slices.Compact(all)
	place := sweepScale(all)
	a := axis{label: label, lo: place(all[0]), hi: place(all[len(all)-1])}
	pad := max(.03*(a.hi-a.lo), 1e-3)
	for _, v := range all {
		a.ticks = appendApart(a.ticks, plot.Tick{Value: place(v), Label: fmt.Sprintf("%g", v)}, (a.hi-a.lo)/14)
	}
	a.lo, a.hi = a.lo-pad, a.hi+pad
	return a, place, nil
}

// sweepScale returns the place of a value: itself, or its logarithm when the
// ascending values span more than a decade.
func sweepScale(all []float64) func(float64) float64 {
	positive := all
	for len(positive) > 0 && positive[0] == 0 {
		positive = positive[1:]
	}
	if len(positive) < 2 || positive[0] < 0 || positive[len(positive)-1] <= 10*positive[0] {
		return func(v float64) float64 { return v }
	}
	first := math.Log10(positive[0])
	gap := .15 * (math.Log10(positive[len(positive)-1]) - first)
	return func(v float64) float64 {
		if v <= 0 {
			return first - gap
		}
		return math.Log10(v)
	}
}

// band fills the interval of a curve.
func band(c SweepCurve, place func(float64) float64, ink color.RGBA) layer {
	points := c.sorted()
	return func(cv draw.Canvas, at func(x, y float64) vg.Point) {
		var outline []vg.Point
		for _, p := range points {
			_, hi := p.interval()
			outline = append(outline, at(place(p.At), hi))
		}
		for _, p := range slices.Backward(points) {
			lo, _ := p.interval()
			outline = append(outline, at(place(p.At), lo))
		}
		cv.FillPolygon(color.NRGBA{R: ink.R, G: ink.G, B: ink.B, A: 48}, outline)
	}
}

// sweepLayer draws the line of the means and their marks.
func sweepLayer(c SweepCurve, place func(float64) float64, g draw.GlyphStyle) layer {
	points := c.sorted()
	line := draw.LineStyle{Color: g.Color, Width: vg.Points(1.1)}
	return func(cv draw.Canvas, at func(x, y float64) vg.Point) {
		polyline(line, len(points), func(i int) (x, y float64, ok bool) { return place(points[i].At), points[i].Mean, true })(cv, at)
		for _, p := range points {
			cv.DrawGlyph(g, at(place(p.At), p.Mean))
		}
	}
}
