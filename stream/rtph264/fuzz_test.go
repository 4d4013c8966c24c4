package rtph264

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/vqeval/vqeval/stream/h264"
)

// FuzzDepacketizer takes any bytes as datagrams, each behind a length of one
// byte: nothing panics, no input changes, and the books balance.
func FuzzDepacketizer(f *testing.F) {
	var seed []byte
	add := func(ps [][]byte) {
		seed = seed[:0]
		for _, b := range ps {
			b = b[:min(len(b), 255)]
			seed = append(append(seed, byte(len(b))), b...)
		}
		f.Add(bytes.Clone(seed), uint8(0))
	}
	for _, tt := range trials() {
		ps := packets(f, plain(), tt.clip.units())
		if tt.change != nil {
			ps = tt.change(f, ps)
		}
		add(ps[:min(len(ps), 100)])
	}
	add(as(small(1, 50), 9, 9, 9))
	f.Fuzz(func(t *testing.T, data []byte, setting uint8) {
		var in [][]byte
		for len(data) > 0 {
			size := min(int(data[0]), len(data)-1)
			in, data = append(in, data[1:1+size:1+size]), data[1+size:]
		}
		before := clones(in)
		d := Depacketizer{Policy: Policy(setting % 3), Window: int(setting / 3)}
		units := receive(&d, in)
		checkBooks(t, &d, units, len(in))
		if !slices.EqualFunc(in, before, bytes.Equal) {
			t.Error("a datagram was changed")
		}
	})
}

// checkBooks holds what is true of every input.
func checkBooks(t *testing.T, d *Depacketizer, units []Unit, datagrams int) {
	t.Helper()
	s := d.Stats()
	inTime := 0
	for i, u := range units {
		inTime += u.Packets
		if i > 0 && u.FirstSeq <= units[i-1].LastSeq {
			t.Errorf("unit %d begins with number %d, the one before ends with %d", i, u.FirstSeq, units[i-1].LastSeq)
		}
		for _, n := range u.NALUs {
			if typ := h264.TypeOf(n); typ == 0 || typ >= typeSTAPA {
				t.Errorf("unit %d: NAL unit of type %d", i, typ)
			}
		}
		if u.Packets == 0 || u.Lost < 0 || u.LostBefore < 0 || u.Complete && u.Lost+u.Truncated > 0 {
			t.Errorf("unit %d: %+v", i, u)
		}
	}
	if s.Lost < 0 || inTime > s.Packets-s.Duplicates || s.Units != len(units) {
		t.Errorf("%d packets in %d units, counted %+v", inTime, len(units), s)
	}
	// Payloads that break RFC 6184 count as malformed beside their packet.
	if s.Packets+s.Foreign > datagrams || s.Packets+s.Foreign+s.Malformed < datagrams {
		t.Errorf("%d datagrams, counted %+v", datagrams, s)
	}
}

// FuzzRoundTrip sends units made of seed through a network made of seed, which
// drops, doubles and moves packets by up to 16 places. What is whole comes back
// bit-exact, what is not is the head of something sent, and all that is missing
// is booked.
func FuzzRoundTrip(f *testing.F) {
	for seed := range uint64(24) {
		f.Add(seed, uint8(seed*10), uint16(40+seed*60), uint8(seed))
	}
	f.Fuzz(func(t *testing.T, seed uint64, trouble uint8, size uint16, setting uint8) {
		rng := rand.New(rand.NewPCG(seed, 1))
		sent := randomUnits(rng, int(size))
		p := Packetizer{
			MaxPacket: 24 + int(size)%1400, SSRC: uint32(seed), Seq: uint16(rng.Uint32()),
			FirstTimestamp: rng.Uint32(), NoExtensions: setting&1 != 0,
		}
		start := p.FirstTimestamp
		ps := packets(t, p, sent)
		arrived, distinct := network(rng, ps, float64(trouble)/512)
		d := Depacketizer{Policy: Policy(setting / 2 % 3)}
		units := receive(&d, arrived)
		checkBooks(t, &d, units, len(arrived))
		s := d.Stats()
		if s.Packets-s.Duplicates != distinct || s.Foreign+s.Malformed+s.Late+s.Unsupported > 0 {
			t.Errorf("%d different packets arrived, counted %+v", distinct, s)
		}
		checkTrip(t, units, sent, start, s, trouble == 0 || distinct == len(ps))
	})
}

