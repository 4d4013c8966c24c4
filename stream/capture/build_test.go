package capture

import (
	"bytes"
	"encoding/binary"
	"net/netip"
	"slices"
	"time"
)

// Builders of captures by hand: the reader must not be tested by the writer alone.

func addr(s string) netip.AddrPort { return netip.MustParseAddrPort(s) }

// start is the arrival time of the first test packet.
func start() time.Time { return time.Unix(1_700_000_000, 123_456_000).UTC() }

// rtpPacket is an RTP packet with a one-slice payload of H.264.
func rtpPacket(ssrc uint32, seq uint16, ts uint32, payload ...byte) []byte {
	b := []byte{0x80, 96}
	b = binary.BigEndian.AppendUint16(b, seq)
	b = binary.BigEndian.AppendUint32(b, ts)
	b = binary.BigEndian.AppendUint32(b, ssrc)
	if payload == nil {
		payload = []byte{0x41, 0x9a, byte(seq)}
	}
	return append(b, payload...)
}

func udp(src, dst netip.AddrPort, payload []byte) []byte {
	b := binary.BigEndian.AppendUint16(nil, src.Port())
	b = binary.BigEndian.AppendUint16(b, dst.Port())
	b = binary.BigEndian.AppendUint16(b, uint16(8+len(payload)))
	return append(append(b, 0, 0), payload...)
}

// ipv4 is an IPv4 packet; flags is the word with offset and "more".
func ipv4(src, dst netip.AddrPort, id, flags uint16, protocol byte, payload []byte) []byte {
	b := []byte{0x45, 0}
	b = binary.BigEndian.AppendUint16(b, uint16(20+len(payload)))
	b = binary.BigEndian.AppendUint16(b, id)
	b = binary.BigEndian.AppendUint16(b, flags)
	b = append(b, 64, protocol, 0, 0)
	b = append(append(b, src.Addr().AsSlice()...), dst.Addr().AsSlice()...)
	return append(b, payload...)
}

func ipv6(src, dst netip.AddrPort, next byte, payload []byte) []byte {
	b := []byte{0x60, 0, 0, 0}
	b = binary.BigEndian.AppendUint16(b, uint16(len(payload)))
	b = append(b, next, 64)
	b = append(append(b, src.Addr().AsSlice()...), dst.Addr().AsSlice()...)
	return append(b, payload...)
}

func ether(kind uint16, packet []byte) []byte {
	b := make([]byte, 12)
	b = binary.BigEndian.AppendUint16(b, kind)
	return append(b, packet...)
}

func pad(b []byte, size int) []byte { return append(b, make([]byte, max(0, size-len(b)))...) }

// pcap is a classic capture file; each frame comes a millisecond after the
// one before.
func pcap(order binary.AppendByteOrder, nano bool, link uint32, frames ...[]byte) []byte {
	magic, unit := uint32(0xa1b2c3d4), time.Microsecond
	if nano {
		magic, unit = 0xa1b23c4d, time.Nanosecond
	}
	b := order.AppendUint32(nil, magic)
	b = order.AppendUint16(b, 2)
	b = order.AppendUint16(b, 4)
	b = order.AppendUint32(b, 0)
	b = order.AppendUint32(b, 0)
	b = order.AppendUint32(b, 65535)
	b = order.AppendUint32(b, link)
	for i, f := range frames {
		at := start().Add(time.Duration(i) * time.Millisecond)
		b = order.AppendUint32(b, uint32(at.Unix()))
		b = order.AppendUint32(b, uint32(at.Nanosecond()/int(unit)))
		b = order.AppendUint32(b, uint32(len(f)))
		b = order.AppendUint32(b, uint32(len(f)))
		b = append(b, f...)
	}
	return b
}

// block is one pcapng block.
func block(order binary.AppendByteOrder, kind uint32, body ...byte) []byte {
	body = pad(body, (len(body)+3)&^3)
	b := order.AppendUint32(nil, kind)
	b = order.AppendUint32(b, uint32(12+len(body)))
	b = append(b, body...)
	return order.AppendUint32(b, uint32(12+len(body)))
}

// pcapng is a capture with two interfaces, raw IP and Ethernet; the frames go
// by turns through both. Blocks of unknown kind stand between.
func pcapng(order binary.AppendByteOrder, raw, ethernet []byte) []byte {
	head := order.AppendUint32(nil, 0x1a2b3c4d)
	head = order.AppendUint16(head, 1)
	head = order.AppendUint16(head, 0)
	head = order.AppendUint64(head, ^uint64(0))
	b := block(order, 0x0a0d0d0a, head...)
	for _, link := range []uint16{101, 1} {
		body := order.AppendUint16(nil, link)
		body = order.AppendUint16(body, 0)
		b = append(b, block(order, 1, order.AppendUint32(body, 0)...)...)
	}
	b = append(b, block(order, 0x0bad, 1, 2, 3)...)
	for i, f := range [][]byte{raw, ethernet} {
		us := uint64(start().Add(time.Duration(i) * time.Millisecond).UnixMicro())
		body := order.AppendUint32(nil, uint32(i))
		body = order.AppendUint32(body, uint32(us>>32))
		body = order.AppendUint32(body, uint32(us))
		body = order.AppendUint32(body, uint32(len(f)))
		body = order.AppendUint32(body, uint32(len(f)))
		b = append(b, block(order, 6, append(body, f...)...)...)
	}
	return b
}

// readAll returns every record, what was counted, and the error that ended it.
func readAll(file []byte) ([]Record, Counts, error) {
	r, err := Open(bytes.NewReader(file))
	if err != nil {
		return nil, Counts{}, err
	}
	var recs []Record
	for {
		rec, err := r.Next()
		if err != nil {
			return recs, r.Counts(), err
		}
		recs = append(recs, rec)
	}
}

func concat(parts ...[]byte) []byte { return slices.Concat(parts...) }
