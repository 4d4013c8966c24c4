package report

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// axis is one axis of a panel: its range, its ticks, and whether it is
// logarithmic (lo must be positive then).
type axis struct {
	label  string
	lo, hi float64
	ticks  []plot.Tick
	log    bool
	bare   bool // labels without a line or tick marks
}

// panel is one data area. Its layers are drawn in order, above the grid.
type panel struct {
	x, y   axis
	height vg.Length // of the data area
	layers []layer
}

// layer draws into a panel's data area. at turns data into canvas coordinates.
type layer func(c draw.Canvas, at func(x, y float64) vg.Point)

// Plot makes a layer a plot.Plotter without a glyph box: the data never moves
// the axes, so that stacked panels stay flush.
func (l layer) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	l(c, func(vx, vy float64) vg.Point { return vg.Point{X: x(vx), Y: y(vy)} })
}

// plot builds the gonum plot. Only the last panel of a stack labels its x axis.
func (p panel) plot(last bool) *plot.Plot {
	g := plot.New()
	for _, a := range []struct {
		to   *plot.Axis
		from axis
	}{{&g.X, p.x}, {&g.Y, p.y}} {
		style(a.to, a.from)
	}
	g.Y.Label.Text = "" // the sheet writes it
	if !last {
		g.X.Label.Text = ""
		g.X.Tick.Marker = unlabelled(p.x.ticks)
	}
	g.Add(p.grid())
	for _, l := range p.layers {
		g.Add(l)
	}
	return g
}

func style(to *plot.Axis, from axis) {
	to.Label.Text = from.label
	to.Label.TextStyle.Font = sans(9, nil).Font
	to.Label.TextStyle.Color = rgb(inkText)
	to.Label.Padding = vg.Points(2)
	to.Tick.Label.Font = sans(8, nil).Font
	to.Tick.Label.Color = rgb(inkText)
	to.Tick.Marker = fixedTicks(from.ticks)
	to.Tick.Length = vg.Points(3)
	to.LineStyle = draw.LineStyle{Color: rgb(inkFrame), Width: vg.Points(.6)}
	to.Tick.LineStyle = to.LineStyle
	to.Padding = 0
	to.Min, to.Max = from.lo, from.hi
	if from.bare {
		to.LineStyle.Width, to.Tick.LineStyle.Width = 0, 0
	}
	if from.log {
		to.Scale = plot.LogScale{}
	}
}

// grid is the pale thin grid at the labelled ticks.
func (p panel) grid() layer {
	return func(c draw.Canvas, at func(x, y float64) vg.Point) {
		line := draw.LineStyle{Color: rgb(inkGrid), Width: vg.Points(.5)}
		for _, t := range p.x.ticks {
			if !t.IsMinor() {
				x := at(t.Value, p.y.lo).X
				c.StrokeLine2(line, x, c.Min.Y, x, c.Max.Y)
			}
		}
		for _, t := range p.y.ticks {
			if !t.IsMinor() && !p.y.bare {
				y := at(p.x.lo, t.Value).Y
				c.StrokeLine2(line, c.Min.X, y, c.Max.X, y)
			}
		}
	}
}

// polyline draws the points as one line. A break is a point whose ok is false.
func polyline(style draw.LineStyle, n int, point func(i int) (x, y float64, ok bool)) layer {
	return func(c draw.Canvas, at func(x, y float64) vg.Point) {
		var run []vg.Point
		flush := func() {
			if len(run) == 1 { // a lone point would be invisible
				run = append(run, vg.Point{X: run[0].X + style.Width, Y: run[0].Y})
			}
			if len(run) > 0 {
				c.StrokeLines(style, run)
			}
			run = nil
		}
		for i := range n {
			x, y, ok := point(i)
			if !ok {
				flush()
				continue
			}
			run = append(run, at(x, y))
		}
		flush()
	}
}

// dashedAt is the marker of the chosen frame or moment, the height of the panel.
func dashedAt(x float64) layer {
	return func(c draw.Canvas, at func(x, y float64) vg.Point) {
		style := draw.LineStyle{Color: rgb(inkFaint), Width: vg.Points(.7), Dashes: []vg.Length{vg.Points(3), vg.Points(2)}}
		px := at(x, 1).X
		c.StrokeLine2(style, px, c.Min.Y, px, c.Max.Y)
	}
}
