package report

import (
	"fmt"
	"image"
	"image/color"

	"github.com/vqeval/vqeval/metrics"
)

// board is the layout: a column for the reference and one for each panel; a
// row for the pictures, one for the differences, one for SSIM.
type board struct {
	o            CompareOptions
	canvas       *image.RGBA
	pen          *pen
	cell         image.Point // size of a drawn picture
	column       int         // width of a column, at least that of its text
	source       image.Point
	em           int // size of the text in pixels; all distances follow it
	scale        string
	head, values int // heights above and below a picture
}

func newBoard(w, h, panels int, o CompareOptions) *board {
	width := o.CellWidth
	if width <= 0 {
		width = [...]int{640, 640, 640, 560, 480}[min(panels, 4)]
	}
	b := &board{o: o, source: image.Pt(w, h), scale: "pixel by pixel"}
	switch {
	case o.FullSize || w == width:
		b.cell = b.source
	case w > width:
		b.cell = image.Pt(width, max(1, (h*width+w/2)/w))
		b.scale = fmt.Sprintf("scaled to %d×%d", b.cell.X, b.cell.Y)
	default:
		k := max(1, width/w)
		b.cell = image.Pt(w*k, h*k)
		if k > 1 {
			b.scale = fmt.Sprintf("enlarged %d times", k)
		}
	}
	b.em = max(15, min(b.cell.X/30, 40))
	b.column = max(b.cell.X, 24*b.em)
	b.head, b.values = 2*b.em, 4*b.em+b.em/2
	size := image.Pt(2*b.margin()+(panels+1)*b.column+panels*b.gap(), b.top(b.rows()))
	b.canvas = image.NewRGBA(image.Rectangle{Max: size})
	return b
}

func (b *board) margin() int { return b.em * 3 / 2 }
func (b *board) gap() int    { return b.em }

func (b *board) rows() int {
	if b.o.NoMaps {
		return 1
	}
	return 3
}

// top returns where row r begins; top(rows) is the height of the board.
func (b *board) top(r int) int {
	y := b.margin() + 2*b.em
	if r > 0 {
		y += b.head + b.cell.Y + b.values
	}
	if r > 1 {
		y += (r - 1) * (b.cell.Y + 2*b.em + b.em/2)
	}
	return y
}

// at returns the rectangle of a picture in a row and a column.
func (b *board) at(row, col int) image.Rectangle {
	p := image.Pt(b.margin()+col*(b.column+b.gap()), b.top(row))
	if row == 0 {
		p.Y += b.head
	}
	return image.Rectangle{Min: p, Max: p.Add(b.cell)}
}

func (b *board) draw(ref metrics.Picture, panels []Panel) (err error) {
	if b.pen, err = newPen(b.canvas, b.em); err != nil {
		return err
	}
	b.pen.fill(b.canvas.Rect, color.White)
	y := b.margin() + b.em
	x := b.pen.text(b.pen.bold, rgb(inkText), b.margin(), y, b.o.Title)
	b.pen.text(b.pen.regular, rgb(inkFaint), x+b.em, y, fmt.Sprintf("%d×%d, %s; values of luma", b.source.X, b.source.Y, b.scale))
	if err := b.reference(ref); err != nil {
		return fmt.Errorf("reference: %w", err)
	}
	colors := palette(panelNames(panels))
	for i, p := range panels {
		if err := b.transport(i+1, ref, p, colors[i]); err != nil {
			return fmt.Errorf("%s: %w", p.Name, err)
		}
	}
	return nil
}

func panelNames(panels []Panel) []string {
	out := make([]string, len(panels))
	for i, p := range panels {
		out[i] = p.Name
	}
	return out
}

// show puts a picture into its cell, with a thin frame around it.
func (b *board) show(row, col int, img image.Image) {
	r := b.at(row, col)
	b.pen.frame(r, rgb(0xbbbbbb))
	place(b.canvas, r, img)
}

// reference draws the first column: the picture, and under it the scales of
// the two maps.
func (b *board) reference(ref metrics.Picture) error {
	img, err := Image(ref, b.o.Matrix)
	if err != nil {
		return err
	}
	b.show(0, 0, img)
	r := b.at(0, 0)
	b.pen.text(b.pen.bold, rgb(inkText), r.Min.X, r.Min.Y-b.em*2/3, "Reference")
	if b.o.NoMaps {
		return nil
	}
	bright := 255 / b.o.Gain
	b.key(1, "Difference of luma", fmt.Sprintf("absolute, in 8-bit codes, amplified ×%d", b.o.Gain), heat(),
		"0", fmt.Sprint(bright/2), fmt.Sprintf("≥ %d", bright))
	b.key(2, "Local SSIM of luma", "8×8 windows, every 4 samples", damage(), "≤ 0", "0.5", "1")
	return nil
}

