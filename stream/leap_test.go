package stream

import (
	"testing"

	"github.com/vqeval/vqeval/stream/rtph264"
)

// A sender that sets its clock, or its numbers, goes on in the same timeline.
func TestLeap(t *testing.T) {
	for _, p := range []rtph264.Packetizer{
		{SSRC: 1, Seq: 120, FirstTimestamp: 1 << 31, NoExtensions: true},              // another clock
		{SSRC: 1, Seq: 120, FirstTimestamp: 1<<32 - 100*frame, NoExtensions: true},    // the clock back
		{SSRC: 1, Seq: 5120, FirstTimestamp: 0, NoExtensions: true},                   // other numbers
		{SSRC: 1, Seq: 1<<16 - 4000, FirstTimestamp: 777_777_777, NoExtensions: true}, // both
	} {
		units := clip(40, 3000)
		w := newWire(t, rtph264.Packetizer{SSRC: 1, Seq: 0, NoExtensions: true}, units[:20])
		if p.Seq == 120 {
			p.Seq = uint16(len(w.packets))
		}
		second := newWire(t, p, units[20:])
		for i := range second.sent {
			second.sent[i] += 800 * ms
		}
		w.packets, w.sent = append(w.packets, second.packets...), append(w.sent, second.sent...)
		w.unit, w.delay = append(w.unit, second.unit...), append(w.delay, second.delay...)
		r := w.load(t, LoadOptions{})
		a := assemble(t, r, AssembleOptions{Deadline: 100 * ms})
		if len(r.Streams) != 1 || a.Stats.Lost != 0 || len(a.Units) != 40 || a.Use.Late != 0 || a.Stats.SSRCChanges+a.Stats.ClockLeaps != 1 {
			t.Fatalf("%+v: %d streams, %d units, %+v, %+v", p, len(r.Streams), len(a.Units), a.Use, a.Stats)
		}
		epochs := min(1, int(p.FirstTimestamp)) // other numbers leave the clock alone
		for i, u := range a.Units {
			if u.Timestamp != int64(i)*frame || a.AUs[i].Verdict != Shown || u.Epoch != i/20*epochs {
				t.Errorf("%+v: unit %d has timestamp %d, epoch %d, %+v", p, i, u.Timestamp, u.Epoch, a.AUs[i])
			}
		}
	}
}
