package capture

import (
	"errors"
	"io"
	"net/netip"
	"slices"

	"github.com/pion/rtp"
)

const (
	// fewPackets is how many packets make an RTP stream: one or two datagrams
	// that begin with the right bits are chance.
	fewPackets = 3

	// nearby is how far apart the sequence numbers of two packets in a row
	// may be. RFC 3550 appendix A.1 has 3000 (MAX_DROPOUT).
	nearby = 3000

	firstDynamic  = 96   // payload types from here on have no fixed codec (RFC 3551)
	stragglers    = 32   // packets of a sender that come after it started anew
	maxCandidates = 4096 // streams under observation; more are not listed
)

// Streams reads all of r and lists its RTP streams, by arrival of their first
// packet. A damaged capture gives the streams before the damage and the error.
func Streams(r *Reader) ([]Stream, error) {
	var c Census
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return c.Streams(), nil
		}
		if err != nil {
			return c.Streams(), err
		}
		c.Add(rec)
	}
}

// A Census finds RTP streams among datagrams. The zero Census is empty.
type Census struct {
	seen  int // datagrams
	found map[flow]*candidate
	order []*candidate
}

type flow struct {
	src, dst netip.AddrPort
	ssrc     uint32
}

type candidate struct {
	Stream
	begin int    // number of the datagram it began with
	end   int    // and of its latest one
	last  uint16 // sequence number of the latest packet
	near  int    // packets whose sequence number is near the one before
	avc   int    // payloads that may be H.264
	full  int    // packets with a payload
	types [128]int
}

// Add counts one datagram. Only RTP of version 2 matters: RTCP is told apart
// by its packet type (RFC 5761 section 4).
func (c *Census) Add(rec Record) {
	c.seen++
	h, n, ok := Header(rec.Packet)
	if !ok {
		return
	}
	key := flow{rec.Src, rec.Dst, h.SSRC}
	s := c.found[key]
	if s == nil {
		if len(c.order) == maxCandidates {
			return
		}
		if c.found == nil {
			c.found = make(map[flow]*candidate)
		}
		s = &candidate{
			Stream: Stream{Src: rec.Src, Dst: rec.Dst, SSRC: h.SSRC, First: rec.At},
			begin:  c.seen,
			last:   h.SequenceNumber,
		}
		c.found[key] = s
		c.order = append(c.order, s)
	}
	s.end = c.seen
	s.add(rec, h, rec.Packet[n:])
}

// isRTCP reports whether a datagram is RTCP on the RTP port: second byte
// 192-223.
func isRTCP(p []byte) bool { return len(p) > 1 && p[1] >= 192 && p[1] <= 223 }

func (s *candidate) add(rec Record, h rtp.Header, payload []byte) {
	if d := int16(h.SequenceNumber - s.last); d < nearby && d > -nearby {
		s.near++
	}
	s.last = h.SequenceNumber
	s.types[h.PayloadType]++
	s.Packets++
	s.Bytes += int64(len(rec.Packet))
	s.Last = rec.At
	if len(payload) > 0 {
		s.full++
		if maybeH264(payload) {
			s.avc++
		}
	}
}

// maybeH264 reports whether an RTP payload can be one of RFC 6184: a NAL unit
// type in use, FU-A never both start and end of an unknown type, no error bit.
func maybeH264(p []byte) bool {
	if p[0]&0x80 != 0 {
		return false
	}
	switch t := p[0] & 31; {
	case t >= 1 && t <= 12:
		return true
	case t == 24: // STAP-A
		return len(p) > 3
	case t == 28: // FU-A
		return len(p) > 2 && p[1]&31 >= 1 && p[1]&31 <= 12
	}
	return false
}

// Streams lists what was found so far, by arrival of the first packet.
func (c *Census) Streams() []Stream {
	list := c.list(fewPackets)
	if len(list) == 0 { // almost nothing arrived: better a weak guess than none
		list = slices.DeleteFunc(c.list(1), func(s *candidate) bool { return !s.H264 })
	}
	return mergeRestarts(list)
}

// list judges the candidates of at least so many packets.
func (c *Census) list(least int) []*candidate {
	var list []*candidate
	for _, s := range c.order {
		if s.Packets < least || s.near*2 < s.Packets {
			continue
		}
		for t, n := range s.types {
			if n > s.types[s.PayloadType] {
				s.PayloadType = uint8(t)
			}
		}
		s.H264 = s.PayloadType >= firstDynamic && s.full > 0 && s.avc*10 >= s.full*9
		list = append(list, s)
	}
	return list
}

// mergeRestarts joins streams from one host to one port that follow one another; a
// few packets may still come from the one before.
func mergeRestarts(list []*candidate) []Stream {
	var out []Stream
	var last []*candidate // of each stream in out
	for _, s := range list {
		i := slices.IndexFunc(last, func(o *candidate) bool {
			return o.Src.Addr() == s.Src.Addr() && o.Dst == s.Dst && o.PayloadType == s.PayloadType && s.begin > o.end-min(stragglers, o.Packets/4)
		})
		if i < 0 {
			out, last = append(out, s.Stream), append(last, s)
			continue
		}
		o := &out[i]
		o.Restarts, last[i] = append(o.Restarts, s.SSRC), s
		o.Packets, o.Bytes, o.Last, o.H264 = o.Packets+s.Packets, o.Bytes+s.Bytes, s.Last, o.H264 || s.H264
	}
	return out
}
