package rtph264

import "time"

// DefaultWindow is how many packets may wait behind a gap for the missing ones.
const DefaultWindow = 512

// A Depacketizer turns the datagrams that arrive on a port into access units.
// Its fields are configuration, to be set before the first Push; its zero value
// takes the first H.264 stream it sees.
//
// Packets are ordered by sequence number, never by timestamp. An access unit
// ends where the timestamp changes; the marker bit is only a hint, since some
// senders set it on every NAL unit and some never.
//
// Missing packets are charged to units so: between packets of one timestamp to
// that unit. Between two units, to the earlier one if it did not end (its last
// packet has no marker, in a stream that has markers at the ends of units) and
// the later one begins at its beginning; to the later one if the earlier ended,
// or if what came of the later one is not its beginning; half to each if neither
// end is whole; and to neither, as LostBefore, if both are: then whole units are
// missing. Beginning and end are known from frame marking, and without it
// guessed from delimiters, parameter sets and first_mb_in_slice.
type Depacketizer struct {
	Policy      Policy
	Window      int    // packets that wait behind a gap before it is given up; 0 = DefaultWindow
	PayloadType int    // the only one accepted; 0 and -1 = that of the first packet that looks like H.264
	SSRC        uint32 // with HasSSRC, the only source accepted
	HasSSRC     bool   // without it, the first source, and the one that takes over when that falls silent

	stats     Stats
	learned   int // payload type, once known
	source    source
	lost      int // of sources before this one
	rivals    []rival
	strangers []uint32 // sources that sent at the same time as ours
	assembler assembler
}

// Push takes one datagram that arrived at a time; it does not keep its memory.
// Whatever is in it, nothing worse happens than that a counter goes up.
func (d *Depacketizer) Push(b []byte, at time.Time) {
	p := packet{at: at}
	err := p.readHeader(b)
	if err == nil && !d.accepts(&p) {
		err = errForeign
	}
	if err == nil {
		err = p.readBody(b)
	}
	if err == nil && d.learned == 0 && !d.learn(&p) {
		err = errForeign
	}
	switch err {
	case nil:
		d.route(&p)
	case errForeign:
		d.stats.Foreign++
	default:
		d.stats.Malformed++
	}
}

// Flush gives up all gaps and ends the last unit: the stream is over. Push may
// still be called; what it brings of the same unit becomes another one.
func (d *Depacketizer) Flush() {
	if r := d.heir(); r >= 0 {
		d.restart(r)
	}
	for _, r := range d.rivals {
		d.stats.Foreign += len(r.packets)
	}
	d.rivals = nil
	d.drain()
}

// drain ends what the current source has begun.
func (d *Depacketizer) drain() {
	d.source.release(d.window(), true, d.take)
	d.assembler.end(&d.stats, d.Policy)
}

// Next returns the next finished unit, in sequence order. ok is false if none
// is ready.
func (d *Depacketizer) Next() (u Unit, ok bool) { return d.assembler.pop() }

// Stats returns the counters so far. Lost includes packets that may still come.
func (d *Depacketizer) Stats() Stats {
	s := d.stats
	s.Lost, s.ClockLeaps = d.lost+d.source.lost(), d.assembler.clock.leaps
	return s
}

func (d *Depacketizer) window() int {
	if d.Window <= 0 {
		return DefaultWindow
	}
	return d.Window
}

// accepts reports whether payload type and SSRC are those asked for.
func (d *Depacketizer) accepts(p *packet) bool {
	if d.HasSSRC && p.ssrc != d.SSRC {
		return false
	}
	want := d.learned
	if d.PayloadType > 0 {
		want = d.PayloadType
	}
	return want == 0 || int(p.payloadType) == want
}

// learn settles the payload type by the first packet. Without one asked for it
// must be dynamic (RFC 3551, section 6), and the payload must look like H.264.
func (d *Depacketizer) learn(p *packet) bool {
	if d.PayloadType <= 0 && (p.payloadType < 96 || !plausible(p.payload)) {
		return false
	}
	d.learned = int(p.payloadType)
	return true
}

// route gives a packet to the current source or to a rival of it.
func (d *Depacketizer) route(p *packet) {
	if !d.source.open {
		d.source = newSource(p, int64(p.seq))
	}
	if p.ssrc != d.source.ssrc || d.source.strange(p) {
		d.suspect(p)
		return
	}
	d.outlive()
	d.arrive(p)
}

// arrive takes a packet of the current source.
func (d *Depacketizer) arrive(p *packet) {
	d.stats.Packets++
	d.stats.Bytes += int64(p.size)
	how := d.source.note(p)
	switch how {
	case duplicate:
		d.stats.Duplicates++
		return
	case late:
		d.stats.Late++
	case reordered:
		d.stats.Reordered++
	}
	if len(p.payload) == 0 {
		d.stats.PaddingOnly++
	}
	s := &d.source
	switch {
	case how == late:
	case s.started && p.ext == s.next && len(s.held) == 0:
		d.take(p, 0)
		s.next++
	default:
		s.hold(p)
		s.release(d.window(), false, d.take)
	}
}

// take passes a packet, the next in order, to the assembler.
func (d *Depacketizer) take(p *packet, lost int) {
	d.assembler.add(p, lost, &d.stats, d.Policy)
}
