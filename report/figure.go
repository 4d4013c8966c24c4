package report

import (
	"cmp"
	"errors"
	"fmt"
	"image/color"
	"io"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/vqeval/vqeval/metrics"
)

// Curve is the score of every frame of one run. Name is the transport, which
// chooses the colour; whatever else tells runs apart follows it, as in
// "QUIC, 100 ms".
type Curve struct {
	Name string
	Rows []metrics.Row
}

// FigureOptions say how a Figure looks. The zero value draws all three metrics
// and the verdict strip as a PNG, with frame 0 marked.
type FigureOptions struct {
	Title   string
	Frame   int      // the marked frame; negative, or beyond the clip, marks none
	Metrics []Metric // one panel each, downwards; nil = SSIM, MSE, PSNR
	Format  Format
	NoStrip bool // leave out the strip of verdicts below the panels
}

// Figure draws quality over the frame number: one panel for each metric, one
// curve for each transport, a dashed line and a dot on each curve at the marked
// frame, and below them a strip with each frame's verdict. MSE has a
// logarithmic axis that ends at 0.01; smaller values lie on its lower edge.
//
// Curves that are equal in every frame are drawn inside each other, and the
// legend says so. No curve, or one without rows, is an error.
func Figure(w io.Writer, curves []Curve, o FigureOptions) error {
	first, last, err := span(curves)
	if err != nil {
		return fmt.Errorf("figure: %w", err)
	}
	if len(o.Metrics) == 0 {
		o.Metrics = []Metric{SSIM, MSE, PSNR}
	}
	colors := palette(names(curves))
	marked := o.Frame >= first && o.Frame <= last
	x := axis{label: "Frame", lo: float64(first), hi: float64(max(last, first+1))}
	step, decimals := niceStep(x.hi-x.lo, 8)
	x.ticks = linearTicks(x.lo, x.hi, max(step, 1), decimals)
	s := sheet{title: o.Title, legend: figureLegend(curves, colors, o, marked)}
	for _, m := range o.Metrics {
		s.panels = append(s.panels, metricPanel(m, x, curves, colors, o.Frame, marked, len(o.Metrics)))
	}
	if !o.NoStrip {
		p := stripPanel(x, curves)
		if marked {
			p.layers = append(p.layers, dashedAt(float64(o.Frame)))
		}
		s.panels = append(s.panels, p)
		s.key = verdictKey(curves)
	}
	return s.write(w, o.Format)
}

func names(curves []Curve) []string {
	out := make([]string, len(curves))
	for i, c := range curves {
		out[i] = c.Name
	}
	return out
}

// span returns the first and the last frame number of all curves.
func span(curves []Curve) (first, last int, err error) {
	if len(curves) == 0 {
		return 0, 0, errors.New("no curves")
	}
	first, last = math.MaxInt, math.MinInt
	for _, c := range curves {
		if len(c.Rows) == 0 {
			return 0, 0, fmt.Errorf("%s has no frames", c.Name)
		}
		for _, r := range c.Rows {
			first, last = min(first, r.Frame), max(last, r.Frame)
		}
	}
	return first, last, nil
}

// metricPanel draws one metric. Alone on a sheet it is twice as high.
func metricPanel(m Metric, x axis, curves []Curve, colors []color.RGBA, frame int, marked bool, panels int) panel {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, c := range curves {
		for _, r := range c.Rows {
			v := m.of(r.Score)
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	p := panel{x: x, y: m.axis(lo, hi), height: 3.7 * vg.Centimeter}
	if panels == 1 {
		p.height *= 2
	}
	if marked {
		p.layers = append(p.layers, dashedAt(float64(frame)))
	}
	under := stacked(curves)
	var dots []layer
	for _, i := range paintOrder(curves) {
		rows := curves[i].Rows
		style := draw.LineStyle{Color: colors[i], Width: vg.Points(1.1 + 1.3*float64(under[i]))}
		p.layers = append(p.layers, polyline(style, len(rows), func(k int) (x, y float64, ok bool) {
			return float64(rows[k].Frame), m.drawn(m.of(rows[k].Score)), true
		}))
		at := slices.IndexFunc(rows, func(r metrics.Row) bool { return r.Frame == frame })
		if marked && at >= 0 {
			dots = append(dots, dot(colors[i], 2.6+.9*float64(under[i]), float64(frame), m.drawn(m.of(rows[at].Score))))
		}
	}
	p.layers = append(p.layers, dots...)
	return p
}

// dot is a disc of the radius (points) with a thin white rim.
func dot(c color.RGBA, radius, x, y float64) layer {
	return func(cv draw.Canvas, at func(x, y float64) vg.Point) {
		cv.DrawGlyph(draw.GlyphStyle{Color: rgb(0xffffff), Radius: vg.Points(radius + .6), Shape: draw.CircleGlyph{}}, at(x, y))
		cv.DrawGlyph(draw.GlyphStyle{Color: c, Radius: vg.Points(radius), Shape: draw.CircleGlyph{}}, at(x, y))
	}
}

// paintOrder puts the most damaged curve at the bottom: it moves most, and
// shows around the flat ones above it.
func paintOrder(curves []Curve) []int {
	mean := make([]float64, len(curves))
	order := make([]int, len(curves))
	for i, c := range curves {
		order[i] = i
		for _, r := range c.Rows {
			mean[i] += r.Score.PSNR[0] / float64(len(c.Rows))
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(mean[a], mean[b]) })
	return order
}

// stacked counts for each curve the later ones that are equal to it in every
// frame. It is drawn that much wider, so that it shows on both sides of them.
func stacked(curves []Curve) []int {
	out := make([]int, len(curves))
	for i, a := range curves {
		for _, b := range curves[i+1:] {
			if sameScores(a, b) {
				out[i]++
			}
		}
	}
	return out
}

func sameScores(a, b Curve) bool {
	return slices.EqualFunc(a.Rows, b.Rows, func(x, y metrics.Row) bool {
		return x.Frame == y.Frame && x.Score.SSIM[0] == y.Score.SSIM[0] && x.Score.MSE[0] == y.Score.MSE[0] && x.Score.PSNR[0] == y.Score.PSNR[0]
	})
}

// figureLegend names the curves, those that hide each other, and the marker.
func figureLegend(curves []Curve, colors []color.RGBA, o FigureOptions, marked bool) []entry {
	var out []entry
	for i, c := range curves {
		out = append(out, entry{name: c.Name, mark: lineMark(colors[i], 1.4)})
	}
	if marked {
		out = append(out, entry{name: fmt.Sprintf("dashed: frame %d", o.Frame)})
	}
	for _, e := range equalCurves(curves) {
		out = append(out, entry{name: e})
	}
	return out
}

// equalCurves says which curves cannot be told apart: "QUIC = TCP in every frame".
func equalCurves(curves []Curve) []string {
	var out []string
	done := make([]bool, len(curves))
	for i, a := range curves {
		if done[i] {
			continue
		}
		equal := []string{a.Name}
		for j := i + 1; j < len(curves); j++ {
			if sameScores(a, curves[j]) {
				equal, done[j] = append(equal, curves[j].Name), true
			}
		}
		if len(equal) > 1 {
			out = append(out, strings.Join(equal, " = ")+" in every frame")
		}
	}
	return out
}

// lineMark is the sample of a line, width points wide.
func lineMark(c color.RGBA, width float64) func(draw.Canvas, vg.Length, vg.Length, vg.Length) {
	return func(cv draw.Canvas, x, y, w vg.Length) {
		cv.StrokeLine2(draw.LineStyle{Color: c, Width: vg.Points(width)}, x, y, x+w, y)
	}
}
