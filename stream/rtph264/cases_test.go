package rtph264

import (
	"bytes"
	"slices"
	"testing"

	"github.com/vqeval/vqeval/stream/h264"
)

// A trial is a difficulty that people met in RTP streams: packets of a clip,
// changed on the way, and what must come out.
type trial struct {
	name   string
	clip   clip
	sender Packetizer
	change func(t testing.TB, ps [][]byte) [][]byte
	want   Stats // Packets, Bytes, Units and DamagedUnits are checked apart
	broken []int // units that need not come back bit-exact
}

// trials are the RTP cases O-E01 to O-E20, with the issues they were reported
// in. All keep the order of the others' units, and all units that are not in
// broken come back bit-exact.
func trials() []trial {
	edge := plain()
	edge.MaxPacket = 300
	return []trial{
		{name: "E01 clean (pion/rtp#292)"},
		{name: "E02 sequence wraps (sipsorcery#558)", sender: with(func(p *Packetizer) { p.Seq = 65500 })},
		{name: "E03 timestamp wraps (aiortc#836)", sender: with(func(p *Packetizer) { p.FirstTimestamp = 1<<32 - 90000 })},
		{name: "E04 groups of four backwards (libdatachannel#1137)", change: backwards(4), want: Stats{Reordered: -1}},
		{name: "E05 all twice and one late (uvgRTP#179)", change: twice, want: Stats{Duplicates: -1}},
		{name: "E06 first fragment of an IDR picture lost (pion/rtp#370)", change: dropFragment(25, first),
			want: Stats{Lost: 1, DroppedNALUs: 1}, broken: []int{25}},
		{name: "E07 middle fragment lost (libdatachannel#1137)", change: dropFragment(25, middle),
			want: Stats{Lost: 1, Truncated: 1}, broken: []int{25}},
		{name: "E08 last fragment lost (go-livepeer#3520)", change: dropFragment(25, last),
			want: Stats{Lost: 1, Truncated: 1}, broken: []int{25}},
		{name: "E09 end and beginning lost (smelter#1536)", change: dropSeam(12),
			want: Stats{Lost: 2, Truncated: 1, DroppedNALUs: 1}, broken: []int{12, 13}},
		{name: "E10 no marker (retina#13)", change: marker(func(bool) bool { return false })},
		{name: "E11 marker on every NAL unit (ustreamer#119)", clip: clip{slices: 4}, change: marker(func(ends bool) bool { return ends })},
		{name: "E12 padding (libdatachannel#1140)", change: padding, want: Stats{PaddingOnly: 1}},
		{name: "E13 extension and CSRCs (janus-gateway#2125)", change: extended},
		{name: "E14 sender restarts (gortsplib#687)", change: restarted, want: Stats{SSRCChanges: 1}},
		{name: "sender restarts with its SSRC", change: restartedAlike, want: Stats{SSRCChanges: 1}},
		{name: "E15 other traffic (MiBeeNvr#430)", change: traffic, want: Stats{Foreign: 5, Malformed: 2}},
		{name: "E16 parameter sets lost (sipsorcery#1797)", change: func(_ testing.TB, ps [][]byte) [][]byte { return ps[1:] }, broken: []int{0}},
		{name: "E17 begins in the middle (go2rtc#2490)", change: func(_ testing.TB, ps [][]byte) [][]byte { return ps[10:] },
			want: Stats{DroppedNALUs: 1}, broken: []int{0}},
		{name: "E18 timestamps out of order (livekit#4161)", clip: clip{bframes: true}},
		{name: "E19 sizes around a packet's (uvgRTP#117)", clip: clip{filler: true, room: 288}, sender: edge},
		{name: "E20 one fragment (gortsplib#649)", change: fused},
		{name: "reserved bit of fragments set", change: reservedBit},
		{name: "end bit of fragments missing", change: noEndBit},
		{name: "everything at once", change: func(t testing.TB, ps [][]byte) [][]byte {
			return backwards(5)(t, extended(t, padding(t, fused(t, ps))))
		}, want: Stats{Reordered: -1, PaddingOnly: 1}},
	}
}

func with(change func(p *Packetizer)) Packetizer {
	p := plain()
	change(&p)
	return p
}

