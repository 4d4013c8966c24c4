package rtph264

import (
	"encoding/binary"
	"errors"
	"time"
)

// A packet is an RTP packet taken apart.
type packet struct {
	seq         uint16
	ext         int64 // extended sequence number, see source
	timestamp   uint32
	ssrc        uint32
	payloadType uint8
	marker      bool
	hasMark     bool // the two extensions of a Packetizer are there
	mark        byte // frame marking
	reliable    bool
	size        int    // bytes of the whole packet
	payload     []byte // without header and padding; empty in a packet of padding alone
	at          time.Time
}

var (
	errForeign   = errors.New("not RTP")
	errMalformed = errors.New("malformed RTP")
)

const rtpHeader = 12 // bytes of the fixed header (RFC 3550, section 5.1)

// readHeader reads the fixed header. Another version, which is how STUN and DTLS
// look, and RTCP (RFC 5761, section 4) are errForeign; what is too short is
// errMalformed.
func (p *packet) readHeader(b []byte) error {
	if len(b) > 0 && b[0]>>6 != 2 || len(b) > 1 && b[1] >= 192 && b[1] <= 223 {
		return errForeign
	}
	if len(b) < rtpHeader {
		return errMalformed
	}
	p.marker, p.payloadType = b[1]&0x80 != 0, b[1]&0x7f
	p.seq = binary.BigEndian.Uint16(b[2:])
	p.timestamp, p.ssrc = binary.BigEndian.Uint32(b[4:]), binary.BigEndian.Uint32(b[8:])
	p.size = len(b)
	return nil
}

// readBody finds the payload behind CSRCs and header extension and before the
// padding; it shares the memory of b. Elements inside a header extension may be
// as broken as they like: only its length counts here.
func (p *packet) readBody(b []byte) error {
	start, end := rtpHeader+4*int(b[0]&15), len(b)
	if b[0]&0x10 != 0 {
		if start+4 > end {
			return errMalformed
		}
		size := 4 + 4*int(binary.BigEndian.Uint16(b[start+2:]))
		if start+size > end {
			return errMalformed
		}
		p.readMark(b[start : start+size])
		start += size
	}
	if b[0]&0x20 != 0 {
		pad := int(b[end-1])
		if pad == 0 || start+pad > end {
			return errMalformed
		}
		end -= pad
	}
	if start > end {
		return errMalformed
	}
	p.payload = b[start:end]
	return nil
}
