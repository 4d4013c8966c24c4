package rtph264

import (
	"bytes"
	"encoding/binary"
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

func backwards(n int) func(testing.TB, [][]byte) [][]byte {
	return func(_ testing.TB, ps [][]byte) [][]byte {
		out := slices.Clone(ps)
		for group := range slices.Chunk(out, n) {
			slices.Reverse(group)
		}
		return out
	}
}

// twice sends every packet twice, and one of unit 2 again behind unit 30.
func twice(t testing.TB, ps [][]byte) [][]byte {
	var out [][]byte
	for i, b := range ps {
		out = append(out, b, b)
		if i == unitAt(t, ps, 30)[0] {
			out = append(out, ps[unitAt(t, ps, 2)[0]])
		}
	}
	return out
}

// unitAt returns the indexes of the packets of a unit: n counts timestamps.
func unitAt(t testing.TB, ps [][]byte, n int) []int {
	t.Helper()
	var seen []uint32
	var out []int
	for i, b := range ps {
		ts := binary.BigEndian.Uint32(b[4:])
		if !slices.Contains(seen, ts) {
			seen = append(seen, ts)
		}
		if len(seen) == n+1 {
			out = append(out, i)
		}
	}
	if len(out) == 0 {
		t.Fatalf("no unit %d", n)
	}
	return out
}

// payloadOf returns the payload of a packet without padding.
func payloadOf(t testing.TB, b []byte) []byte {
	t.Helper()
	var p packet
	if err := p.readHeader(b); err != nil {
		t.Fatal(err)
	}
	if err := p.readBody(b); err != nil {
		t.Fatal(err)
	}
	return p.payload
}

// Which fragment of a picture dropFragment takes.
const (
	first = iota
	middle
	last
)

func dropFragment(unit, which int) func(testing.TB, [][]byte) [][]byte {
	return func(t testing.TB, ps [][]byte) [][]byte {
		var fragments []int
		for _, i := range unitAt(t, ps, unit) {
			if payloadOf(t, ps[i])[0]&0x1f == typeFUA {
				fragments = append(fragments, i)
			}
		}
		at := fragments[[]int{0, len(fragments) / 2, len(fragments) - 1}[which]]
		return slices.Delete(slices.Clone(ps), at, at+1)
	}
}

// dropSeam drops the last packet of a unit and the first of the next.
func dropSeam(unit int) func(testing.TB, [][]byte) [][]byte {
	return func(t testing.TB, ps [][]byte) [][]byte {
		at := unitAt(t, ps, unit+1)[0]
		return slices.Delete(slices.Clone(ps), at-1, at+1)
	}
}

// marker sets the marker bit of each packet by whether it ends a NAL unit.
func marker(set func(endsNALU bool) bool) func(testing.TB, [][]byte) [][]byte {
	return func(t testing.TB, ps [][]byte) [][]byte {
		out := clones(ps)
		for _, b := range out {
			payload := payloadOf(t, b)
			b[1] &= 0x7f
			if set(payload[0]&0x1f != typeFUA || payload[1]&fuEnd != 0) {
				b[1] |= 0x80
			}
		}
		return out
	}
}

// padding puts seven bytes behind every packet, and a packet of padding alone
// behind number 20.
func padding(_ testing.TB, ps [][]byte) [][]byte {
	var out [][]byte
	for i, b := range clones(ps) {
		if i > 20 {
			binary.BigEndian.PutUint16(b[2:], binary.BigEndian.Uint16(b[2:])+1)
		}
		b[0] |= 0x20
		out = append(out, append(b, 1, 2, 3, 4, 5, 6, 7))
		if i == 20 {
			alone := append(bytes.Clone(b[:12]), make([]byte, 19)...)
			alone[0], alone[1] = 0xa0, alone[1]&0x7f
			binary.BigEndian.PutUint16(alone[2:], binary.BigEndian.Uint16(b[2:])+1)
			out = append(out, append(alone, 20))
		}
	}
	return out
}

// extended gives every packet two CSRCs, and those without a header extension
// one of three words whose elements are nonsense.
func extended(_ testing.TB, ps [][]byte) [][]byte {
	var out [][]byte
	for _, b := range ps {
		c := append(bytes.Clone(b[:12]), 0xc0, 0, 0, 0, 0xc0, 0, 0, 1)
		if b[0]&0x10 == 0 {
			c = append(c, 0xbe, 0xde, 0, 3, 0x31, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)
		}
		c[0] |= 0x10 | 2
		out = append(out, append(c, b[12:]...))
	}
	return out
}

// restarted gives the packets from unit 25 on a new SSRC and other bases.
func restarted(t testing.TB, ps [][]byte) [][]byte {
	out, at := clones(ps), unitAt(t, ps, 25)[0]
	old := binary.BigEndian.Uint16(out[at][2:])
	for _, b := range out[at:] {
		binary.BigEndian.PutUint16(b[2:], binary.BigEndian.Uint16(b[2:])-old+7)
		binary.BigEndian.PutUint32(b[4:], binary.BigEndian.Uint32(b[4:])+1e9)
		binary.BigEndian.PutUint32(b[8:], 0xdeadbeef)
	}
	return out
}

// traffic mixes in what else may arrive on a port: RTCP, STUN, a byte, version
// 1, another payload type, nothing at all, another source.
func traffic(t testing.TB, ps [][]byte) [][]byte {
	at := map[int]string{
		5:  "80c800061234abcd00000000000000000001e2400000000500001388",
		20: "000100002112a442000102030405060708090a0b",
		33: "80",
		40: "4060000500000000deadbeef0102",
		50: "80620001000000001234abcd6588ffff",
		60: "",
		70: "80600001000000000badcafe6588ffff",
	}
	var out [][]byte
	for i, b := range ps {
		if s, ok := at[i]; ok {
			out = append(out, unhex(t, s))
		}
		out = append(out, b)
	}
	return out
}

// fused turns slices in packets of their own into FU-A with start and end bit.
func fused(t testing.TB, ps [][]byte) [][]byte {
	return rewrite(t, ps, func(b []byte) []byte {
		if kind := b[0] & 0x1f; kind >= 1 && kind <= 5 {
			return append([]byte{b[0]&0xe0 | typeFUA, fuStart | fuEnd | kind}, b[1:]...)
		}
		return b
	})
}

func reservedBit(t testing.TB, ps [][]byte) [][]byte {
	return rewrite(t, ps, func(b []byte) []byte {
		if b[0]&0x1f == typeFUA {
			b[1] |= 0x20
		}
		return b
	})
}

func noEndBit(t testing.TB, ps [][]byte) [][]byte {
	return rewrite(t, ps, func(b []byte) []byte {
		if b[0]&0x1f == typeFUA {
			b[1] &^= fuEnd
		}
		return b
	})
}

// rewrite changes the payload of every packet that has no padding.
func rewrite(t testing.TB, ps [][]byte, change func([]byte) []byte) [][]byte {
	var out [][]byte
	for _, b := range clones(ps) {
		payload := payloadOf(t, b)
		header := b[:len(b)-len(payload)]
		out = append(out, append(bytes.Clone(header), change(payload)...))
	}
	return out
}
