package transport

import "encoding/binary"

// validRTP reports whether p's RTP header, CSRCs, extension and padding lie
// inside p (RFC 3550 5.1 and A.1). An RTCP packet on the same flow (RFC 5761 4)
// passes if its header is there.
func validRTP(p []byte) bool {
	if len(p) < 4 || p[0]>>6 != 2 {
		return false
	}
	if isRTCP(p) {
		return true
	}
	n := 12 + 4*int(p[0]&15)
	if len(p) < n {
		return false
	}
	if p[0]&0x10 != 0 {
		if len(p) < n+4 {
			return false
		}
		n += 4 + 4*int(binary.BigEndian.Uint16(p[n+2:]))
	}
	if p[0]&0x20 != 0 {
		pad := int(p[len(p)-1])
		return pad > 0 && n+pad <= len(p)
	}
	return n <= len(p)
}

// isRTCP tells RTCP from RTP on one port by its packet type, RFC 5761 4.
func isRTCP(p []byte) bool { return p[1] >= 192 && p[1] <= 223 }

// mediaSSRC returns the SSRC of a well-formed RTP packet.
func mediaSSRC(p []byte) (ssrc uint32, ok bool) {
	if !validRTP(p) || isRTCP(p) {
		return 0, false
	}
	return binary.BigEndian.Uint32(p[8:]), true
}

// RTCP packet types, RFC 3550 12.1.
const (
	rtcpReport = 201 // receiver report
	rtcpBye    = 203
)

// bye is the RTCP BYE of one source, behind the empty report that RFC 3550 6.1
// wants first. Without it ffmpeg ignores the packet, as shorter than RTP's header.
func bye(ssrc uint32) []byte {
	b := binary.BigEndian.AppendUint32([]byte{0x80, rtcpReport, 0, 1}, ssrc)
	return binary.BigEndian.AppendUint32(append(b, 0x80|1, rtcpBye, 0, 1), ssrc)
}

// byeSSRCs returns the sources that a datagram says goodbye for, none if it is
// no RTCP BYE. A compound packet is searched to its end.
func byeSSRCs(p []byte) (ssrcs []uint32) {
	for len(p) >= 4 && p[0]>>6 == 2 && isRTCP(p) {
		n := 4 + 4*int(binary.BigEndian.Uint16(p[2:]))
		if n > len(p) {
			return ssrcs
		}
		for i := 0; p[1] == rtcpBye && i < int(p[0]&31) && 8+4*i <= n; i++ {
			ssrcs = append(ssrcs, binary.BigEndian.Uint32(p[4+4*i:]))
		}
		p = p[n:]
	}
	return ssrcs
}
