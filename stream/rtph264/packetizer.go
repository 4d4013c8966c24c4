// Package rtph264 carries H.264 access units in RTP packets (RFC 6184,
// packetization mode 1) and rejoins them, knowing what was lost on the way.
//
// A Packetizer writes single NAL unit packets, STAP-A for parameter sets, and
// FU-A, each with two one-byte header extensions (RFC 8285): number 1 is frame
// marking (RFC 9626, short form: first packet, last packet, IDR, disposable),
// number 2 holds the reliability bit and the time after which the picture is
// worthless. A Depacketizer takes the packets of this and any other sender.
//
// Neither reads a clock, starts a goroutine or is safe for concurrent use.
package rtph264

import (
	"encoding/binary"
	"fmt"
	"time"

	"github.com/pion/rtp"

	"github.com/vqeval/vqeval/stream/h264"
)

// DefaultMaxPacket is the size of the largest RTP packet, in bytes: with a flow
// identifier of one byte before it, it fills a QUIC datagram of 1200 bytes.
const DefaultMaxPacket = 1200 - 1

// DefaultPayloadType is the first dynamic payload type (RFC 3551, section 6).
const DefaultPayloadType = 96

// minPayload is the least room for H.264 in a packet: the two bytes of a
// fragment's header and one of the NAL unit.
const minPayload = 2 + 1

// A Packetizer cuts access units into RTP packets. Seq and Skipped change with
// every call; the rest is configuration, and its zero value is fine.
type Packetizer struct {
	MaxPacket      int   // bytes of an RTP packet with header and extensions at most; 0 = DefaultMaxPacket
	PayloadType    uint8 // 0 = DefaultPayloadType
	SSRC           uint32
	Seq            uint16 // sequence number of the next packet
	NoExtensions   bool   // leave out the header extensions: eight bytes more for the picture
	FirstTimestamp uint32 // added to every PTS
	Skipped        int    // NAL units left out so far: RTP has no room for types 0 and 24 to 31
}

// A Mark says how a transport should treat an access unit.
type Mark struct {
	Reliable bool          // deliver at any cost
	Expires  time.Duration // age at which it is worthless; 0 = never
}

// Packetize returns the RTP packets of one access unit in sequence order. All
// have the same timestamp, FirstTimestamp + PTS modulo 2^32, and the last one
// has the marker bit. NAL units of types that RTP uses for itself are left out
// and counted; a unit without any other gives no packet. It is an error if
// MaxPacket leaves less than three bytes for H.264.
func (p *Packetizer) Packetize(au h264.AccessUnit, m Mark) ([][]byte, error) {
	header, err := p.header(au, m)
	if err != nil {
		return nil, err
	}
	limit := p.MaxPacket
	if limit == 0 {
		limit = DefaultMaxPacket
	}
	room := limit - len(header)
	if room < minPayload {
		return nil, fmt.Errorf("rtp: packets of %d bytes hold a header of %d, so %d are left for H.264, want at least %d",
			limit, len(header), room, minPayload)
	}
	w := writer{header: header, room: room}
	p.Skipped += w.unit(au)
	for i, packet := range w.packets {
		binary.BigEndian.PutUint16(packet[2:], p.Seq)
		p.Seq++
		p.markEnds(packet, i == 0, i == len(w.packets)-1)
	}
	return w.packets, nil
}

// markEnds sets the marker bit and the bits of frame marking that tell the
// first and the last packet of an access unit.
func (p *Packetizer) markEnds(packet []byte, first, last bool) {
	if last {
		packet[1] |= 0x80
	}
	if p.NoExtensions {
		return
	}
	if first {
		packet[markOffset] |= markStart
	}
	if last {
		packet[markOffset] |= markEnd
	}
}

// header returns what all packets of an access unit have in common.
func (p *Packetizer) header(au h264.AccessUnit, m Mark) ([]byte, error) {
	h := rtp.Header{
		Version: 2, PayloadType: p.PayloadType & 0x7f, SSRC: p.SSRC,
		Timestamp: p.FirstTimestamp + uint32(au.PTS),
	}
	if h.PayloadType == 0 {
		h.PayloadType = DefaultPayloadType
	}
	if !p.NoExtensions {
		if err := h.SetExtension(markID, []byte{frameMarking(au)}); err != nil {
			return nil, fmt.Errorf("rtp: frame marking: %w", err)
		}
		if err := h.SetExtension(reliabilityID, []byte{m.octet()}); err != nil {
			return nil, fmt.Errorf("rtp: reliability: %w", err)
		}
	}
	return h.Marshal()
}
