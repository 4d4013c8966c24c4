package stream

import (
	"errors"
	"fmt"
	"time"

	"github.com/pion/rtp"

	"github.com/vqeval/vqeval/stream/capture"
	"github.com/vqeval/vqeval/stream/rtph264"
)

// A packet says what a record is.
type packet struct {
	unit int32 // index in units; -1 = none: RTCP, another stream, damaged
	copy bool  // the same packet came before
}

// A mark is what a sender of ours says about an access unit.
type mark struct {
	reliable bool
	expires  time.Duration // 0 = never, or unknown
}

// survey finds the access units, what each packet belongs to, and the origin.
func (r *Recording) survey(rule OriginRule) error {
	d := r.depacketizer(rtph264.KeepPrefix)
	take := func() {
		for u, ok := d.Next(); ok; u, ok = d.Next() {
			r.slices = append(r.slices, hasSlice(u.NALUs))
			u.NALUs = nil
			r.units = append(r.units, u)
		}
	}
	for _, rec := range r.records {
		d.Push(rec.Packet, rec.At)
		take()
	}
	d.Flush()
	take()
	r.stats = d.Stats()
	r.stats.Foreign += r.foreign
	if len(r.units) == 0 {
		return fmt.Errorf("%v: %w", r.Stream, ErrNoVideo)
	}
	r.marks = make([]mark, len(r.units))
	r.assign()
	r.Origin = originOf(r.units, rule)
	r.base = r.units[0].First.Add(-r.pts(0))
	for i := range r.units {
		if b := r.units[i].First.Add(-r.pts(i)); b.Before(r.base) {
			r.base = b
		}
	}
	return nil
}

// ErrNoVideo says that a stream has no H.264.
var ErrNoVideo = errors.New("no H.264 in the stream")

// pts returns the presentation time of a unit.
func (r *Recording) pts(unit int) time.Duration {
	return ticks(r.units[unit].Timestamp - r.Origin.Ticks)
}

// A number is a sequence number as it stands in a packet.
type number struct {
	ssrc uint32
	seq  uint16
}

// assign finds the unit of each packet: sequence numbers return after 65536
// packets, so that of several units the one that came at that time is meant.
func (r *Recording) assign() {
	r.hold()
	type key struct {
		unit int32
		seq  uint16
	}
	seen := make(map[key]bool)
	r.packets = make([]packet, len(r.records))
	for i, rec := range r.records {
		r.packets[i].unit = -1
		h, ok := r.header(rec.Packet)
		if !ok {
			continue
		}
		unit := r.nearest(number{h.SSRC, h.SequenceNumber}, rec.At)
		if unit < 0 {
			continue
		}
		k := key{unit, h.SequenceNumber}
		r.packets[i] = packet{unit: unit, copy: seen[k]}
		seen[k] = true
		r.marks[unit].read(&h)
	}
}

// header reads the header of a packet of the stream and reports whether it is one.
func (r *Recording) header(packet []byte) (rtp.Header, bool) {
	h, _, ok := capture.Header(packet)
	return h, ok && h.PayloadType == r.Stream.PayloadType
}

// hold fills holders. Only numbers that came count: between two packets of one
// unit a damaged recording may lack any number of them.
func (r *Recording) hold() {
	r.holders = make(map[number][]int32, len(r.records))
	for _, rec := range r.records {
		if h, ok := r.header(rec.Packet); ok {
			r.holders[number{h.SSRC, h.SequenceNumber}] = nil
		}
	}
	for i, u := range r.units {
		span := u.LastSeq - u.FirstSeq + 1
		if span > int64(len(r.holders)) {
			for n, list := range r.holders {
				if n.ssrc == u.SSRC && int64(n.seq-uint16(u.FirstSeq)) < span {
					r.holders[n] = append(list, int32(i))
				}
			}
			continue
		}
		for e := u.FirstSeq; e <= u.LastSeq; e++ {
			n := number{u.SSRC, uint16(e)}
			if list, came := r.holders[n]; came {
				r.holders[n] = append(list, int32(i))
			}
		}
	}
}

// nearest returns the unit with a packet of this number that came nearest to
// at, or -1.
func (r *Recording) nearest(n number, at time.Time) int32 {
	best, distance := int32(-1), time.Duration(0)
	for _, i := range r.holders[n] {
		d := max(r.units[i].First.Sub(at), at.Sub(r.units[i].Last), 0)
		if best < 0 || d < distance {
			best, distance = i, d
		}
	}
	return best
}

// read takes the reliability extension: a bit, and the age of expiry in units
// of 16 ms, where 127 is never.
func (m *mark) read(h *rtp.Header) {
	const id, unit, never = 2, 16 * time.Millisecond, 127
	b := h.GetExtension(id)
	if len(b) != 1 || len(h.GetExtension(1)) != 1 {
		return
	}
	m.reliable = m.reliable || b[0]&0x80 != 0
	if age := b[0] & 0x7f; age != never {
		m.expires = time.Duration(age) * unit
	}
}
