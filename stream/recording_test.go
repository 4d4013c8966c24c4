package stream

import (
	"encoding/binary"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/vqeval/vqeval/stream/capture"
	"github.com/vqeval/vqeval/stream/h264"
	"github.com/vqeval/vqeval/stream/rtph264"
)

func TestOrigin(t *testing.T) {
	random := uint32(4_294_900_000) // wraps within the clip
	hidden := clip(30, 10)          // of which the first ten are not shown
	for i := range hidden {
		hidden[i].PTS -= 10 * frame
	}
	tests := []struct {
		name  string
		p     rtph264.Packetizer
		units []h264.AccessUnit
		lost  []int
		rule  OriginRule
		want  Origin
		pts   []int // of the first units, frames
	}{
		{"ours", rtph264.Packetizer{}, clip(30, 10), nil, OriginAuto, Origin{0, OriginZero}, []int{0, 1, 2}},
		{"ours, beginning lost", rtph264.Packetizer{}, clip(30, 10), []int{0, 1, 2, 3}, OriginAuto, Origin{0, OriginZero}, []int{4, 5, 6}},
		{"ours, beginning lost, as if foreign", rtph264.Packetizer{}, clip(30, 10), []int{0, 1}, OriginFirst, Origin{2 * frame, OriginFirst}, []int{0, 1, 2}},
		{"ours, random", rtph264.Packetizer{FirstTimestamp: 1 << 31}, clip(30, 10), nil, OriginAuto, Origin{1 << 31, OriginFirst}, []int{0, 1, 2}},
		{"ours, the first not shown", rtph264.Packetizer{}, hidden, nil, OriginAuto, Origin{wrap, OriginZero}, []int{-10, -9, -8}},
		{"the first not shown", rtph264.Packetizer{NoExtensions: true}, hidden, []int{0}, OriginZero, Origin{wrap, OriginZero}, []int{-9, -8, -7}},
		{"foreign, random", rtph264.Packetizer{NoExtensions: true, FirstTimestamp: random}, clip(30, 10), nil, OriginAuto, Origin{int64(random), OriginFirst}, []int{0, 1, 2}},
		{"foreign", rtph264.Packetizer{NoExtensions: true, FirstTimestamp: 9000}, clip(30, 10), nil, OriginAuto, Origin{9000, OriginFirst}, []int{0, 1, 2}},
		{"foreign from 0", rtph264.Packetizer{NoExtensions: true}, clip(30, 10), []int{0, 1}, OriginZero, Origin{0, OriginZero}, []int{2, 3, 4}},
		{"foreign, B pictures, I lost", rtph264.Packetizer{NoExtensions: true}, bclip(31, 10), []int{0}, OriginAuto, Origin{frame, OriginFirst}, []int{2, 0, 1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWire(t, tt.p, tt.units)
			w.set(-1, tt.lost...)
			r := w.load(t, LoadOptions{Origin: tt.rule})
			got := fed(assemble(t, r, AssembleOptions{}))
			if r.Origin != tt.want || len(got) != len(tt.units)-len(tt.lost) {
				t.Fatalf("got %+v, %d units; want %+v, %d", r.Origin, len(got), tt.want, len(tt.units)-len(tt.lost))
			}
			for i, pts := range tt.pts {
				if got[i] != pts {
					t.Errorf("unit %d is shown as frame %d, want %d", i, got[i], pts)
				}
			}
		})
	}
}

func TestOriginText(t *testing.T) {
	for _, rule := range []OriginRule{OriginAuto, OriginZero, OriginFirst} {
		text, err := rule.MarshalText()
		var back OriginRule
		if err != nil || back.UnmarshalText(text) != nil || back != rule {
			t.Errorf("%v becomes %q and %v", rule, text, back)
		}
	}
	var r OriginRule
	if r.UnmarshalText([]byte("middle")) == nil {
		t.Error("middle: no error")
	}
	var p LatePolicy
	if p.UnmarshalText([]byte("never")) == nil || p.UnmarshalText([]byte("drop")) != nil || p != LateDrop {
		t.Error("late policy: never must fail, drop must be read")
	}
}

