package report

import (
	"fmt"
	"io"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Format is the file format of a plot.
type Format uint8

// The formats. A PNG has 192 pixels an inch; SVG and PDF hold text as outlines.
const (
	PNG Format = iota
	SVG
	PDF
)

// dpi is the resolution of a PNG: twice that of an ordinary screen.
const dpi = 192

// String returns "png", "svg" or "pdf", which is also the file name extension.
func (f Format) String() string {
	switch f {
	case PNG:
		return "png"
	case SVG:
		return "svg"
	case PDF:
		return "pdf"
	}
	return fmt.Sprintf("format %d", uint8(f))
}

// MarshalText is String.
func (f Format) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (f *Format) UnmarshalText(b []byte) error {
	for g := PNG; g <= PDF; g++ {
		if string(b) == g.String() {
			*f = g
			return nil
		}
	}
	return fmt.Errorf("plot format %q: want png, svg or pdf", b)
}

// render makes a white canvas, lets draw fill it, and writes it to w.
func render(w io.Writer, f Format, width, height vg.Length, fill func(draw.Canvas)) error {
	var out io.WriterTo
	switch f {
	case PNG:
		c := vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(dpi))
		fill(draw.New(c))
		out = vgimg.PngCanvas{Canvas: c}
	case SVG:
		c := vgsvg.New(width, height)
		fill(draw.NewCanvas(outlined{c}, width, height))
		out = c
	case PDF:
		c := vgpdf.New(width, height)
		fill(draw.NewCanvas(outlined{c}, width, height))
		out = c
	default:
		return fmt.Errorf("plot: unknown %v", f)
	}
	if _, err := out.WriteTo(w); err != nil {
		return fmt.Errorf("plot as %v: %w", f, err)
	}
	return nil
}