func TestTrials(t *testing.T) {
	for _, tt := range trials() {
		for _, marks := range []bool{false, true} {
			name := "bare/" + tt.name
			if marks {
				name = "marked/" + tt.name
			}
			t.Run(name, func(t *testing.T) {
				sender := tt.sender
				if sender.SSRC == 0 {
					sender = plain()
				}
				if marks {
					sender.NoExtensions, sender.MaxPacket = false, sender.MaxPacket+8
				}
				sent := tt.clip.units()
				ps := packets(t, sender, sent)
				if tt.change != nil {
					ps = tt.change(t, ps)
				}
				before := clones(ps)
				d := Depacketizer{}
				got := receive(&d, ps)
				if !slices.EqualFunc(ps, before, bytes.Equal) {
					t.Error("a datagram was changed")
				}
				checkUnits(t, got, sent, tt.broken)
				checkStats(t, d.Stats(), tt.want, got, len(ps))
			})
		}
	}
}

// checkUnits compares units one by one, timestamps relative to the first.
func checkUnits(t *testing.T, got []Unit, sent []h264.AccessUnit, broken []int) {
	t.Helper()
	if len(got) != len(sent) {
		t.Fatalf("%d units, want %d", len(got), len(sent))
	}
	for i, u := range got {
		bad := slices.Contains(broken, i)
		if !bad && !same(u, sent[i]) {
			t.Errorf("unit %d differs from what was sent", i)
		}
		if u.Complete == bad && i > 0 {
			u.NALUs = nil
			t.Errorf("unit %d: complete %v; %+v", i, u.Complete, u)
		}
		if ts := u.Timestamp - got[0].Timestamp; ts != sent[i].PTS-sent[0].PTS {
			t.Errorf("unit %d has timestamp %d, want %d", i, ts, sent[i].PTS)
		}
		if u.Key != sent[i].Key() || u.Reference != sent[i].Reference() {
			t.Errorf("unit %d: key %v, reference %v; want %v, %v", i, u.Key, u.Reference, sent[i].Key(), sent[i].Reference())
		}
		if i > 0 && u.FirstSeq <= got[i-1].LastSeq {
			t.Errorf("unit %d begins with number %d, the one before ends with %d", i, u.FirstSeq, got[i-1].LastSeq)
		}
		for _, n := range u.NALUs {
			if !slices.ContainsFunc(sent[i].NALUs, func(m []byte) bool { return bytes.HasPrefix(m, n) }) {
				t.Errorf("unit %d has a NAL unit of %d bytes that was never sent", i, len(n))
			}
		}
	}
}

// checkStats compares counters; -1 in want stands for more than none.
func checkStats(t *testing.T, got, want Stats, units []Unit, datagrams int) {
	t.Helper()
	if sum := got.Packets + got.Foreign + got.Malformed; sum != datagrams {
		t.Errorf("%d datagrams counted, want %d", sum, datagrams)
	}
	if got.Units != len(units) {
		t.Errorf("%d units counted, want %d", got.Units, len(units))
	}
	lost, inTime, damaged := 0, 0, 0
	for _, u := range units {
		lost += u.Lost + u.LostBefore
		inTime += u.Packets
		if !u.Complete {
			damaged++
		}
	}
	if lost != got.Lost || got.DamagedUnits != damaged {
		t.Errorf("%d packets charged to units, %d lost; %d damaged units counted, want %d", lost, got.Lost, got.DamagedUnits, damaged)
	}
	if inTime != got.Packets-got.Duplicates-got.PaddingOnly {
		t.Errorf("%d packets in units, want %d - %d - %d", inTime, got.Packets, got.Duplicates, got.PaddingOnly)
	}
	for _, counter := range []struct {
		got  *int
		want int
	}{{&got.Reordered, want.Reordered}, {&got.Duplicates, want.Duplicates}} {
		if counter.want < 0 && *counter.got > 0 {
			*counter.got = counter.want
		}
	}
	want.Packets, want.Bytes, want.Units, want.DamagedUnits = got.Packets, got.Bytes, got.Units, got.DamagedUnits
	if got != want {
		t.Errorf("counted %+v, want %+v", got, want)
	}
}
