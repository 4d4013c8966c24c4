package rtph264

import (
	"encoding/binary"
	"time"

	"github.com/vqeval/vqeval/stream/h264"
)

// Numbers of the header extensions, and where a Packetizer puts the first:
// behind the RTP header, the extension's profile and length, and its own head.
const (
	markID        = 1
	reliabilityID = 2
	markOffset    = 12 + 4 + 1
)

// Bits of frame marking (RFC 9626, section 3.2); the low four are zero.
const (
	markStart       = 0x80
	markEnd         = 0x40
	markIndependent = 0x20
	markDiscardable = 0x10
)

// The octet of reliability: one bit, and the age of expiry in units of 16 ms.
const (
	markReliable = 0x80
	expiryUnit   = 16 * time.Millisecond
	expiryNever  = 127
)

func frameMarking(au h264.AccessUnit) byte {
	mark := byte(0)
	if au.Key() {
		mark |= markIndependent
	}
	if au.Disposable() && !au.HasParams() {
		mark |= markDiscardable
	}
	return mark
}

// octet returns the reliability octet. The age is rounded up; beyond 2016 ms it
// is told as 2016 ms.
func (m Mark) octet() byte {
	expiry := byte(expiryNever)
	if m.Expires > 0 {
		expiry = byte(min((m.Expires+expiryUnit-1)/expiryUnit, expiryNever-1))
	}
	if m.Reliable {
		expiry |= markReliable
	}
	return expiry
}

// oneByte is the profile of one-byte header extensions (RFC 8285, section 4.2).
const oneByte = 0xbede

// readMark finds both extensions in the header extension of a packet, given
// from its profile on. Other senders use the same numbers for other things, so
// only the pair counts, each of one byte, with the reserved bits zero.
func (p *packet) readMark(ext []byte) {
	if binary.BigEndian.Uint16(ext) != oneByte {
		return
	}
	var found [3]bool
	var value [3]byte
	for b := ext[4:]; len(b) > 0; {
		id, size := b[0]>>4, int(b[0]&15)+1
		if id == 0 {
			b = b[1:]
			continue
		}
		if id == 15 || 1+size > len(b) {
			break
		}
		if id <= reliabilityID && size == 1 {
			found[id], value[id] = true, b[1]
		}
		b = b[1+size:]
	}
	p.hasMark = found[markID] && found[reliabilityID] && value[markID]&0x0f == 0
	if p.hasMark {
		p.mark, p.reliable = value[markID], value[reliabilityID]&markReliable != 0
	}
}
