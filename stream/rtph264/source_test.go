package rtph264

import (
	"encoding/binary"
	"slices"
	"testing"
	"time"
)

// small returns n units of one packet each, numbers from seq on.
func small(seq uint16, n int) [][]byte {
	var out [][]byte
	for i := range n {
		out = append(out, raw(seq+uint16(i), uint32(i)*interval, true, 0x41, 0x88, byte(i>>8), byte(i)))
	}
	return out
}

// moved takes a packet out and puts it in again behind some others.
func moved(ps [][]byte, from, behind int) [][]byte {
	p := ps[from]
	return slices.Insert(slices.Delete(slices.Clone(ps), from, from+1), from+behind, p)
}

// TestOrder holds reordering, lateness, duplicates and loss.
func TestOrder(t *testing.T) {
	ps := small(65500, 200)
	cut := func(from, to int) [][]byte { return slices.Delete(slices.Clone(ps), from, to) }
	tests := []struct {
		name   string
		window int
		in     [][]byte
		units  int
		want   Stats
	}{
		{"in order", 0, ps, 200, Stats{Packets: 200}},
		{"all backwards", 0, backwards(64)(t, ps[:64]), 64, Stats{Packets: 64, Reordered: 63}},
		{"backwards at the start", 0, append(backwards(40)(t, ps[:40]), ps[40:]...), 200, Stats{Packets: 200, Reordered: 39}},
		{"just inside the window", 8, moved(ps, 100, 7), 200, Stats{Packets: 200, Reordered: 1}},
		{"just too late", 8, moved(ps, 100, 8), 199, Stats{Packets: 200, Late: 1}},
		{"late and twice", 8, append(moved(ps, 100, 50), ps[100]), 199, Stats{Packets: 201, Late: 1, Duplicates: 1}},
		{"the first as the last", 0, moved(ps, 0, 199), 200, Stats{Packets: 200, Reordered: 1}},
		{"before the first", 1, moved(ps, 0, 50), 199, Stats{Packets: 200, Late: 1}},
		{"lost", 0, cut(100, 103), 197, Stats{Packets: 197, Lost: 3}},
		{"lost at the window's edge", 8, cut(100, 103), 197, Stats{Packets: 197, Lost: 3}},
		{"first and last lost are unknown", 0, ps[3:190], 187, Stats{Packets: 187}},
		{"every second lost", 4, everySecond(ps), 100, Stats{Packets: 100, Lost: 99}},
		{"all three times", 0, slices.Repeat(ps, 3), 200, Stats{Packets: 600, Duplicates: 400}},
		{"duplicate while it is held", 0, slices.Concat(ps[:100], ps[101:110], ps[105:106], ps[100:101], ps[110:]), 200, Stats{Packets: 201, Duplicates: 1, Reordered: 1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := Depacketizer{Window: tt.window}
			units := receive(&d, tt.in)
			got := d.Stats()
			if len(units) != tt.units || got.Units != tt.units {
				t.Errorf("%d units, counted %d, want %d", len(units), got.Units, tt.units)
			}
			got.Bytes, got.Units, got.DamagedUnits = 0, 0, 0
			if got != tt.want {
				t.Errorf("counted %+v, want %+v", got, tt.want)
			}
			if !slices.IsSortedFunc(units, func(a, b Unit) int { return int(a.FirstSeq - b.FirstSeq) }) {
				t.Error("units are out of order")
			}
		})
	}
}

func everySecond(ps [][]byte) [][]byte {
	var out [][]byte
	for i := 0; i < len(ps); i += 2 {
		out = append(out, ps[i])
	}
	return out
}

// TestLongRun: numbers wrap, and a duplicate from 30000 packets
// back is still known.
func TestLongRun(t *testing.T) {
	const n = 70_000
	d := Depacketizer{}
	units, last := 0, int64(0)
	for i := range n {
		d.Push(raw(uint16(i), uint32(i)*90, true, 0x41, 0x88), epoch)
		if i == 60_000 {
			d.Push(raw(uint16(i-30_000), uint32(i-30_000)*90, true, 0x41, 0x88), epoch)
		}
		for u, ok := d.Next(); ok; u, ok = d.Next() {
			units, last = units+1, u.LastSeq
		}
	}
	if s := d.Stats(); s.Duplicates != 1 || s.Lost != 0 || units != n-1 || last != n-2 {
		t.Errorf("%d units up to number %d, counted %+v", units, last, s)
	}
}

