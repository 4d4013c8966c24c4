package score

import (
	"bytes"
	"context"

	"github.com/vqeval/vqeval/decode"
	"github.com/vqeval/vqeval/metrics"
	"github.com/vqeval/vqeval/stream/h264"
)

// monochrome looks at the first pictures and has luma alone measured where one
// side has no chroma: libavcodec hands out monochrome H.264 with chroma planes
// that it made up.
func (p *pass) monochrome(ctx context.Context) {
	p.first = <-p.ref.frames
	mono := p.first != nil && p.group.ref.monochrome(ctx, p.first.Picture)
	for _, l := range p.lanes {
		h := l.peek()
		if h == nil || l.c.lumaOnly || l.c.monochrome(ctx, h.Picture) == mono {
			continue
		}
		who := "capture"
		if mono {
			who = "reference"
		}
		l.c.lumaOnly = true
		l.c.notes = append(l.c.notes, "only luma is compared: the "+who+" is monochrome")
	}
}

// monochrome reports whether a stream whose first picture is p has no chroma.
func (s *source) monochrome(ctx context.Context, p metrics.Picture) bool {
	if !s.looked {
		s.looked = true
		s.mono = s.info.Codec == "h264" && s.convert.format == "" && colourless(p) && s.declaresMono(ctx)
	}
	return s.mono
}

// declaresMono looks for chroma_format_idc 0 in the parameter sets.
func (s *source) declaresMono(ctx context.Context) bool {
	units := s.units
	if !s.bare {
		if !readable(s.path) {
			return false
		}
		clip, err := decode.ReadUnits(ctx, s.path)
		if err != nil {
			return false
		}
		units = clip.Units
	}
	for _, u := range units {
		for _, n := range u.NALUs {
			if h264.TypeOf(n) == h264.TypeSPS {
				sps, err := h264.ParseSPS(n)
				return err == nil && sps.ChromaFormat == 0
			}
		}
	}
	return false
}

// colourless reports whether all chroma samples are the middle value.
func colourless(p metrics.Picture) bool {
	if p.Format.Planes != 3 {
		return false
	}
	size := p.Format.BytesPerSample()
	for _, c := range p.Planes[1:] {
		grey := greyRow(p.Format, c.Width*size)
		for y := range c.Height {
			if !bytes.Equal(c.Pix[y*c.Stride:y*c.Stride+len(grey)], grey) {
				return false
			}
		}
	}
	return true
}
