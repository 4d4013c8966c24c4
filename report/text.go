package report

import (
	"image/color"

	xfont "golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// sans returns a text style in the built-in Liberation Sans, size in points.
func sans(size float64, c color.Color) text.Style {
	return text.Style{
		Color:   c,
		Font:    font.Font{Typeface: "Liberation", Variant: "Sans", Size: vg.Points(size)},
		Handler: plot.DefaultTextHandler,
	}
}

// bold is sans in bold.
func bold(size float64, c color.Color) text.Style {
	s := sans(size, c)
	s.Font.Weight = xfont.WeightBold
	return s
}

// outlined draws text as filled glyph outlines, so that an SVG or a PDF looks
// the same where the font is missing. (vgpdf would write an empty file for
// bold text and garble everything beyond Latin-1.)
type outlined struct{ vg.Canvas }

// FillString draws s with its baseline beginning at pt.
func (o outlined) FillString(f font.Face, pt vg.Point, s string) {
	var (
		buf  sfnt.Buffer
		ppem = fixed.Int26_6(f.Face.UnitsPerEm() << 6) // so that 26.6 units are font units
		k    = f.Font.Size / vg.Length(f.Face.UnitsPerEm()) / 64
		prev sfnt.GlyphIndex
	)
	for i, r := range s {
		g, err := f.Face.GlyphIndex(&buf, r)
		if err != nil {
			continue // no glyph: leave it out, as vgimg does
		}
		if i > 0 {
			if kern, err := f.Face.Kern(&buf, prev, g, ppem, xfont.HintingNone); err == nil {
				pt.X += vg.Length(kern) * k
			}
		}
		prev = g
		if segments, err := f.Face.LoadGlyph(&buf, g, ppem, nil); err == nil && len(segments) > 0 {
			o.Fill(glyphPath(segments, pt, k))
		}
		if advance, err := f.Face.GlyphAdvance(&buf, g, ppem, xfont.HintingNone); err == nil {
			pt.X += vg.Length(advance) * k
		}
	}
}

// glyphPath scales the outline of one glyph by k and moves it to pt.
func glyphPath(segments sfnt.Segments, pt vg.Point, k vg.Length) vg.Path {
	var p vg.Path
	at := func(v fixed.Point26_6) vg.Point {
		return vg.Point{X: pt.X + vg.Length(v.X)*k, Y: pt.Y - vg.Length(v.Y)*k}
	}
	for i, s := range segments {
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			if i > 0 {
				p.Close()
			}
			p.Move(at(s.Args[0]))
		case sfnt.SegmentOpLineTo:
			p.Line(at(s.Args[0]))
		case sfnt.SegmentOpQuadTo:
			p.QuadTo(at(s.Args[0]), at(s.Args[1]))
		case sfnt.SegmentOpCubeTo:
			p.CubeTo(at(s.Args[0]), at(s.Args[1]), at(s.Args[2]))
		}
	}
	p.Close()
	return p
}
