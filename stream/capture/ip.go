package capture

import (
	"encoding/binary"
	"errors"
	"net/netip"
)

// Numbers of IPv6 extension headers (RFC 8200, RFC 4302).
const (
	headerHopByHop    = 0
	headerRouting     = 43
	headerFragment    = 44
	headerAuth        = 51
	headerDestination = 60
	maxHeaders        = 8 // extension headers of one packet that are followed
)

// An ipPacket is an IP packet, or a fragment of one.
type ipPacket struct {
	src, dst netip.Addr
	protocol uint8
	payload  []byte

	fragment bool
	id       uint32
	offset   int  // bytes, of a fragment
	more     bool // fragments follow
	cut      bool // the capture has only the beginning of it
}

// parseIP reads an IPv4 or IPv6 packet. What the link layer added behind it
// (Ethernet pads to 60 bytes) is cut off.
func parseIP(b []byte) (ipPacket, bool) {
	if len(b) == 0 {
		return ipPacket{}, false
	}
	switch b[0] >> 4 {
	case 4:
		return parseIPv4(b)
	case 6:
		return parseIPv6(b)
	}
	return ipPacket{}, false
}

func parseIPv4(b []byte) (ipPacket, bool) {
	if len(b) < ipv4Header {
		return ipPacket{}, false
	}
	header, total := int(b[0]&15)*4, int(binary.BigEndian.Uint16(b[2:]))
	if total == 0 { // left to the network card (segmentation offload)
		total = len(b)
	}
	if header < ipv4Header || header > total || header > len(b) {
		return ipPacket{}, false
	}
	flags := binary.BigEndian.Uint16(b[6:])
	p := ipPacket{
		src:      netip.AddrFrom4([4]byte(b[12:16])),
		dst:      netip.AddrFrom4([4]byte(b[16:20])),
		protocol: b[9],
		payload:  b[header:min(total, len(b))],
		id:       uint32(binary.BigEndian.Uint16(b[4:])),
		offset:   int(flags&0x1fff) * 8,
		more:     flags&0x2000 != 0,
	}
	p.fragment, p.cut = p.more || p.offset > 0, len(b) < total
	return p, true
}

func parseIPv6(b []byte) (ipPacket, bool) {
	if len(b) < ipv6Header {
		return ipPacket{}, false
	}
	size := int(binary.BigEndian.Uint16(b[4:]))
	if size == 0 {
		size = len(b) - ipv6Header
	}
	have := min(size, len(b)-ipv6Header)
	p := ipPacket{
		src:      netip.AddrFrom16([16]byte(b[8:24])),
		dst:      netip.AddrFrom16([16]byte(b[24:40])),
		protocol: b[6],
		payload:  b[ipv6Header : ipv6Header+have],
		cut:      have < size,
	}
	return p, p.skipExtensions()
}

// skipExtensions moves over IPv6's extension headers to the transport header,
// or to what a fragment carries. It returns false when they are damaged.
func (p *ipPacket) skipExtensions() bool {
	for range maxHeaders {
		skip, ok := p.extension()
		if !ok {
			return true
		}
		if skip > len(p.payload) {
			return false
		}
		p.protocol, p.payload = p.payload[0], p.payload[skip:]
		if p.fragment {
			return true
		}
	}
	return false
}

// extension returns the length of the extension header that the payload begins
// with, and notes what a fragment header says.
func (p *ipPacket) extension() (skip int, ok bool) {
	const tooLong = 1 << 16
	switch p.protocol {
	case headerHopByHop, headerRouting, headerDestination, headerAuth:
		if len(p.payload) < 2 {
			return tooLong, true
		}
		if p.protocol == headerAuth {
			return (int(p.payload[1]) + 2) * 4, true
		}
		return (int(p.payload[1]) + 1) * 8, true
	case headerFragment:
		if len(p.payload) < 8 {
			return tooLong, true
		}
		at := binary.BigEndian.Uint16(p.payload[2:])
		p.id = binary.BigEndian.Uint32(p.payload[4:])
		p.offset, p.more = int(at&^7), at&1 != 0
		p.fragment = p.more || p.offset > 0
		return 8, true
	}
	return 0, false
}

var errShort = errors.New("datagram cut short")

// parseUDP returns the datagram in a whole IP packet.
func parseUDP(p ipPacket) (Record, error) {
	b := p.payload
	if len(b) < udpHeader {
		return Record{}, errShort
	}
	size := int(binary.BigEndian.Uint16(b[4:]))
	if size == 0 { // left to the network card, or a jumbogram
		size = len(b)
	}
	if size < udpHeader || size > len(b) {
		return Record{}, errShort
	}
	return Record{
		Packet: b[udpHeader:size:size],
		Src:    netip.AddrPortFrom(p.src, binary.BigEndian.Uint16(b)),
		Dst:    netip.AddrPortFrom(p.dst, binary.BigEndian.Uint16(b[2:])),
	}, nil
}
