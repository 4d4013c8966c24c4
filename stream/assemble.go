package stream

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/vqeval/vqeval/stream/capture"
	"github.com/vqeval/vqeval/stream/h264"
	"github.com/vqeval/vqeval/stream/rtph264"
)

// AssembleOptions say how access units are made of a recording.
type AssembleOptions struct {
	Policy rtph264.Policy // what happens to broken NAL units

	// Deadline is the playout delay on top of the fastest way: the picture of
	// timestamp t is shown at base + t + Deadline, where a packet of timestamp 0
	// would arrive at base if it took no longer than the fastest packet of all.
	// 0 = none: whatever arrived counts.
	Deadline time.Duration
	Late     LatePolicy // with a deadline: what packets are good for that come later

	Params  [][]byte // parameter sets to begin with if the stream begins without, for example of an SDP
	Expect  []int64  // presentation times of all access units that were sent, if known: ticks from the origin
	Expired []int64  // those that the sender gave up, by its own record

	Load LoadOptions // for Assemble
}

// Assembled is what a player with the given delay would have decoded.
type Assembled struct {
	Units  []rtph264.Unit // for the decoder, in sequence order; Timestamp counts from the origin
	AUs    []AU           // one per access unit, by presentation time
	Stats  rtph264.Stats  // of the packets that counted
	Use    Use
	Origin Origin
	Stream capture.Stream
	Damage error // the capture ended early
}

// ErrNoTimes says that a capture has no arrival times, which a deadline needs.
var ErrNoTimes = errors.New("the capture has no arrival times")

// Assemble reads a capture and makes access units of it. To do that for many
// deadlines, Load it once.
func Assemble(rd *capture.Reader, o AssembleOptions) (Assembled, error) {
	r, err := Load(rd, o.Load)
	if err != nil {
		return Assembled{}, err
	}
	return r.Assemble(o)
}

// Assemble makes the access units that a player would have had.
//
// With a deadline, an access unit is shown if something of it that can be
// decoded arrived in time. Under LateRef, packets of any access unit that came
// later, but before the next one is shown, still go to the decoder. The decoder
// decodes each access unit once, so one of which a part was late (AU.Whole is
// false) looks better here than it did when it was shown.
func (r *Recording) Assemble(o AssembleOptions) (Assembled, error) {
	if o.Deadline < 0 {
		return Assembled{}, fmt.Errorf("deadline %v is negative", o.Deadline)
	}
	if o.Deadline > 0 && !r.timed {
		return Assembled{}, fmt.Errorf("%w: all its packets bear the same", ErrNoTimes)
	}
	sel := r.selectBy(o.Deadline)
	timely := r.rejoin(o.Policy, sel)
	result := timely
	if o.Late != LateDrop && r.admit(sel, timely.shown) {
		result = r.rejoin(o.Policy, sel)
	}
	a := Assembled{Units: result.units, Stats: result.stats, Origin: r.Origin, Stream: r.Stream, Damage: r.Damage}
	a.AUs, a.Use = r.judge(o, sel, timely, result)
	if len(o.Params) > 0 {
		prepend(a.Units, o.Params)
	}
	return a, nil
}

// A selection says which packets count.
type selection struct {
	due   []time.Time // per unit: when it is shown; nil = no deadline
	count []bool      // per record: it reaches the decoder
	late  []bool      // per record: it came after its unit was due
}

// selectBy selects the packets that meet the deadline; 0 = all.
func (r *Recording) selectBy(deadline time.Duration) *selection {
	s := &selection{count: make([]bool, len(r.records)), late: make([]bool, len(r.records))}
	if deadline > 0 {
		s.due = make([]time.Time, len(r.units))
		for i := range s.due {
			s.due[i] = r.base.Add(r.pts(i) + deadline)
		}
	}
	for i, p := range r.packets {
		s.late[i] = deadline > 0 && p.unit >= 0 && r.records[i].At.After(s.due[p.unit])
		s.count[i] = !s.late[i]
	}
	return s
}

// admit adds the late packets that come before the next unit is shown, in order
// of presentation, and reports whether there are any.
func (r *Recording) admit(s *selection, shown []bool) bool {
	if s.due == nil {
		return false
	}
	next := make([]time.Time, len(r.units)) // zero: none is shown after it
	var until time.Time
	for _, u := range slices.Backward(r.presentation()) {
		next[u] = until
		if shown[u] {
			until = s.due[u]
		}
	}
	any := false
	for i, p := range r.packets {
		if s.late[i] && r.records[i].At.Before(next[p.unit]) {
			s.count[i], any = true, true
		}
	}
	return any
}

// presentation returns the units' indices by timestamp.
func (r *Recording) presentation() []int {
	order := make([]int, len(r.units))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(r.units[a].Timestamp, r.units[b].Timestamp)
	})
	return order
}

// A rejoined stream is what a depacketiser makes of some of the packets.
type rejoined struct {
	units []rtph264.Unit
	stats rtph264.Stats
	index []int  // per unit of the recording: in units, or -1
	shown []bool // per unit of the recording: it has a slice to decode
}

// rejoin depacketises the packets that count.
func (r *Recording) rejoin(p rtph264.Policy, s *selection) rejoined {
	d := r.depacketizer(p)
	for i, rec := range r.records {
		if s.count[i] {
			d.Push(rec.Packet, rec.At)
		}
	}
	d.Flush()
	j := rejoined{index: make([]int, len(r.units)), shown: make([]bool, len(r.units))}
	for i := range j.index {
		j.index[i] = -1
	}
	for u, ok := d.Next(); ok; u, ok = d.Next() {
		// Numbers may be extended differently when packets are left out, so
		// their low 16 bits and the time say which unit it is.
		at := r.nearest(number{u.SSRC, uint16(u.FirstSeq)}, u.First)
		if at < 0 {
			continue
		}
		if j.index[at] < 0 {
			j.index[at] = len(j.units)
		}
		j.shown[at] = j.shown[at] || hasSlice(u.NALUs)
		u.Timestamp = r.units[at].Timestamp - r.Origin.Ticks
		j.units = append(j.units, u)
	}
	j.stats = d.Stats()
	j.stats.Foreign += r.foreign
	return j
}

func hasSlice(nalus [][]byte) bool {
	return slices.ContainsFunc(nalus, func(n []byte) bool { return h264.TypeOf(n).Slice() })
}

// prepend puts parameter sets before the first unit if it has none of its own.
func prepend(units []rtph264.Unit, params [][]byte) {
	for i := range units {
		u := &units[i]
		if len(u.NALUs) == 0 {
			continue
		}
		var sps, pps bool
		for _, n := range u.NALUs {
			sps = sps || h264.TypeOf(n) == h264.TypeSPS
			pps = pps || h264.TypeOf(n) == h264.TypePPS
		}
		if !sps || !pps {
			u.NALUs = slices.Concat(params, u.NALUs)
		}
		return
	}
}
