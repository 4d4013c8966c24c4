package rtph264

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/vqeval/vqeval/stream/h264"
)

// A clip describes access units made for tests: 50 at 25 frames/s, IDR pictures
// with parameter sets and SEI at 0 and 25, between them pictures of 40 to 4000
// bytes, 12 and 13 longer.
type clip struct {
	slices  int  // of each picture; 0 = 1
	bframes bool // three of four pictures are disposable and shown before the fourth
	filler  bool // a filler NAL unit of up to two bytes more or less than a packet holds
	room    int  // what a packet holds
}

const interval = 3600 // ticks of a frame at 25 frames/s

func (c clip) units() []h264.AccessUnit {
	rng := rand.New(rand.NewPCG(1, 2))
	var units []h264.AccessUnit
	for i := range 50 {
		u := h264.AccessUnit{PTS: int64(i) * interval, DTS: int64(i) * interval}
		header, size := byte(0x41), 40+rng.IntN(4000)
		if i == 12 || i == 13 {
			size += 4000 // several packets
		}
		if k := i % 25; c.bframes && k%4 == 1 {
			u.PTS += 3 * interval
		} else if c.bframes && k > 0 {
			u.PTS -= interval
			header, size = 0x01, 40+rng.IntN(900)
		}
		if i%25 == 0 {
			header, size = 0x65, 20000
			u.NALUs = append(u.NALUs, random(rng, 0x67, 20), random(rng, 0x68, 5), random(rng, 0x06, 600))
		}
		for k := range max(c.slices, 1) {
			n := random(rng, header, size)
			n[1] |= 0x80 // first_mb_in_slice 0
			if k > 0 {
				n[1] &^= 0x80
			}
			u.NALUs = append(u.NALUs, n)
		}
		if c.filler {
			u.NALUs = append(u.NALUs, random(rng, 0x0c, c.room-2+i%5))
		}
		units = append(units, u)
	}
	return units
}

// random returns a NAL unit of size bytes, none of them 0.
func random(rng *rand.Rand, header byte, size int) []byte {
	n := make([]byte, 0, size+8)
	for n = append(n, header); len(n) < size; {
		n = binary.LittleEndian.AppendUint64(n, rng.Uint64()|0x0101010101010101)
	}
	return n[:size:size]
}

// packets packetizes units and fails the test on an error.
func packets(t testing.TB, p Packetizer, units []h264.AccessUnit) [][]byte {
	t.Helper()
	var out [][]byte
	for i, u := range units {
		ps, err := p.Packetize(u, Mark{Reliable: u.Key()})
		if err != nil {
			t.Fatalf("unit %d: %v", i, err)
		}
		out = append(out, ps...)
	}
	return out
}

// plain is a sender that knows nothing of our header extensions.
func plain() Packetizer {
	return Packetizer{MaxPacket: 1200, SSRC: 0x1234abcd, Seq: 1000, FirstTimestamp: 123456, NoExtensions: true}
}

var epoch = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)

// receive pushes datagrams that arrive a millisecond apart.
func receive(d *Depacketizer, datagrams [][]byte) []Unit {
	var units []Unit
	drain := func() {
		for u, ok := d.Next(); ok; u, ok = d.Next() {
			units = append(units, u)
		}
	}
	for i, b := range datagrams {
		d.Push(b, epoch.Add(time.Duration(i)*time.Millisecond))
		drain()
	}
	d.Flush()
	drain()
	return units
}

// same reports whether a received unit has exactly the NAL units of one sent.
func same(got Unit, want h264.AccessUnit) bool {
	if len(got.NALUs) != len(want.NALUs) {
		return false
	}
	for i := range got.NALUs {
		if !bytes.Equal(got.NALUs[i], want.NALUs[i]) {
			return false
		}
	}
	return true
}

// clones copies packets deeply, so that they can be changed.
func clones(in [][]byte) [][]byte {
	out := make([][]byte, len(in))
	for i, b := range in {
		out[i] = bytes.Clone(b)
	}
	return out
}
