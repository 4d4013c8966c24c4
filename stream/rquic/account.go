package rquic

import (
	"fmt"
	"sort"
	"time"
)

// lateGrace is how long packets are taken after the end of the flow, beyond
// three round trips: some may only have been held up.
const lateGrace = 100 * time.Millisecond

// ackGrace is how long the last acknowledgements have to leave before the
// connection ends: twice QUIC's max_ack_delay. With them the sender knows that
// all has come even if the goodbye gets lost.
const ackGrace = 50 * time.Millisecond

// repairGrace is how long a Receiver waits for the missing packets of reliable
// units after the end of the flow, without any packet arriving.
const repairGrace = 10 * time.Second

// maxLostRuns bounds what is kept of LOST records; later ones are forgotten.
const maxLostRuns = 1 << 20

// A told is one access unit of which the sender has told what it sent.
type told struct {
	auEnd
	first    int64 // extended sequence number of its first packet
	received int   // distinct packets of it
	closed   bool  // all have come
}

// last returns the sequence number behind u's last packet.
func (u told) last() int64 { return u.first + int64(u.packets) }

// An account compares what the sender says it sent with what came. It reads
// no clock and is not safe for concurrent use. Sequence numbers are extended
// to 64 bits: the value nearest to the highest so far. (RFC 3550 A.1 takes a
// packet 100 places late for a new source; a repeated one is easily that late.)
type account struct {
	units   []told
	have    map[int64]struct{} // packets of units that are not closed, or not told yet
	open    int                // units that are not closed
	fixed   int                // of them reliable ones
	lost    []lostRun
	end     *flowEnd
	high    int64 // highest sequence number
	begun   bool
	changed time.Time // latest packet or record
}

// A lostRun is a run of packets that the sender declared lost.
type lostRun struct {
	first int64
	count int
}

// extend returns the extended sequence number and keeps the highest.
func (a *account) extend(seq uint16) int64 {
	if !a.begun {
		a.begun, a.high = true, int64(seq)
	}
	s := a.high + int64(int16(seq-uint16(a.high)))
	a.high = max(a.high, s)
	return s
}

// packet notes an RTP packet.
func (a *account) packet(seq uint16, now time.Time) {
	a.changed = now
	s := a.extend(seq)
	if a.have == nil {
		a.have = map[int64]struct{}{}
	}
	u := a.find(s)
	if _, ok := a.have[s]; ok || u != nil && u.closed {
		return
	}
	a.have[s] = struct{}{}
	if u != nil {
		u.received++
		a.settle(u)
	}
}

// find returns the unit that s belongs to, nil if it is not told yet.
func (a *account) find(s int64) *told {
	i := sort.Search(len(a.units), func(i int) bool { return a.units[i].first > s })
	if i == 0 {
		return nil
	}
	if u := &a.units[i-1]; s < u.last() {
		return u
	}
	return nil
}

// unit notes an AU_END. They come in order, and their packets do not overlap.
func (a *account) unit(e auEnd, now time.Time) error {
	a.changed = now
	if int(e.index) != len(a.units) {
		return fmt.Errorf("%w: AU_END of access unit %d, want %d", errControl, e.index, len(a.units))
	}
	u := told{auEnd: e, first: a.extend(e.firstSeq)}
	if n := len(a.units); n > 0 && u.first < a.units[n-1].last() {
		return fmt.Errorf("%w: the packets of access unit %d overlap those before", errControl, e.index)
	}
	for s := u.first; s < u.last(); s++ {
		if _, ok := a.have[s]; ok {
			u.received++
		}
	}
	a.units = append(a.units, u)
	a.open++
	if u.reliable {
		a.fixed++
	}
	a.settle(&a.units[len(a.units)-1])
	return nil
}

// settle closes u if all of its packets that were sent have come.
func (a *account) settle(u *told) {
	if u.closed || u.received < int(u.sent) {
		return
	}
	u.closed = true
	a.open--
	if u.reliable {
		a.fixed--
	}
	for s := u.first; s < u.last(); s++ {
		delete(a.have, s)
	}
}

// losses notes a LOST.
func (a *account) losses(ranges []seqRange, now time.Time) {
	a.changed = now
	for _, r := range ranges[:min(len(ranges), maxLostRuns-len(a.lost))] {
		a.lost = append(a.lost, lostRun{a.extend(r.first), int(r.count)})
	}
}

// finish notes the FLOW_END.
func (a *account) finish(f flowEnd, now time.Time) error {
	a.changed = now
	if int(f.units) < len(a.units) {
		return fmt.Errorf("%w: FLOW_END after %d access units says %d", errControl, len(a.units), f.units)
	}
	a.end = &f
	return nil
}

// due says when the receiver may end the flow if nothing more comes. starved is
// since when its user has waited for a packet in vain. It is for after the end
// of the flow.
func (a *account) due(starved time.Time, rtt time.Duration) time.Time {
	since := a.changed
	if starved.After(since) {
		since = starved
	}
	switch {
	case a.open == 0 && len(a.units) == int(a.end.units):
		return a.changed.Add(ackGrace)
	case a.fixed > 0:
		return since.Add(repairGrace)
	}
	return since.Add(3*rtt + lateGrace)
}
