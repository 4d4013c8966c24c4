package decode

import (
	"github.com/asticode/go-astiav"

	"github.com/vqeval/vqeval/stream/h264"
)

// A fileFeeder feeds a decoder from a container.
type fileFeeder struct{ in *input }

func (f fileFeeder) feed(p *astiav.Packet) (pts int64, hidden bool, err error) {
	if err := f.in.next(); err != nil {
		return 0, false, err
	}
	p.MoveRef(f.in.packet)
	pts = noPTS
	if f.in.hasPTS {
		pts = f.in.ticks(p.Pts())
	}
	return pts, p.Flags().Has(astiav.PacketFlagDiscard), nil
}

func (f fileFeeder) warnings() []Warning { return f.in.warnings() }

func (f fileFeeder) close() { f.in.close() }

// startInput decodes a container's video. It owns in, also when it fails.
func startInput(in *input, o Options) (*Decoder, error) {
	par := in.stream.CodecParameters()
	s, err := newAVSource(par, fileFeeder{in}, o)
	if err != nil {
		in.close()
		return nil, err
	}
	rate := in.rate()
	if !rate.Known() && par.CodecID() == astiav.CodecIDH264 {
		if c, err := h264.ParseConfig(par.ExtraData()); err == nil && len(c.SPS) > 0 {
			rate = rateOf(c.SPS[0])
		}
	}
	s.relative, s.rate = true, rate.orDefault()
	return startAV(s, o, Info{
		Codec:     in.codec(),
		Container: in.kind(),
		FrameRate: s.rate,
		Frames:    in.frames(),
		HasPTS:    in.hasPTS,
	})
}

// startAV starts a decoder of libav and completes its Info.
func startAV(s *avSource, o Options, info Info) (*Decoder, error) {
	d, err := start(s, o, info)
	if err != nil || d.first == nil {
		return d, err
	}
	p := s.convert.plan
	d.info.PixelFormat = p.name
	d.info.RangeTag, d.info.Matrix = s.tag, s.matrix
	if p.source.full {
		d.info.RangeTag = RangeFull
	}
	d.info.ConvertedFrom = p.convertedFrom()
	if s.relative && s.origin != noPTS {
		d.info.Start = s.origin
	}
	return d, nil
}

// convertedFrom says what the pictures were, where a plan changes more than the
// order of their rows; empty = nothing.
func (p plan) convertedFrom() string {
	same := p.to.Size == p.from.Size && p.to.full == (p.from.full || p.source.full)
	switch {
	case same && p.source.convert && p.name == p.source.name:
		return p.source.from
	case same && !p.source.convert && p.name == p.source.name:
		return ""
	}
	return p.describe()
}

// rateOf returns the frame rate that an SPS tells.
func rateOf(n []byte) Rate {
	sps, err := h264.ParseSPS(n)
	if err != nil {
		return Rate{}
	}
	return Rate{int(sps.FrameRate.Num), int(sps.FrameRate.Den)}
}
