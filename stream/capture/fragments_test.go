package capture

import (
	"bytes"
	"encoding/binary"
	"io"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestFragments(t *testing.T) {
	src, dst := addr("10.0.0.1:40000"), addr("10.0.0.2:5004")
	payload := bytes.Repeat([]byte("0123456789"), 300)
	rapid.Check(t, func(t *rapid.T) {
		parts := fragments(src, dst, payload, 8*rapid.IntRange(50, 200).Draw(t, "step"))
		order := make([]int, len(parts))
		for i := range order {
			order[i] = i
		}
		order = rapid.Permutation(order).Draw(t, "order")
		twice := rapid.IntRange(0, len(parts)-2).Draw(t, "sent twice") // not the one that completes it
		order = slices.Insert(order, twice, order[twice])
		var frames [][]byte
		for _, i := range order {
			frames = append(frames, parts[i])
		}
		file := pcap(binary.LittleEndian, true, 101, frames...)
		recs, _, err := readAll(file)
		if err != io.EOF || len(recs) != 1 || !bytes.Equal(recs[0].Packet, payload) {
			t.Fatalf("got %d records, %v; want the datagram", len(recs), err)
		}
	})
}

func TestFragmentsIPv6(t *testing.T) {
	src, dst := addr("[2001:db8::1]:40000"), addr("[2001:db8::2]:5004")
	payload := bytes.Repeat([]byte("0123456789"), 30)
	datagram := udp(src, dst, payload)
	head := func(at int, more byte) []byte { return []byte{17, 0, byte(at >> 8), byte(at) | more, 0, 0, 0, 9} }
	file := pcap(binary.LittleEndian, true, 101,
		ipv6(src, dst, 44, concat(head(160, 0), datagram[160:])),
		ipv6(src, dst, 44, concat(head(0, 1), datagram[:160])))
	recs, counts, err := readAll(file)
	if err != io.EOF || len(recs) != 1 {
		t.Fatalf("got %d records, %+v, %v; want 1", len(recs), counts, err)
	}
	checkRecord(t, recs[0], Record{At: start().Add(time.Millisecond), Packet: payload, Src: src, Dst: dst})
}

func TestFragmentsLost(t *testing.T) {
	src, dst := addr("10.0.0.1:40000"), addr("10.0.0.2:5004")
	parts := fragments(src, dst, make([]byte, 3000), 1000)
	recs, counts, err := readAll(pcap(binary.LittleEndian, true, 101, parts[0], parts[2]))
	want := Counts{Frames: 2, Fragments: 2, Incomplete: 1}
	if err != io.EOF || len(recs) != 0 || counts != want {
		t.Errorf("got %d records, %+v, %v; want none, %+v", len(recs), counts, err, want)
	}
}

func TestDefragBounds(t *testing.T) {
	var d defrag
	at := time.Unix(0, 0)
	evicted := 0
	for id := range uint32(3 * maxPartial) {
		_, n, ok := d.add(ipPacket{id: id, more: true, payload: make([]byte, 8)}, at)
		if evicted += n; ok {
			t.Fatalf("fragment %d completed a datagram", id)
		}
	}
	if len(d.parts) != maxPartial || evicted != 2*maxPartial {
		t.Errorf("got %d waiting, %d given up; want %d, %d", len(d.parts), evicted, maxPartial, 2*maxPartial)
	}
	if _, n, _ := d.add(ipPacket{id: 1 << 20, more: true, payload: make([]byte, 8)}, at.Add(time.Minute)); n != maxPartial {
		t.Errorf("after a minute %d were given up, want %d", n, maxPartial)
	}
}