// key explains a row of maps: a title, a remark and the scale with three labels.
func (b *board) key(row int, title, remark string, scale *ramp, labels ...string) {
	r := b.at(row, 0)
	x, y := r.Min.X, r.Min.Y+b.em
	b.pen.text(b.pen.bold, rgb(inkText), x, y, title)
	y += b.em * 3 / 2
	b.pen.text(b.pen.regular, rgb(inkFaint), x, y, b.pen.fit(b.pen.regular, remark, b.column))
	bar := image.Rect(x, y+b.em, x+b.column*3/4, y+b.em*2)
	for i := range bar.Dx() {
		b.pen.fill(image.Rect(bar.Min.X+i, bar.Min.Y, bar.Min.X+i+1, bar.Max.Y), scale[i*255/max(1, bar.Dx()-1)])
	}
	b.pen.frame(bar, rgb(0xbbbbbb))
	for i, s := range labels {
		at := bar.Min.X + bar.Dx()*i/(len(labels)-1)
		w := b.pen.width(b.pen.regular, s)
		b.pen.text(b.pen.regular, rgb(inkText), at-w*i/(len(labels)-1), bar.Max.Y+b.em*4/3, s)
	}
}

// transport draws one panel's column.
func (b *board) transport(col int, ref metrics.Picture, p Panel, c color.RGBA) error {
	img, err := Image(p.Picture, b.o.Matrix)
	if err != nil {
		return err
	}
	diff, err := Diff(ref, p.Picture, b.o.Gain)
	if err != nil {
		return err
	}
	b.show(0, col, img)
	b.heading(col, p, c)
	b.numbers(col, p)
	if b.o.NoMaps {
		return nil
	}
	local, err := SSIMMap(ref, p.Picture)
	if err != nil {
		return err
	}
	b.show(1, col, diff.Image)
	b.show(2, col, local)
	r := b.at(1, col)
	b.pen.text(b.pen.regular, rgb(inkFaint), r.Min.X, r.Max.Y+b.em*4/3, b.pen.fit(b.pen.regular, diff.String(), b.column))
	return nil
}

// heading writes the name above the picture, after a bar in its colour.
func (b *board) heading(col int, p Panel, c color.RGBA) {
	r := b.at(0, col)
	y := r.Min.Y - b.em*2/3
	b.pen.fill(image.Rect(r.Min.X, y-b.em*3/4, r.Min.X+b.em*2/5, y+b.em/8), c)
	b.pen.text(b.pen.bold, rgb(inkText), r.Min.X+b.em*4/5, y, b.pen.fit(b.pen.bold, p.Name, b.column-b.em))
}

// numbers writes the verdict and the three values below the picture.
func (b *board) numbers(col int, p Panel) {
	r := b.at(0, col)
	y := r.Max.Y + b.em*3/2
	x := r.Min.X
	for _, v := range []struct{ name, value string }{
		{"SSIM", fmt.Sprintf("%.4f", SSIM.of(p.Score))},
		{"PSNR", fmt.Sprintf("%.2f dB", PSNR.of(p.Score))},
		{"MSE", fmt.Sprintf("%.2f", MSE.of(p.Score))},
	} {
		x = b.pen.text(b.pen.regular, rgb(inkFaint), x, y, v.name+" ")
		x = b.pen.text(b.pen.bold, rgb(inkText), x, y, v.value) + b.em*4/5
	}
	y += b.em * 3 / 2
	b.pen.fill(image.Rect(r.Min.X, y-b.em*3/4, r.Min.X+b.em*4/5, y+b.em/20), verdictColor(p.Verdict))
	x = b.pen.text(b.pen.regular, rgb(inkText), r.Min.X+b.em*5/4, y, verdictName(p.Verdict))
	if p.Note != "" {
		x = b.pen.text(b.pen.regular, rgb(inkFaint), x, y, ", ")
		b.pen.text(b.pen.regular, rgb(inkFaint), x, y, b.pen.fit(b.pen.regular, p.Note, r.Min.X+b.column-x))
	}
}

// String says how much differs.
func (d Difference) String() string {
	if d.Differ == 0 {
		return "no sample differs"
	}
	share := 100 * float64(d.Differ) / float64(d.Image.Rect.Dx()*d.Image.Rect.Dy())
	return fmt.Sprintf("largest %d, %.2f %% of the samples differ", d.Largest, share)
}
