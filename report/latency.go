package report

import (
	"cmp"
	"errors"
	"fmt"
	"image/color"
	"io"
	"math"
	"slices"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// LatencyPoint is the quality that a transport reaches under one playout
// deadline: the mean over all frames and seeds, and its interval. Low and High
// equal to Mean, or both 0, mean that no interval is known.
type LatencyPoint struct {
	Deadline        time.Duration // 0 = none: everything that ever arrived counts
	Mean, Low, High float64
}

// LatencyCurve is the quality of one transport over the playout deadline.
type LatencyCurve struct {
	Name   string
	Points []LatencyPoint
}

// LatencyOptions say how a Latency plot looks; the zero value shows SSIM as PNG.
type LatencyOptions struct {
	Title  string
	Metric Metric
	Format Format
}

// Latency draws quality over the playout deadline on a logarithmic axis, with a
// column of its own for "no deadline". Each transport has a mark of its own
// shape, and a bar where an interval is known.
func Latency(w io.Writer, curves []LatencyCurve, o LatencyOptions) error {
	x, place, err := deadlineAxis(curves)
	if err != nil {
		return fmt.Errorf("latency plot: %w", err)
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	labels := make([]string, len(curves))
	for i, c := range curves {
		labels[i] = c.Name
		for _, p := range c.Points {
			l, h := p.interval()
			lo, hi = min(lo, l), max(hi, h)
		}
	}
	colors := palette(labels)
	p := panel{x: x, y: o.Metric.axis(lo, hi), height: 7 * vg.Centimeter}
	p.y.label += ", mean"
	s := sheet{title: o.Title}
	for i, c := range curves {
		p.layers = append(p.layers, aside(latencyLayer(c, o.Metric, place, glyph(i, colors[i])), vg.Points(2.2*(float64(i)-float64(len(curves)-1)/2))))
		s.legend = append(s.legend, entry{name: c.Name, mark: latencyMark(glyph(i, colors[i]))})
	}
	s.panels = []panel{p}
	return s.write(w, o.Format)
}

// interval returns Low and High, or the mean where they are not known.
func (p LatencyPoint) interval() (lo, hi float64) {
	if p.Low == 0 && p.High == 0 {
		return p.Mean, p.Mean
	}
	return min(p.Low, p.Mean), max(p.High, p.Mean)
}

// sorted returns the points by rising deadline, none last.
func (c LatencyCurve) sorted() []LatencyPoint {
	rank := func(p LatencyPoint) time.Duration {
		if p.Deadline <= 0 {
			return math.MaxInt64
		}
		return p.Deadline
	}
	points := slices.Clone(c.Points)
	slices.SortStableFunc(points, func(a, b LatencyPoint) int { return cmp.Compare(rank(a), rank(b)) })
	return points
}

// deadlineAxis returns the axis over all deadlines and where each lies on it:
// the logarithm of its milliseconds, or a step to the right of the longest one.
func deadlineAxis(curves []LatencyCurve) (axis, func(time.Duration) float64, error) {
	var all []time.Duration
	unlimited := false
	for _, c := range curves {
		for _, p := range c.Points {
			if p.Deadline > 0 {
				all = append(all, p.Deadline)
			} else {
				unlimited = true
			}
		}
	}
	if len(all) == 0 && !unlimited {
		return axis{}, nil, errors.New("no points")
	}
	slices.Sort(all)
	all = slices.Compact(all)
	lg := func(d time.Duration) float64 { return math.Log10(d.Seconds() * 1e3) }
	lo, hi := 0.0, 0.0
	if len(all) > 0 {
		lo, hi = lg(all[0]), lg(all[len(all)-1])
	}
	gap := max(.12*(hi-lo), .2)
	a := axis{label: "Playout deadline, ms (log)", lo: lo - gap/2, hi: hi + gap/2}
	for _, d := range all {
		a.ticks = appendApart(a.ticks, plot.Tick{Value: lg(d), Label: millis(d)}, (hi-lo)/14)
	}
	if unlimited {
		a.hi += gap
		a.ticks = append(a.ticks, plot.Tick{Value: hi + gap, Label: "none"})
	}
	return a, func(d time.Duration) float64 {
		if d <= 0 {
			return hi + gap
		}
		return lg(d)
	}, nil
}

// appendApart drops the label of a tick that would stand closer than gap to the last label.
func appendApart(ticks []plot.Tick, t plot.Tick, gap float64) []plot.Tick {
	for _, u := range slices.Backward(ticks) {
		if u.Label != "" {
			if t.Value-u.Value < gap {
				t.Label = ""
			}
			break
		}
	}
	return append(ticks, t)
}

// millis prints d in milliseconds without needless decimals.
func millis(d time.Duration) string {
	return fmt.Sprintf("%g", math.Round(d.Seconds()*1e5)/1e2)
}

// glyph returns the mark of the i-th transport: the shapes differ, so that the
// curves can be told apart without their colours.
func glyph(i int, c color.RGBA) draw.GlyphStyle {
	shapes := [...]draw.GlyphDrawer{draw.CircleGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}, draw.RingGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{}, draw.CrossGlyph{}, draw.PlusGlyph{}}
	return draw.GlyphStyle{Color: c, Radius: vg.Points(3), Shape: shapes[i%len(shapes)]}
}

// aside moves a layer sideways, so that bars at the same deadline do not cover
// each other.
func aside(l layer, by vg.Length) layer {
	return func(c draw.Canvas, at func(x, y float64) vg.Point) {
		l(c, func(x, y float64) vg.Point {
			p := at(x, y)
			p.X += by
			return p
		})
	}
}

func latencyLayer(c LatencyCurve, m Metric, place func(time.Duration) float64, g draw.GlyphStyle) layer {
	points := c.sorted()
	line := draw.LineStyle{Color: g.Color, Width: vg.Points(1.1)}
	return func(cv draw.Canvas, at func(x, y float64) vg.Point) {
		polyline(line, len(points), func(i int) (x, y float64, ok bool) {
			return place(points[i].Deadline), m.drawn(points[i].Mean), true
		})(cv, at)
		for _, p := range points {
			x := place(p.Deadline)
			lo, hi := p.interval()
			a, b := at(x, m.drawn(lo)), at(x, m.drawn(hi))
			if b.Y-a.Y > .5 {
				cv.StrokeLine2(line, a.X, a.Y, b.X, b.Y)
				cv.StrokeLine2(line, a.X-2.5, a.Y, a.X+2.5, a.Y)
				cv.StrokeLine2(line, b.X-2.5, b.Y, b.X+2.5, b.Y)
			}
			cv.DrawGlyph(g, at(x, m.drawn(p.Mean)))
		}
	}
}

func latencyMark(g draw.GlyphStyle) func(draw.Canvas, vg.Length, vg.Length, vg.Length) {
	return func(c draw.Canvas, x, y, w vg.Length) {
		c.StrokeLine2(draw.LineStyle{Color: g.Color, Width: vg.Points(1.1)}, x, y, x+w, y)
		c.DrawGlyph(g, vg.Point{X: x + w/2, Y: y})
	}
}
