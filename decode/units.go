package decode

import (
	"io"

	"github.com/asticode/go-astiav"

	"github.com/vqeval/vqeval/stream/h264"
)

// padding is how many zero bytes libavcodec wants behind a packet, since its bit
// readers run ahead (AV_INPUT_BUFFER_PADDING_SIZE).
const padding = 64

// A unitFeeder feeds a decoder with access units as Annex B packets.
type unitFeeder struct {
	units  []h264.AccessUnit
	next   int
	buffer []byte
}

func (f *unitFeeder) feed(p *astiav.Packet) (pts int64, hidden bool, err error) {
	if f.next == len(f.units) {
		return 0, false, io.EOF
	}
	u := f.units[f.next]
	f.next++
	f.buffer = h264.AppendAnnexB(f.buffer[:0], u.NALUs...)
	size := len(f.buffer)
	for range padding {
		f.buffer = append(f.buffer, 0)
	}
	if err := p.FromData(f.buffer); err != nil {
		return 0, false, err
	}
	p.SetSize(size)
	return u.PTS, false, nil
}

func (f *unitFeeder) warnings() []Warning { return nil }

func (f *unitFeeder) close() {}

// OpenUnits decodes access units in decoding order, as they were received. Each
// frame tells the unit that it came from and has that unit's PTS, also where the
// decoder swallows units after a lost IDR. It uses one thread, whatever o says.
//
// Units of which nothing decodes are no error: Next returns io.EOF at once, and
// Info has no more than the SPS says.
func OpenUnits(units []h264.AccessUnit, o Options) (*Decoder, error) {
	o.Damaged = true
	s, err := newAVSource(nil, &unitFeeder{units: units}, o)
	if err != nil {
		return nil, err
	}
	info := Info{Codec: "h264", Frames: len(units), HasPTS: true}
	for _, u := range units {
		if n := firstSPS(u.NALUs); n != nil {
			if sps, err := h264.ParseSPS(n); err == nil {
				info.Width, info.Height = sps.Width, sps.Height
				info.FrameRate = rateOf(n)
				break
			}
		}
	}
	s.rate = info.FrameRate.orDefault()
	return startAV(s, o, info)
}

func firstSPS(nalus [][]byte) []byte {
	for _, n := range nalus {
		if h264.TypeOf(n) == h264.TypeSPS {
			return n
		}
	}
	return nil
}
