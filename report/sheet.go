package report

import (
	"errors"
	"image/color"
	"io"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// sheet is a whole plot: a title and a legend above, panels with flush axes
// below each other, and a key of marks under them.
type sheet struct {
	title  string
	legend []entry
	key    []entry
	panels []panel
	width  vg.Length // 0 = 17 cm, the text width of an A4 page
}

// entry is one item of a legend. mark draws its sample between x and x+width
// around the height y; without it, the entry is a faint remark.
type entry struct {
	name string
	mark func(c draw.Canvas, x, y, width vg.Length)
}

const (
	margin     = vg.Length(10) // points, all round
	headroom   = vg.Length(8)  // above the first panel, for its top label
	gapPanels  = vg.Length(13) // from data area to data area
	labelWidth = vg.Length(13) // of the vertical labels
	lineHeight = vg.Length(15) // of a legend row
	markWidth  = vg.Length(17)
	markGap    = vg.Length(5)
	entryGap   = vg.Length(13)
)

// write lays the sheet out and renders it.
func (s sheet) write(w io.Writer, f Format) error {
	if len(s.panels) == 0 {
		return errors.New("plot: nothing to draw")
	}
	if s.width == 0 {
		s.width = 17 * vg.Centimeter
	}
	plots := make([]*plot.Plot, len(s.panels))
	for i, p := range s.panels {
		plots[i] = p.plot(i == len(s.panels)-1)
	}
	return render(w, f, s.width, s.height(plots), func(c draw.Canvas) { s.draw(c, plots) })
}

// height is the sum of what is stacked.
func (s sheet) height(plots []*plot.Plot) vg.Length {
	h := 2*margin + s.titleHeight() + headroom
	h += lineHeight * vg.Length(len(s.rows(s.legend))+len(s.rows(s.key)))
	for _, p := range s.panels {
		h += p.height
	}
	last := len(plots) - 1
	below, _ := s.surround(plots[last], s.panels[last].height)
	return h + gapPanels*vg.Length(last) + below
}

func (s sheet) titleHeight() vg.Length {
	if s.title == "" {
		return 0
	}
	return 19
}

// surround returns how much of a plot's canvas lies below and above its data
// area when that is height high. The two depend on the height a little, so they
// are found by repetition.
func (s sheet) surround(p *plot.Plot, height vg.Length) (below, above vg.Length) {
	for range 4 {
		area := draw.Canvas{Rectangle: vg.Rectangle{Max: vg.Point{X: s.width, Y: height + below + above}}}
		in := p.DataCanvas(area)
		below, above = in.Min.Y, area.Max.Y-in.Max.Y
	}
	return below, above
}

func (s sheet) draw(c draw.Canvas, plots []*plot.Plot) {
	c.FillPolygon(color.White, []vg.Point{c.Min, {X: c.Max.X, Y: c.Min.Y}, c.Max, {X: c.Min.X, Y: c.Max.Y}})
	c = draw.Crop(c, margin, -margin-4, margin, -margin)
	y := c.Max.Y
	if s.title != "" {
		st := bold(11, rgb(inkText))
		st.YAlign = text.YTop
		c.FillText(st, vg.Point{X: c.Min.X, Y: y}, s.title)
		y -= s.titleHeight()
	}
	y = drawRows(c, s.rows(s.legend), y) - headroom
	left, right := margins(c, plots)
	for i, p := range plots {
		h := s.panels[i].height
		below, above := s.surround(p, h)
		area := c
		area.Max.Y, area.Min.Y = y+above, y-h-below
		in := p.DataCanvas(area)
		p.Draw(draw.Crop(area, left-(in.Min.X-area.Min.X), -(right - (area.Max.X - in.Max.X)), 0, 0))
		drawLabel(c, s.panels[i].y.label, y-h/2)
		y -= h
		if i < len(plots)-1 {
			y -= gapPanels
		} else {
			y -= below
		}
	}
	drawRows(c, s.rows(s.key), y)
}

// drawLabel writes the label of a vertical axis upwards along the left edge,
// so that the labels of all panels stand in one line.
func drawLabel(c draw.Canvas, label string, mid vg.Length) {
	st := sans(9, rgb(inkText))
	st.Rotation = math.Pi / 2
	st.XAlign, st.YAlign = text.XCenter, text.YTop
	c.FillText(st, vg.Point{X: c.Min.X, Y: mid}, label)
}

// margins returns the widest space that any plot needs beside its data, with
// room for the labels at the left.
func margins(c draw.Canvas, plots []*plot.Plot) (left, right vg.Length) {
	for _, p := range plots {
		in := p.DataCanvas(c)
		left, right = max(left, in.Min.X-c.Min.X), max(right, c.Max.X-in.Max.X)
	}
	return left + labelWidth, right
}

// rows breaks entries into rows that fit the sheet.
func (s sheet) rows(entries []entry) [][]entry {
	var rows [][]entry
	x, limit := vg.Length(0), s.width-2*margin-4
	for _, e := range entries {
		w := e.width()
		if len(rows) == 0 || x+w > limit {
			rows, x = append(rows, nil), 0
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], e)
		x += w + entryGap
	}
	return rows
}

func (e entry) width() vg.Length {
	w := sans(9, nil).Width(e.name)
	if e.mark != nil {
		w += markWidth + markGap
	}
	return w
}

// drawRows draws legend rows downwards from y and returns where they end.
func drawRows(c draw.Canvas, rows [][]entry, y vg.Length) vg.Length {
	for _, row := range rows {
		x, mid := c.Min.X, y-lineHeight/2
		for _, e := range row {
			at, ink := x, rgb(inkFaint)
			if e.mark != nil {
				e.mark(c, x, mid, markWidth)
				at, ink = x+markWidth+markGap, rgb(inkText)
			}
			st := sans(9, ink)
			st.YAlign = text.YCenter
			c.FillText(st, vg.Point{X: at, Y: mid}, e.name)
			x += e.width() + entryGap
		}
		y -= lineHeight
	}
	return y
}