func randomUnits(rng *rand.Rand, size int) []h264.AccessUnit {
	var units []h264.AccessUnit
	for i := range 1 + rng.IntN(20) {
		u := h264.AccessUnit{PTS: int64(i) * interval}
		for k := range 1 + rng.IntN(4) {
			header := []byte{0x41, 0x01, 0x65, 0x67, 0x68, 0x06, 0x09, 0x0c}[rng.IntN(8)]
			n := random(rng, header, 2+rng.IntN(1+3*size))
			n[len(n)-1], n[1] = byte(k), n[1]|0x80
			u.NALUs = append(u.NALUs, n)
		}
		units = append(units, u)
	}
	return units
}

// network returns what arrives of packets, and how many different ones.
func network(rng *rand.Rand, ps [][]byte, trouble float64) (out [][]byte, distinct int) {
	type arrival struct {
		b  []byte
		at int
	}
	var arrivals []arrival
	for i, b := range ps {
		if rng.Float64() < trouble {
			continue
		}
		distinct++
		for copies := 1; copies > 0; copies-- {
			at := i * 16
			if rng.Float64() < trouble {
				at += rng.IntN(16 * 16)
			}
			arrivals = append(arrivals, arrival{b, at})
			if rng.Float64() < trouble/2 {
				copies++
			}
		}
	}
	slices.SortStableFunc(arrivals, func(a, b arrival) int { return a.at - b.at })
	for _, a := range arrivals {
		out = append(out, a.b)
	}
	return out, distinct
}

// checkTrip compares units with those of the same timestamp that were sent.
func checkTrip(t *testing.T, units []Unit, sent []h264.AccessUnit, start uint32, s Stats, whole bool) {
	t.Helper()
	lost := 0
	for i, u := range units {
		lost += u.Lost + u.LostBefore
		want := sent[int(int32(uint32(u.Timestamp)-start))/interval]
		if u.Complete && u.Dropped == 0 && (u.HasMark || whole) && !same(u, want) {
			t.Errorf("unit %d is complete and differs from what was sent", i)
		}
		for _, n := range u.NALUs {
			if !slices.ContainsFunc(want.NALUs, func(m []byte) bool { return bytes.HasPrefix(m, n) }) {
				t.Errorf("unit %d has a NAL unit of %d bytes that was never sent", i, len(n))
			}
		}
	}
	if lost != s.Lost {
		t.Errorf("%d packets charged to units, %d lost", lost, s.Lost)
	}
	if whole && (len(units) != len(sent) || s.Lost > 0 || s.DroppedNALUs > 0 && units[0].NALUs == nil) {
		t.Errorf("nothing is missing, but %d of %d units came, counted %+v", len(units), len(sent), s)
	}
}

func BenchmarkPacketizer(b *testing.B) {
	units := clip{}.units()
	size := 0
	for _, u := range units {
		size += u.Size()
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		packets(b, Packetizer{}, units)
	}
}

// BenchmarkDepacketizer takes 10000 packets of 1200 bytes.
func BenchmarkDepacketizer(b *testing.B) {
	var ordered [][]byte
	p := Packetizer{MaxPacket: 1200}
	for i := 0; len(ordered) < 10_000; i++ {
		u := h264.AccessUnit{PTS: int64(i) * interval, NALUs: [][]byte{append([]byte{0x41, 0x88}, make([]byte, 23_000)...)}}
		ordered = append(ordered, packets(b, p, []h264.AccessUnit{u})...)
		p.Seq = uint16(len(ordered))
	}
	lossy := slices.Clone(ordered)
	for i := 0; i < len(lossy); i += 99 {
		lossy = slices.Delete(lossy, i, i+1)
	}
	for _, bm := range []struct {
		name string
		in   [][]byte
	}{{"in order", ordered}, {"fours backwards", backwards(4)(b, ordered)}, {"1% lost", lossy}} {
		b.Run(bm.name, func(b *testing.B) {
			b.SetBytes(int64(len(bm.in) * 1200))
			b.ReportAllocs()
			for b.Loop() {
				d := Depacketizer{}
				for _, datagram := range bm.in {
					d.Push(datagram, time.Time{})
					d.Next()
				}
				d.Flush()
			}
		})
	}
}
