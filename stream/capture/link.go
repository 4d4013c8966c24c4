package capture

import (
	"encoding/binary"

	"github.com/gopacket/gopacket/layers"
)

// Values of EtherType (IEEE 802 numbers). Everything else is not IP, or
// carries a tag of its own.
const (
	etherIPv4 = 0x0800
	etherIPv6 = 0x86dd
	etherVLAN = 0x8100 // 802.1Q
	etherQinQ = 0x88a8 // 802.1ad
	etherOld  = 0x9100 // QinQ before 802.1ad
	etherPPP  = 0x8864 // PPPoE session (RFC 2516)
	maxTags   = 4      // VLAN tags on one frame
)

// Link types that package layers has no name for (tcpdump.org/linktypes.html).
const (
	linkRawBSD     = layers.LinkType(12) // DLT_RAW on most systems, seen in files
	linkRawOpenBSD = layers.LinkType(14) // DLT_RAW on OpenBSD
)

// network returns the IP packet in a captured frame; empty when the frame
// holds none, and !known when the link type is none of those that are read.
func network(frame []byte, link layers.LinkType) (packet []byte, known bool) {
	switch link {
	case layers.LinkTypeEthernet:
		return tagged(frame, 12), true // two addresses of 6 bytes before the type
	case layers.LinkTypeLinuxSLL:
		return tagged(frame, 14), true
	case layers.LinkTypeLinuxSLL2:
		return cooked2(frame), true
	case layers.LinkTypeNull, layers.LinkTypeLoop:
		return after(frame, 4), true // address family, in either byte order
	case layers.LinkTypeRaw, layers.LinkTypeIPv4, layers.LinkTypeIPv6, linkRawBSD, linkRawOpenBSD:
		return frame, true
	}
	return nil, false
}

// tagged skips an EtherType at offset at and the VLAN tags behind it.
func tagged(frame []byte, at int) []byte {
	for range maxTags + 1 {
		if len(frame) < at+2 {
			return nil
		}
		switch binary.BigEndian.Uint16(frame[at:]) {
		case etherIPv4, etherIPv6:
			return frame[at+2:]
		case etherVLAN, etherQinQ, etherOld:
			at += 4
		case etherPPP:
			return pppoe(after(frame, at+2))
		default:
			return nil
		}
	}
	return nil
}

// cooked2 reads LINKTYPE_LINUX_SLL2: 20 bytes that begin with the EtherType.
func cooked2(frame []byte) []byte {
	const header = 20
	if len(frame) < header {
		return nil
	}
	switch binary.BigEndian.Uint16(frame) {
	case etherIPv4, etherIPv6:
		return frame[header:]
	case etherVLAN, etherQinQ, etherOld:
		return tagged(frame, header+2) // 2 bytes of tag control, then the type
	}
	return nil
}

// pppoe reads a PPPoE session packet: 6 bytes, then the protocol of PPP.
func pppoe(b []byte) []byte {
	const header, ipv4, ipv6 = 6, 0x0021, 0x0057
	if len(b) < header+2 {
		return nil
	}
	switch binary.BigEndian.Uint16(b[header:]) {
	case ipv4, ipv6:
		return b[header+2:]
	}
	return nil
}

func after(b []byte, n int) []byte {
	if len(b) < n {
		return nil
	}
	return b[n:]
}
