package decode

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/asticode/go-astiav"
)

// noPTS marks a time that is not known.
const noPTS = math.MinInt64

// A source makes frames one after the other.
type source interface {
	read(ctx context.Context, f *Frame) error // fills f; io.EOF is the end
	warnings() []Warning                      // what it met so far
	repeatable() bool                         // see Decoder.Repeatable
	close()
}

// A feeder makes packets one after the other. It puts one into p and returns its
// presentation time; io.EOF is the end.
type feeder interface {
	feed(p *astiav.Packet) (pts int64, hidden bool, err error)
	warnings() []Warning
	close()
}

// window is how many packets may lie between the one that goes into a decoder and
// the one whose picture comes out: 16 pictures of reordering, and as many threads
// as libavcodec uses, are far less.
const window = 1024

// An avSource decodes with libavcodec.
//
// Each packet goes in with its number as its presentation time, since every
// decoder hands that through to the picture, whatever it swallows or reorders on
// the way. The real times wait in a ring.
type avSource struct {
	codec    *astiav.CodecContext
	feeder   feeder
	packet   *astiav.Packet
	waiting  bool // packet is not yet taken by the decoder
	draining bool
	sent     int
	times    [window]int64
	origin   int64 // the earliest time among the packets before the first picture
	fixed    bool  // origin no longer moves
	relative bool  // times count from origin; else as the feeder gives them
	rate     Rate  // for streams without times
	convert  *converter
	frames   int
	tag      Range  // of the first picture
	matrix   string // of the first picture
	hidden   int
	trouble  Warning
	failures int // in a row
}

// maxFailures ends a decoder that fails and fails without taking packets.
const maxFailures = 1000

// newAVSource opens a decoder. par may be nil for H.264 with its parameter sets in
// the stream.
func newAVSource(par *astiav.CodecParameters, fd feeder, o Options) (*avSource, error) {
	id := astiav.CodecIDH264
	if par != nil {
		id = par.CodecID()
	}
	c := astiav.FindDecoder(id)
	if c == nil {
		return nil, fmt.Errorf("no decoder for %s", id.Name())
	}
	s := &avSource{codec: astiav.AllocCodecContext(c), feeder: fd, packet: astiav.AllocPacket(), origin: noPTS, convert: newConverter(o)}
	err := libav(func() error {
		if par != nil {
			if err := par.ToCodecContext(s.codec); err != nil {
				return err
			}
		}
		s.codec.SetThreadCount(o.threads())
		// Cropping to the sample, not to the next aligned address.
		s.codec.SetFlags(s.codec.Flags().Add(astiav.CodecContextFlagUnaligned))
		return s.codec.Open(c, nil)
	})
	if err != nil {
		s.packet.Free()
		s.codec.Free()
		return nil, fmt.Errorf("decoder %s: %w", c.Name(), err)
	}
	return s, nil
}

// read decodes one picture. It sends first and receives then, one packet for one
// picture: a decoder that has to say "again" costs an allocation for its error.
func (s *avSource) read(ctx context.Context, f *Frame) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := s.send(); err != nil {
			return err
		}
		err := s.codec.ReceiveFrame(f.decoded)
		switch {
		case err == nil:
			s.failures = 0
			return s.deliver(f)
		case errors.Is(err, astiav.ErrEof):
			return io.EOF
		case errors.Is(err, astiav.ErrEagain):
		default:
			if s.fail(err); s.failures > maxFailures {
				return err
			}
		}
	}
}

// send gives the decoder one packet, or the end of the stream, if it takes one.
func (s *avSource) send() error {
	if s.draining {
		return nil
	}
	if !s.waiting {
		switch err := s.load(); {
		case errors.Is(err, io.EOF):
			s.draining = true
			if err := s.codec.SendPacket(nil); err != nil { // of a picture that was still in the decoder
				s.fail(err)
			}
			return nil
		case err != nil:
			return err
		}
	}
	if s.packet.Size() == 0 { // of which libavcodec would say that it is invalid
		s.packet.Unref()
		return nil
	}
	err := s.codec.SendPacket(s.packet)
	s.waiting = errors.Is(err, astiav.ErrEagain)
	if s.waiting {
		return nil
	}
	if err != nil {
		s.fail(err)
	}
	s.packet.Unref()
	return nil
}

// load fetches the next packet and swaps its time for its number.
func (s *avSource) load() error {
	pts, hidden, err := s.feeder.feed(s.packet)
	if err != nil {
		return err
	}
	if hidden {
		s.hidden++
	} else if !s.fixed && pts != noPTS && (s.origin == noPTS || pts < s.origin) {
		s.origin = pts
	}
	s.times[s.sent%window] = pts
	s.packet.SetPts(int64(s.sent))
	s.packet.SetDts(astiav.NoPtsValue)
	s.sent++
	return nil
}

func (s *avSource) fail(err error) {
	s.failures++
	if s.trouble.Count == 0 {
		s.trouble = Warning{Kind: Corrupt, Frame: s.frames, Detail: err.Error()}
	}
	s.trouble.Count++
}

// deliver turns what the decoder gave into a Frame.
func (s *avSource) deliver(f *Frame) error {
	s.fixed = true
	av := avFrame(f.decoded)
	f.Unit, f.PTS = -1, noPTS
	if n := int(av.pts); n >= 0 && n < s.sent && s.sent-n <= window {
		f.Unit, f.PTS = n, s.times[n%window]
	}
	switch {
	case f.PTS == noPTS:
		f.PTS = s.rate.ticks(s.frames)
	case s.relative:
		f.PTS -= s.origin
	}
	f.Concealed = concealed(av)
	if f.Concealed && s.trouble.Count == 0 {
		s.trouble = Warning{Kind: Corrupt, Frame: s.frames}
	}
	if f.Concealed {
		s.trouble.Count++
	}
	if s.frames == 0 {
		s.tag, s.matrix = rangeTag(av), matrix(av)
	}
	s.frames++
	return s.convert.finish(f, s.frames-1)
}

func (s *avSource) warnings() []Warning {
	w := append([]Warning(nil), s.feeder.warnings()...)
	if s.trouble.Count > 0 {
		w = append(w, s.trouble)
	}
	if s.hidden > 0 {
		w = append(w, Warning{Kind: Hidden, Count: s.hidden})
	}
	return append(w, s.convert.notes...)
}

func (s *avSource) repeatable() bool { return s.trouble.Count == 0 || s.codec.ThreadCount() == 1 }

func (s *avSource) close() {
	s.feeder.close()
	s.convert.close()
	s.packet.Free()
	s.codec.Free()
}
