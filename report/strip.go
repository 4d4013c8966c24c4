package report

import (
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/vqeval/vqeval/metrics"
)

const stripRow = vg.Length(12) // points, one transport's row

// stripPanel draws one row for each curve: a thin line where the frame is ok, a
// bar in the verdict's colour where it is not.
func stripPanel(x axis, curves []Curve) panel {
	n := float64(len(curves))
	p := panel{x: x, y: axis{lo: 0, hi: n, bare: true}, height: stripRow * vg.Length(len(curves))}
	for i, c := range curves {
		mid := n - float64(i) - .5 // the first curve on top
		p.y.ticks = append(p.y.ticks, plot.Tick{Value: mid, Label: c.Name})
		p.layers = append(p.layers, stripRowLayer(c.Rows, mid))
	}
	return p
}

// stripRowLayer paints runs of equal verdicts, the worst last, so that a single
// bad frame in a long clip is not painted over.
func stripRowLayer(rows []metrics.Row, mid float64) layer {
	return func(c draw.Canvas, at func(x, y float64) vg.Point) {
		for _, v := range verdicts() {
			for i := 0; i < len(rows); i++ {
				if rows[i].Verdict != v {
					continue
				}
				j := i
				for j+1 < len(rows) && rows[j+1].Verdict == v {
					j++
				}
				verdictBar(c, v, at(float64(rows[i].Frame)-.5, mid), at(float64(rows[j].Frame)+.5, mid).X)
				i = j
			}
		}
	}
}

// verdictBar paints v from the point to x1, inside the data area and at least
// .7 points wide.
func verdictBar(c draw.Canvas, v metrics.Verdict, from vg.Point, x1 vg.Length) {
	half := stripRow * .38
	if v == metrics.OK {
		half = stripRow * .12
	}
	x0 := max(from.X, c.Min.X)
	x1 = min(max(x1, x0+.7), c.Max.X)
	c.FillPolygon(verdictColor(v), []vg.Point{
		{X: x0, Y: from.Y - half}, {X: x1, Y: from.Y - half}, {X: x1, Y: from.Y + half}, {X: x0, Y: from.Y + half},
	})
}

// verdictKey explains the verdicts that occur.
func verdictKey(curves []Curve) []entry {
	var out []entry
	for _, v := range verdicts() {
		seen := slices.ContainsFunc(curves, func(c Curve) bool {
			return slices.ContainsFunc(c.Rows, func(r metrics.Row) bool { return r.Verdict == v })
		})
		if !seen {
			continue
		}
		out = append(out, entry{name: verdictName(v), mark: func(c draw.Canvas, x, y, w vg.Length) {
			verdictBar(draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{Min: vg.Point{X: x}, Max: vg.Point{X: x + w}}}, v, vg.Point{X: x, Y: y}, x+w)
		}})
	}
	return out
}
