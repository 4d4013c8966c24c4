package rtph264

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"
)

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

// restartedAlike gives the packets from unit 25 on numbers from far before the first,
// and timestamps from a second back on.
func restartedAlike(t testing.TB, ps [][]byte) [][]byte {
	out, at := clones(ps), unitAt(t, ps, 25)[0]
	for _, b := range out[at:] {
		binary.BigEndian.PutUint16(b[2:], binary.BigEndian.Uint16(b[2:])-6000)
		binary.BigEndian.PutUint32(b[4:], binary.BigEndian.Uint32(b[4:])-90000)
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
