package rtph264

import (
	"slices"

	"github.com/vqeval/vqeval/stream/h264"
)

// An assembler rejoins NAL units from packets in order, and groups them to
// units. Its zero value stands before the first packet.
type assembler struct {
	open       bool // a unit is being collected
	unit       Unit
	timestamp  uint32 // of the unit's packets
	buf        []byte // the NAL units of unit, one behind the other
	ends       []int  // where in buf each ends
	fragment   fragment
	starts     tri  // the first packet is the beginning of the unit
	lastMarker bool // the last packet has the marker bit
	lastMark   byte // frame marking of the last packet
	bad        bool // a payload could not be read

	carry   int    // packets lost before one without payload
	before  charge // for the next unit
	clock   clock
	markers bool // units end with a marker in this stream
	inner   bool // markers stand inside units, too: they tell nothing
	waiting bool // WaitIDR waits
	settled bool // a unit of this source has ended
	done    []Unit
}

// A fragment is a NAL unit that comes in FU-A packets.
type fragment struct {
	open     bool
	skipping bool      // the first fragment or one before is missing: the rest is passed over
	typ      h264.Type // of the one being collected or passed over
	start    int       // where it begins in buf
}

// add takes the next packet, before which some were lost.
func (a *assembler) add(p *packet, lost int, stats *Stats, policy Policy) {
	lost += a.carry
	a.carry = 0
	if len(p.payload) == 0 {
		a.carry = lost
		return
	}
	same := a.open && p.timestamp == a.timestamp
	if lost > 0 {
		a.gap(p, lost, same, policy)
	} else if same && a.lastMarker {
		a.inner = true
	}
	if a.open && !same {
		a.finish(stats, policy)
	}
	if !a.open {
		a.begin(p)
	}
	a.count(p)
	a.payload(p, stats, policy)
}

// gap books lost packets before p: a fragment in progress ends here, and the
// loss is charged to units.
func (a *assembler) gap(p *packet, lost int, same bool, policy Policy) {
	ended := a.ended()
	if a.close(policy) {
		a.fragment.skipping = true
	}
	switch {
	case same:
		a.unit.Lost += lost
	case a.open:
		c := split(lost, ended, startOf(p))
		a.unit.Lost += c.earlier
		a.before = c
	case startOf(p) == yes:
		a.before = charge{between: lost}
	default:
		a.before = charge{later: lost}
	}
}

// ended reports whether the unit in progress came to its end.
func (a *assembler) ended() tri {
	switch {
	case a.fragment.open && !a.lastMarker:
		return no
	case a.unit.HasMark:
		return triOf(a.lastMark&markEnd != 0)
	case a.markers && !a.inner:
		return triOf(a.lastMarker)
	}
	return maybe
}

func (a *assembler) begin(p *packet) {
	a.open, a.timestamp, a.starts = true, p.timestamp, startOf(p)
	timestamp := a.clock.unwrap(p.timestamp, p.at)
	a.unit = Unit{
		Timestamp: timestamp, Epoch: a.clock.epoch, SSRC: p.ssrc, FirstSeq: p.ext, First: p.at, Last: p.at,
		Lost: a.before.later, LostBefore: a.before.between,
	}
	a.before = charge{}
	a.buf, a.ends, a.fragment, a.bad = a.buf[:0], a.ends[:0], fragment{}, false
}

// count books a packet in the unit.
func (a *assembler) count(p *packet) {
	u := &a.unit
	u.LastSeq = p.ext
	u.Packets++
	u.Bytes += p.size
	if p.at.Before(u.First) {
		u.First = p.at
	}
	if p.at.After(u.Last) {
		u.Last = p.at
	}
	u.HasMark = u.HasMark || p.hasMark
	u.Reliable = u.Reliable || p.reliable
	u.Key = u.Key || p.mark&markIndependent != 0
	a.lastMarker, a.lastMark = p.marker, p.mark
	a.markers = a.markers || p.marker
}

// end finishes the unit in progress: nothing more will come of it.
func (a *assembler) end(stats *Stats, policy Policy) {
	if !a.open {
		return
	}
	a.bad = a.bad || a.ended() == no
	a.close(policy)
	a.finish(stats, policy)
}

// restart prepares for another source.
func (a *assembler) restart() {
	a.clock.restart()
	a.carry, a.before, a.markers, a.inner, a.settled = 0, charge{}, false, false, false
}

// finish ends the unit in progress and queues it. A fragment without its end
// bit is whole if nothing is missing behind it.
func (a *assembler) finish(stats *Stats, policy Policy) {
	a.join()
	u := &a.unit
	u.Complete = a.complete()
	if policy == WaitIDR {
		a.hold()
	}
	if len(a.ends) > 0 {
		u.NALUs = a.nalus()
	}
	stats.Units++
	if !u.Complete {
		stats.DamagedUnits++
	}
	stats.Truncated += u.Truncated
	stats.DroppedNALUs += u.Dropped
	a.done = append(a.done, *u)
	a.open, a.settled = false, true
}

// complete reports whether all packets of the unit came and could be read.
func (a *assembler) complete() bool {
	u := &a.unit
	if u.Lost > 0 || u.Truncated > 0 || u.Dropped > 0 || a.bad {
		return false
	}
	if u.HasMark && a.lastMark&markEnd == 0 {
		return false
	}
	return a.starts != no || !u.HasMark && a.settled
}

// hold is the policy WaitIDR: it empties the unit unless all since the last
// complete IDR picture is there.
func (a *assembler) hold() {
	u := &a.unit
	if !u.Complete || u.LostBefore > 0 {
		a.waiting = true
	}
	if a.waiting && u.Complete && u.Key {
		a.waiting = false
	}
	if a.waiting {
		u.Dropped += len(a.ends)
		u.Truncated = 0
		a.ends = a.ends[:0]
	}
}

// nalus returns the NAL units in memory of their own.
func (a *assembler) nalus() [][]byte {
	data := slices.Clone(a.buf[:a.ends[len(a.ends)-1]])
	out := make([][]byte, len(a.ends))
	start := 0
	for i, end := range a.ends {
		out[i] = data[start:end:end]
		start = end
	}
	return out
}

func (a *assembler) pop() (Unit, bool) {
	if len(a.done) == 0 {
		return Unit{}, false
	}
	u := a.done[0]
	a.done[0] = Unit{}
	a.done = a.done[1:]
	if len(a.done) == 0 {
		a.done = nil
	}
	return u, true
}
