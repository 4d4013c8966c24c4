package report

import (
	"fmt"
	"image"
	"image/color"

	xdraw "golang.org/x/image/draw"
	xfont "golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/font/liberation"
)

// pen writes and fills on a picture, with one regular and one bold face.
type pen struct {
	on            *image.RGBA
	regular, bold xfont.Face
	size          int // of the text in pixels
}

// newPen opens the built-in Liberation Sans at a size in pixels.
func newPen(on *image.RGBA, size int) (*pen, error) {
	p := &pen{on: on, size: size}
	for _, f := range liberation.Collection() {
		if f.Font.Variant != "Sans" || f.Font.Style != xfont.StyleNormal {
			continue
		}
		face, err := opentype.NewFace(f.Face, &opentype.FaceOptions{Size: float64(size), DPI: 72, Hinting: xfont.HintingNone})
		if err != nil {
			return nil, fmt.Errorf("built-in font: %w", err)
		}
		if f.Font.Weight == xfont.WeightBold {
			p.bold = face
		} else {
			p.regular = face
		}
	}
	return p, nil
}

// text writes s with its left end and baseline at x, y and returns where it ends.
func (p *pen) text(face xfont.Face, c color.Color, x, y int, s string) int {
	d := xfont.Drawer{Dst: p.on, Src: image.NewUniform(c), Face: face, Dot: fixed.P(x, y)}
	d.DrawString(s)
	return d.Dot.X.Ceil()
}

// width is that of s in pixels.
func (p *pen) width(face xfont.Face, s string) int { return xfont.MeasureString(face, s).Ceil() }

// fit cuts s until it is at most width wide, and marks the cut.
func (p *pen) fit(face xfont.Face, s string, width int) string {
	if p.width(face, s) <= width {
		return s
	}
	r := []rune(s)
	for len(r) > 0 && p.width(face, string(r)+"…") > width {
		r = r[:len(r)-1]
	}
	return string(r) + "…"
}

// fill paints a rectangle.
func (p *pen) fill(r image.Rectangle, c color.Color) {
	xdraw.Draw(p.on, r, image.NewUniform(c), image.Point{}, xdraw.Src)
}

// frame draws a line of one pixel around the outside of r.
func (p *pen) frame(r image.Rectangle, c color.Color) {
	o := r.Inset(-1)
	p.fill(image.Rect(o.Min.X, o.Min.Y, o.Max.X, r.Min.Y), c)
	p.fill(image.Rect(o.Min.X, r.Max.Y, o.Max.X, o.Max.Y), c)
	p.fill(image.Rect(o.Min.X, o.Min.Y, r.Min.X, o.Max.Y), c)
	p.fill(image.Rect(r.Max.X, o.Min.Y, o.Max.X, o.Max.Y), c)
}

// place scales src into r. Enlarging by a whole factor repeats pixels, so that
// small pictures stay sharp.
func place(on *image.RGBA, r image.Rectangle, src image.Image) {
	s := src.Bounds()
	switch {
	case s.Size() == r.Size():
		xdraw.Draw(on, r, src, s.Min, xdraw.Src)
	case r.Dx() > s.Dx():
		xdraw.NearestNeighbor.Scale(on, r, src, s, xdraw.Src, nil)
	default:
		xdraw.CatmullRom.Scale(on, r, src, s, xdraw.Src, nil)
	}
}