// A sender that starts again goes on in the same timeline.
func TestRestart(t *testing.T) {
	units := clip(40, 3000)
	w := newWire(t, rtph264.Packetizer{SSRC: 1, Seq: 100, NoExtensions: true}, units[:20])
	second := newWire(t, rtph264.Packetizer{SSRC: 2, Seq: 40000, FirstTimestamp: 777777, NoExtensions: true}, units[20:])
	for i := range second.sent {
		second.sent[i] += 800 * ms
	}
	w.packets, w.sent = append(w.packets, second.packets...), append(w.sent, second.sent...)
	w.unit, w.delay = append(w.unit, second.unit...), append(w.delay, second.delay...)
	r := w.load(t, LoadOptions{})
	if len(r.Streams) != 1 || len(r.Stream.Restarts) != 1 || r.Stats().Lost != 0 {
		t.Fatalf("got streams %v, stats %+v; want one with a restart, nothing lost", r.Streams, r.Stats())
	}
	for _, deadline := range []time.Duration{0, 100 * ms} {
		a := assemble(t, r, AssembleOptions{Deadline: deadline})
		if len(a.Units) != 40 || a.Use.Late != 0 || a.Stats.SSRCChanges != 1 {
			t.Fatalf("deadline %v: %d units, %+v, %+v", deadline, len(a.Units), a.Use, a.Stats)
		}
		for i, u := range a.Units {
			if u.Timestamp != int64(i)*frame || a.AUs[i].Verdict != Shown {
				t.Errorf("unit %d has timestamp %d, %+v", i, u.Timestamp, a.AUs[i])
			}
		}
	}
}

// Copies that come late change nothing, and are not late packets.
func TestCopies(t *testing.T) {
	w := newWire(t, rtph264.Packetizer{}, clip(30, 3000))
	n := len(w.packets)
	for i := range n {
		w.packets, w.sent = append(w.packets, w.packets[i]), append(w.sent, w.sent[i])
		w.unit, w.delay = append(w.unit, w.unit[i]), append(w.delay, 300*ms)
	}
	a := assemble(t, w.load(t, LoadOptions{}), AssembleOptions{Deadline: 50 * ms})
	if want := (Use{Received: n, OnTime: n}); a.Use != want || len(a.Units) != 30 {
		t.Errorf("got %+v, %d units; want %+v, 30", a.Use, len(a.Units), want)
	}
	for i, au := range a.AUs {
		if au.Delay != 0 || au.Verdict != Shown {
			t.Errorf("access unit %d: %+v", i, au)
		}
	}
}

// Sequence numbers that jump within units cost no memory.
func TestJumps(t *testing.T) {
	units := clip(200, 10)
	w := newWire(t, rtph264.Packetizer{}, units)
	seq := uint16(0)
	for i, p := range w.packets {
		if i > 0 && w.unit[i] == w.unit[i-1] {
			seq += 32000
		} else {
			seq++
		}
		binary.BigEndian.PutUint16(p[2:], seq)
	}
	r := w.load(t, LoadOptions{})
	held := 0
	for _, list := range r.holders {
		held += len(list)
	}
	if most := len(units) * len(w.packets); len(r.holders) > len(w.packets) || held > most {
		t.Errorf("%d numbers in %d places, want at most %d and %d", len(r.holders), held, len(w.packets), most)
	}
}

// Sequence numbers return within a long stream.
func TestLongStream(t *testing.T) {
	w := newWire(t, rtph264.Packetizer{MaxPacket: 60}, clip(9000, 280)) // 8 packets a unit: beyond 65536
	w.set(400*ms, 8500)
	a := assemble(t, w.load(t, LoadOptions{}), AssembleOptions{Deadline: 100 * ms, Late: LateDrop})
	if len(w.packets) < 70000 || len(a.Units) != 8999 || a.Use.Late != len(w.of(8500)) || a.AUs[8500].Verdict != Late {
		t.Errorf("%d packets: got %d units, %+v, %+v", len(w.packets), len(a.Units), a.Use, a.AUs[8500])
	}
}