// TestOutage: many packets missing in a row are lost, however many.
func TestOutage(t *testing.T) {
	for _, gap := range []int{1, 511, 5000, 30_000} {
		ps := small(0, 100)
		for i, b := range ps[50:] {
			binary.BigEndian.PutUint16(b[2:], uint16(50+gap+i))
			binary.BigEndian.PutUint32(b[4:], uint32(50+gap/10+i)*interval)
		}
		d := Depacketizer{}
		units := receive(&d, ps)
		if s := d.Stats(); s.Lost != gap || len(units) != 100 || s.SSRCChanges != 0 {
			t.Errorf("gap of %d: %d units, counted %+v", gap, len(units), s)
		}
	}
}

// TestOutageAtAnotherRate: after a minute of hardly any packets, an outage takes
// thousands. They are lost.
func TestOutageAtAnotherRate(t *testing.T) {
	d := Depacketizer{}
	var units []Unit
	push := func(seq, frame int) {
		d.Push(raw(uint16(seq), uint32(frame)*interval, true, 0x41, 0x88), epoch.Add(time.Duration(frame)*40*time.Millisecond))
		for u, ok := d.Next(); ok; u, ok = d.Next() {
			units = append(units, u)
		}
	}
	for i := range 1500 {
		push(i, i)
	}
	for i := range 100 { // twelve seconds later
		push(1500+4200+i, 1500+300+i)
	}
	d.Flush()
	for u, ok := d.Next(); ok; u, ok = d.Next() {
		units = append(units, u)
	}
	if s := d.Stats(); s.Lost != 4200 || s.SSRCChanges != 0 || len(units) != 1600 || units[1599].Timestamp-units[0].Timestamp != 1899*interval {
		t.Errorf("%d units, counted %+v, the last %d ticks behind the first", len(units), s, units[len(units)-1].Timestamp-units[0].Timestamp)
	}
}

// as gives packets another source, number base and timestamp base.
func as(ps [][]byte, ssrc uint32, seq uint16, ts uint32) [][]byte {
	out := clones(ps)
	for _, b := range out {
		binary.BigEndian.PutUint16(b[2:], binary.BigEndian.Uint16(b[2:])+seq)
		binary.BigEndian.PutUint32(b[4:], binary.BigEndian.Uint32(b[4:])+ts)
		binary.BigEndian.PutUint32(b[8:], ssrc)
	}
	return out
}

// interleave takes n packets of each by turns.
func interleave(n int, streams ...[][]byte) [][]byte {
	var out [][]byte
	for i := 0; i < len(streams[0]); i += n {
		for _, s := range streams {
			out = append(out, s[i:min(i+n, len(s))]...)
		}
	}
	return out
}

