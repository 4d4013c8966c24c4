package transport

import (
	"testing"
	"time"

	"github.com/quic-go/quic-go/qlog"
)

func TestMeter(t *testing.T) {
	var m Meter
	at := time.Unix(1, 0)
	check := func(step string, settled bool, bytes, again int64) {
		t.Helper()
		if all, _ := m.Settled(); all != settled {
			t.Errorf("%s: settled %v, want %v", step, all, settled)
		}
		if s := m.Stats(); s.StreamBytes != bytes || s.Retransmitted != again {
			t.Errorf("%s: %d bytes, %d again, want %d and %d", step, s.StreamBytes, s.Retransmitted, bytes, again)
		}
	}
	check("nothing sent", true, 0, 0)
	m.Sent(0, []Span{{2, 0, 1000}}, 0)
	m.Sent(1, nil, 2)
	m.Sent(2, []Span{{2, 1000, 500}, {6, 0, 100}}, 0)
	check("two packets with stream data", false, 1600, 0)
	m.Acked(at, Range{0, 1})
	check("the first acknowledged", false, 1600, 0)
	m.Lost(2)
	check("the other lost", false, 1600, 0)
	m.Sent(3, []Span{{2, 1000, 500}}, 0)
	m.Acked(at, Range{3, 3}, Range{0, 1})
	check("half of it repeated", false, 2100, 500)
	m.Sent(4, []Span{{6, 0, 100}}, 0)
	check("all repeated", false, 2200, 600)
	m.Acked(at.Add(1), Range{3, 1 << 40}, Range{0, 1})
	check("all acknowledged", true, 2200, 600)
	m.Sent(5, []Span{{6, 50, 100}}, 0)
	check("half new", false, 2300, 650)
	m.Lost(9)
	m.Acked(at, Range{7, 9})
	check("packets that were never sent", false, 2300, 650)
	if _, progress := m.Settled(); !progress.Equal(at.Add(1)) {
		t.Errorf("progress at %v", progress)
	}
	if s := m.Stats(); s.Datagrams != 2 {
		t.Errorf("%d datagrams, want 2", s.Datagrams)
	}
}

func TestCut(t *testing.T) {
	var f framing
	f.reset([]byte{1, 2})
	f.add(Unit{Packets: [][]byte{{0xa}, {0xb, 0xc, 0xd}}}, appendRFC4571) // frames end at 5 and 10
	for _, c := range []struct {
		n, packets int
		bytes      int64
		rest       int
	}{
		{0, 0, 0, 0}, {2, 0, 0, 0}, {3, 1, 1, 2}, {5, 1, 1, 0}, {6, 2, 4, 4}, {9, 2, 4, 1}, {10, 2, 4, 0},
	} {
		packets, bytes, rest := f.cut(c.n)
		if packets != c.packets || bytes != c.bytes || len(rest) != c.rest {
			t.Errorf("%d written: got %d packets, %d bytes, %d to go, want %+v", c.n, packets, bytes, len(rest), c)
		}
	}
}

// TestRecorderDrops: packets for which QUIC's own queue had no room are told
// from those that it had no use for.
func TestRecorderDrops(t *testing.T) {
	var m Meter
	r := recorder{meter: &m}
	r.RecordEvent(qlog.PacketDropped{Trigger: qlog.PacketDropDuplicate})
	r.RecordEvent(qlog.PacketDropped{Trigger: qlog.PacketDropDOSPrevention})
	r.RecordEvent(qlog.PacketDropped{Trigger: qlog.PacketDropDOSPrevention})
	if s := m.Stats(); s.Discarded != 1 || s.Overflowed != 2 {
		t.Errorf("discarded %d, overflowed %d, want 1 and 2", s.Discarded, s.Overflowed)
	}
}