func TestForeignTraffic(t *testing.T) {
	w := newWire(t, rtph264.Packetizer{SSRC: 5}, clip(20, 100))
	other := newWire(t, rtph264.Packetizer{SSRC: 6}, clip(2, 10)).packets[0]
	wrongType := append([]byte{}, w.packets[1]...)
	wrongType[1] = 98
	rtcp := append([]byte{0x80, 200, 0, 1}, 0, 0, 0, 5)
	noise := [][]byte{rtcp, {0, 1, 0, 0}, {0x80}, other, wrongType, {}}
	for i, p := range noise {
		w.packets, w.sent = append(w.packets, p), append(w.sent, time.Duration(i)*30*ms)
		w.unit, w.delay = append(w.unit, -1), append(w.delay, 10*ms)
	}
	r := w.load(t, LoadOptions{})
	for _, deadline := range []time.Duration{0, time.Second} {
		a := assemble(t, r, AssembleOptions{Deadline: deadline})
		if verdicts(a) != strings.Repeat("s", 20) || a.Stats.Lost != 0 || a.Stats.Foreign+a.Stats.Malformed != len(noise) {
			t.Errorf("deadline %v: got %s, %+v; want all shown, %d foreign or malformed", deadline, verdicts(a), a.Stats, len(noise))
		}
	}
}

func TestLoadDamaged(t *testing.T) {
	w := newWire(t, rtph264.Packetizer{}, clip(20, 100))
	file := w.file(t)
	r, err := Load(open(t, file[:len(file)/2]), LoadOptions{})
	if err != nil || !errors.Is(r.Damage, capture.ErrTruncated) {
		t.Fatalf("got %v, damage %v; want %v", err, r.Damage, capture.ErrTruncated)
	}
	if a := assemble(t, r, AssembleOptions{}); len(a.Units) < 8 || len(a.Units) > 12 || a.Damage == nil {
		t.Errorf("half a file gives %d units, damage %v", len(a.Units), a.Damage)
	}
	if r.App != "vqeval test" {
		t.Errorf("made by %q", r.App)
	}
}

func TestLoadErrors(t *testing.T) {
	two := newWire(t, rtph264.Packetizer{SSRC: 5}, clip(20, 100))
	second := newWire(t, rtph264.Packetizer{SSRC: 6}, clip(20, 100))
	two.packets, two.sent = append(two.packets, second.packets...), append(two.sent, second.sent...)
	two.unit, two.delay = append(two.unit, second.unit...), append(two.delay, second.delay...)
	silent := newWire(t, rtph264.Packetizer{}, clip(1, 10))
	silent.packets[0], silent.packets[1] = []byte("neither RTP nor"), []byte("anything else")
	audio := newWire(t, rtph264.Packetizer{NoExtensions: true}, clip(20, 10))
	for _, p := range audio.packets {
		p[12] |= 0x80
	}
	tests := []struct {
		name string
		file []byte
		o    LoadOptions
		want string
	}{
		{"several", two.file(t), LoadOptions{}, "choose one"},
		{"one of several", two.file(t), LoadOptions{Filter: capture.Filter{SSRC: 6, HasSSRC: true}}, ""},
		{"no RTP", silent.file(t), LoadOptions{}, "no RTP stream in 2 packets, of which 2 are UDP datagrams"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := Load(open(t, tt.file), tt.o)
			if tt.want == "" {
				if err != nil || r.Stats().Lost != 0 || binary.BigEndian.Uint32(r.records[0].Packet[8:]) != 6 {
					t.Errorf("got %v, %v", r, err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want an error with %q", err, tt.want)
			}
		})
	}
}