// TestSources: which change of SSRC is a restart, and which another sender.
func TestSources(t *testing.T) {
	ps := small(1000, 100)
	other := as(ps, 5, 77, 1e9)
	tests := []struct {
		name    string
		d       Depacketizer
		in      [][]byte
		units   int
		changes int
		foreign int
	}{
		{"restart", Depacketizer{}, slices.Concat(ps, other), 200, 1, 0},
		{"two restarts", Depacketizer{}, slices.Concat(ps, other, as(ps, 6, 5, 3)), 300, 2, 0},
		{"restart, old packets late", Depacketizer{}, slices.Concat(ps[:98], other[:2], ps[98:], other[2:]), 200, 1, 0},
		{"restart at the end", Depacketizer{}, slices.Concat(ps, other[:2]), 102, 1, 0},
		{"restart with loss and reordering", Depacketizer{}, slices.Concat(ps, backwards(4)(t, other[10:])), 190, 1, 0},
		{"one packet of another at the end", Depacketizer{}, slices.Concat(ps, other[:1]), 100, 0, 1},
		{"one packet of another first", Depacketizer{}, slices.Concat(other[:1], ps), 101, 1, 0},
		{"one packet of another in between", Depacketizer{}, slices.Concat(ps[:50], other[:1], ps[50:]), 100, 0, 1},
		{"another sender at the same time", Depacketizer{}, interleave(1, ps, other), 100, 0, 100},
		{"another sender, five frames in turn", Depacketizer{}, interleave(5, ps, other), 100, 0, 100},
		{"another sender asked for", Depacketizer{SSRC: 5, HasSSRC: true}, interleave(5, ps, other), 100, 0, 100},
		{"six senders at the same time", Depacketizer{}, interleave(1, ps, other, as(ps, 6, 0, 0), as(ps, 7, 0, 0), as(ps, 8, 0, 0), as(ps, 10, 0, 0)), 100, 0, 500},
		{"new numbers, 5000 ahead", Depacketizer{}, slices.Concat(ps[:50], as(ps[50:], 9, 5000, 0)), 100, 1, 0},
		{"new numbers, 5000 back", Depacketizer{}, slices.Concat(as(ps[:50], 9, 5000, 0), ps[50:]), 100, 1, 0},
		{"new numbers, 600 back", Depacketizer{}, slices.Concat(as(ps[:50], 9, 650, 0), ps[50:]), 100, 1, 0},
		{"a P picture of 700 packets, its first packet behind a B picture", Depacketizer{Window: 2000}, lateFirst(), 3, 0, 0},
		{"one number 5000 ahead", Depacketizer{}, slices.Concat(ps[:50], as(ps[49:50], 9, 5000, 0), ps[50:]), 100, 0, 1},
		{"restart with the same SSRC, far back", Depacketizer{}, slices.Concat(ps, as(ps, 9, 50_000, 2e9)), 200, 1, 0},
		{"restart with the same SSRC, far ahead", Depacketizer{}, slices.Concat(as(ps, 9, 0, 1e9), as(ps, 9, 9000, 0)), 200, 1, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := tt.d
			units := receive(&d, tt.in)
			s := d.Stats()
			if len(units) != tt.units || s.SSRCChanges != tt.changes || s.Foreign != tt.foreign {
				t.Errorf("%d units, counted %+v; want %d, %d changes, %d foreign", len(units), s, tt.units, tt.changes, tt.foreign)
			}
			if s.Packets+s.Foreign != len(tt.in) || s.Lost != 0 {
				t.Errorf("%d packets and %d foreign of %d datagrams, %d lost", s.Packets, s.Foreign, len(tt.in), s.Lost)
			}
			for i := 1; i < len(units); i++ {
				if units[i].FirstSeq <= units[i-1].LastSeq {
					t.Errorf("unit %d begins with number %d, the one before ends with %d", i, units[i].FirstSeq, units[i-1].LastSeq)
				}
			}
		})
	}
}

// lateFirst is an IDR picture, a P picture of 700 packets and a B picture before
// it, the first packet of P coming last.
func lateFirst() [][]byte {
	out := [][]byte{raw(1, 0, true, 0x65, 0x88)}
	for i := range 700 {
		out = append(out, raw(uint16(2+i), 3*interval, i == 699, 0x41, 0x9a, byte(i>>8), byte(i)))
	}
	late := out[1]
	out = slices.Delete(out, 1, 2)
	return append(out, raw(702, 1*interval, true, 0x01, 0x9a), late)
}

// TestRestartKeepsCounting: the loss before and after a restart adds up, and
// numbers keep their low 16 bits.
func TestRestartKeepsCounting(t *testing.T) {
	ps := small(1000, 100)
	lossy := slices.Delete(slices.Clone(ps), 40, 43)
	d := Depacketizer{}
	units := receive(&d, slices.Concat(lossy, as(lossy, 5, 7777, 5)))
	if s := d.Stats(); s.Lost != 6 || s.Packets != 194 || len(units) != 194 {
		t.Errorf("%d units, counted %+v; want 194, 6 lost", len(units), s)
	}
	if u := units[97]; uint16(u.FirstSeq) != 8777 || u.SSRC != 5 {
		t.Errorf("first unit after the restart %+v, want number 8777 modulo 65536", u)
	}
}
