package decode

// #include "libav.h"
import "C"

import (
	"errors"
	"fmt"

	"github.com/asticode/go-astiav"

	"github.com/vqeval/vqeval/metrics"
)

// A shape is all that a picture's memory layout and meaning depend on.
type shape struct {
	Size
	format  int // libav's pixel format
	full    bool
	flipped bool // rows run upwards, as in some AVI files
}

func shapeOf(f *C.struct_AVFrame) shape {
	return shape{
		Size:    Size{int(f.width), int(f.height)},
		format:  int(f.format),
		full:    f.color_range == C.AVCOL_RANGE_JPEG,
		flipped: f.linesize[0] < 0,
	}
}

// A plan says what becomes of pictures of one shape.
type plan struct {
	from    shape
	source  layout
	to      shape // what libswscale makes; its format may have chroma that is not handed out
	format  metrics.Format
	name    string // pixel format that is handed out
	convert bool
}

// A converter finishes frames: most are handed out as they are, the others go
// through libswscale. The context is kept while the shapes stay.
type converter struct {
	options Options
	plan    plan
	ready   bool
	scaler  *C.struct_SwsContext
	notes   []Warning
}

func newConverter(o Options) *converter { return &converter{options: o} }

// finish fills in f's picture from f.decoded, the n-th frame of the stream.
func (c *converter) finish(f *Frame, n int) error {
	src := avFrame(f.decoded)
	if s := shapeOf(src); !c.ready || s != c.plan.from {
		if err := c.replan(s, n); err != nil {
			return fmt.Errorf("frame %d: %w", n, err)
		}
	}
	if !c.plan.convert {
		setPicture(f, src, c.plan.format)
		return nil
	}
	if f.shape != c.plan.to {
		if err := allocate(f.scaled, c.plan.to); err != nil {
			return err
		}
		f.shape = c.plan.to
	}
	dst := avFrame(f.scaled)
	if C.vq_scale(c.scaler, src, dst) < 0 {
		return fmt.Errorf("frame %d: libswscale cannot convert it", n)
	}
	f.decoded.Unref()
	setPicture(f, dst, c.plan.format)
	return nil
}

// setPicture points f's planes into av's memory.
func setPicture(f *Frame, av *C.struct_AVFrame, format metrics.Format) {
	f.Format = format
	f.Planes = [3]metrics.Plane{}
	for i := range format.Planes {
		w, h := format.PlaneSize(i, int(av.width), int(av.height))
		stride := int(av.linesize[i])
		f.Planes[i] = metrics.Plane{Pix: plane(av, i, stride*(h-1)+w*format.BytesPerSample()), Stride: stride, Width: w, Height: h}
	}
}

// allocate gives f a buffer for pictures of shape s.
func allocate(f *astiav.Frame, s shape) error {
	f.Unref()
	f.SetWidth(s.Width)
	f.SetHeight(s.Height)
	f.SetPixelFormat(astiav.PixelFormat(s.format))
	if err := f.AllocBuffer(0); err != nil {
		return fmt.Errorf("picture of %v: %w", s.Size, err)
	}
	return nil
}

// replan adapts to pictures of a new shape, the first time or on the way.
func (c *converter) replan(s shape, n int) error {
	p, err := makePlan(s, c.options)
	if err != nil {
		return err
	}
	if c.ready {
		c.change(c.plan, p, n)
	}
	if p.source.from != "" && !p.source.convert && !c.ready {
		c.notes = append(c.notes, Warning{Kind: NoAlpha, Detail: p.source.from})
	}
	c.close()
	c.plan, c.ready = p, true
	if !p.convert {
		return nil
	}
	id := s.format
	if p.source.full {
		id = p.source.id // the plain name: the range goes along by itself
	}
	c.scaler = C.vq_scaler(C.int(s.Width), C.int(s.Height), C.int(id), flag(s.full || p.source.full),
		C.int(p.to.Width), C.int(p.to.Height), C.int(p.to.format), flag(p.to.full))
	if c.scaler == nil {
		return fmt.Errorf("libswscale cannot convert %s to %s %v", p.describe(), p.name, p.to.Size)
	}
	return nil
}

// change notes the first change of shape on the way.
func (c *converter) change(was, is plan, n int) {
	for _, w := range c.notes {
		if w.Kind == SizeChange {
			return
		}
	}
	c.notes = append(c.notes, Warning{Kind: SizeChange, Frame: n, Detail: was.describe() + " before, " + is.describe() + " after"})
}

// describe says what the pictures were before any conversion.
func (p plan) describe() string {
	name := p.source.name
	if p.source.from != "" {
		name = p.source.from
	}
	if p.source.full || p.from.full {
		name = "full range " + name
	}
	return fmt.Sprintf("%s %v", name, p.from.Size)
}

// makePlan decides what becomes of pictures of shape s.
func makePlan(s shape, o Options) (plan, error) {
	l, err := layoutOf(s.format)
	if err != nil {
		return plan{}, err
	}
	target := l
	if o.PixelFormat != "" {
		if target, err = layoutByName(o.PixelFormat); err != nil {
			return plan{}, err
		}
		if target.convert || target.from != "" {
			return plan{}, fmt.Errorf("pixel format %s has no separate Y, U and V planes", o.PixelFormat)
		}
	}
	full := (s.full || l.full) && !l.rgb
	p := plan{from: s, source: l, format: target.format, name: target.name, to: shape{Size: s.Size, format: target.id, full: full}}
	switch {
	case o.Range != RangeUnknown:
		p.to.full = o.Range == RangeFull
	case target.full:
		p.to.full = true
	}
	if o.Scale != (Size{}) {
		if err := o.Scale.check(); err != nil {
			return plan{}, err
		}
		p.to.Size = o.Scale
	}
	p.format.FullRange = p.to.full
	if l.format.Planes == 1 && p.to.full != full {
		return plan{}, errors.New("the range of a grey picture cannot be converted")
	}
	p.convert = l.convert || s.flipped || p.to.Size != s.Size || p.to.full != full || target.format.Depth != l.format.Depth
	return p, chroma(&p, l, target)
}

// chroma completes a plan where Y, U and V change their number. libswscale takes
// every grey picture as full range and would stretch the luma: grey is made by
// leaving U and V out.
func chroma(p *plan, l, target layout) error {
	if l.format.Planes == 1 || target.format.Planes == 3 {
		p.convert = p.convert || target.id != l.id
		return nil
	}
	full, err := layoutByName("yuv444p" + depthSuffix(target.format.Depth))
	if err != nil {
		return err
	}
	p.to.format = full.id
	if !p.convert {
		p.to.format = l.id
	}
	return nil
}

func flag(b bool) C.int {
	if b {
		return 1
	}
	return 0
}

func (c *converter) close() {
	if c.scaler != nil {
		C.sws_freeContext(c.scaler)
		c.scaler = nil
	}
}
