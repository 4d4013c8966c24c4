package rquic

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Control records are RTCP APP packets (RFC 3550 6.7) named "rQUC", of reduced
// size (RFC 5506), one a record of a RoQ stream on transport.ControlFlow.
const (
	rtcpApp    = 204
	appName    = "rQUC"
	appHeader  = 12 // RTCP header, SSRC, name
	maxLost    = 32 // ranges in one LOST
	protocolV1 = 1
	codecH264  = 1
	clockRate  = 90000
	rtpPayload = 96
)

// Subtypes of control records.
const (
	subHello = iota
	subAUEnd
	subLost
	subFlowEnd
)

// Sizes of the records' own part.
const (
	helloSize   = 40
	auEndSize   = 16
	rangeSize   = 4
	flowEndSize = 12
)

// Flags of HELLO.
const (
	flagSendsMedia     = 1
	flagNeedsDatagrams = 2
)

const flagReliable = 1 // of AU_END

// errControl reports a control record that breaks the protocol.
var errControl = errors.New("bad control record")

// A hello opens the control stream of each end.
type hello struct {
	version, flags uint16
	datagramMax    uint32 // largest DATAGRAM, bytes, flow id included
	unitMax        uint32 // largest access unit, bytes; 0 = no bound
	expire         uint32 // ms
	payload, codec byte
	policy         byte   // 0 none, 1 idr, 2 ref, 3 all
	clock          uint32 // Hz
	deadline       uint32 // ms, 0 = offline
	ntp            uint64 // wall clock of timestamp; 0 = unknown
	timestamp      uint32 // RTP
}

// An auEnd says what was sent of one access unit.
type auEnd struct {
	index     uint32
	timestamp uint32
	firstSeq  uint16
	packets   uint16
	sent      uint16 // the first ones of packets
	status    Status
	reliable  bool
}

// A seqRange is a run of lost packets.
type seqRange struct{ first, count uint16 }

// A flowEnd is the last record.
type flowEnd struct {
	units, packets  uint32
	lastSeq, reason uint16 // reason: 0 end of file, 1 cancelled
}

// appendApp appends the header of a record with size bytes to follow.
func appendApp(dst []byte, subtype byte, ssrc uint32, size int) []byte {
	dst = append(dst, 0x80|subtype, rtcpApp)
	dst = binary.BigEndian.AppendUint16(dst, uint16((appHeader+size)/4-1))
	dst = binary.BigEndian.AppendUint32(dst, ssrc)
	return append(dst, appName...)
}

func (h hello) append(dst []byte, ssrc uint32) []byte {
	be := binary.BigEndian
	dst = appendApp(dst, subHello, ssrc, helloSize)
	dst = be.AppendUint16(dst, h.version)
	dst = be.AppendUint16(dst, h.flags)
	dst = be.AppendUint32(dst, h.datagramMax)
	dst = be.AppendUint32(dst, h.unitMax)
	dst = be.AppendUint32(dst, h.expire)
	dst = append(dst, h.payload, h.codec, h.policy, 0)
	dst = be.AppendUint32(dst, h.clock)
	dst = be.AppendUint32(dst, h.deadline)
	dst = be.AppendUint64(dst, h.ntp)
	return be.AppendUint32(dst, h.timestamp)
}

func (a auEnd) append(dst []byte, ssrc uint32) []byte {
	be := binary.BigEndian
	dst = appendApp(dst, subAUEnd, ssrc, auEndSize)
	dst = be.AppendUint32(dst, a.index)
	dst = be.AppendUint32(dst, a.timestamp)
	dst = be.AppendUint16(dst, a.firstSeq)
	dst = be.AppendUint16(dst, a.packets)
	dst = be.AppendUint16(dst, a.sent)
	flags := byte(0)
	if a.reliable {
		flags = flagReliable
	}
	return append(dst, byte(a.status), flags)
}

// appendLost appends a LOST of 1 to maxLost ranges.
func appendLost(dst []byte, ssrc uint32, ranges []seqRange) []byte {
	dst = appendApp(dst, subLost, ssrc, rangeSize*len(ranges))
	for _, r := range ranges {
		dst = binary.BigEndian.AppendUint16(dst, r.first)
		dst = binary.BigEndian.AppendUint16(dst, r.count)
	}
	return dst
}

func (f flowEnd) append(dst []byte, ssrc uint32) []byte {
	be := binary.BigEndian
	dst = appendApp(dst, subFlowEnd, ssrc, flowEndSize)
	dst = be.AppendUint32(dst, f.units)
	dst = be.AppendUint32(dst, f.packets)
	dst = be.AppendUint16(dst, f.lastSeq)
	return be.AppendUint16(dst, f.reason)
}

// parseRecord returns a hello, an auEnd, a []seqRange or a flowEnd; nil for
// what is to be ignored: other RTCP and unknown subtypes.
func parseRecord(b []byte) (any, error) {
	if len(b) < 4 || b[0]>>6 != 2 {
		return nil, fmt.Errorf("%w: no RTCP packet", errControl)
	}
	if b[1] != rtcpApp {
		return nil, nil
	}
	words := int(binary.BigEndian.Uint16(b[2:]))
	if b[0]&0x20 != 0 || len(b) < appHeader || len(b) != 4*(words+1) {
		return nil, fmt.Errorf("%w: %d bytes, its length says %d", errControl, len(b), 4*(words+1))
	}
	if string(b[8:appHeader]) != appName {
		return nil, fmt.Errorf("%w: name %q", errControl, b[8:appHeader])
	}
	body := b[appHeader:]
	switch b[0] & 0x1f {
	case subHello:
		return parseHello(body)
	case subAUEnd:
		return parseAUEnd(body)
	case subLost:
		return parseLost(body)
	case subFlowEnd:
		return parseFlowEnd(body)
	}
	return nil, nil
}

func parseHello(b []byte) (any, error) {
	if len(b) != helloSize {
		return nil, fmt.Errorf("%w: HELLO of %d bytes", errControl, len(b))
	}
	be := binary.BigEndian
	return hello{
		version: be.Uint16(b), flags: be.Uint16(b[2:]), datagramMax: be.Uint32(b[4:]), unitMax: be.Uint32(b[8:]),
		expire: be.Uint32(b[12:]), payload: b[16], codec: b[17], policy: b[18], clock: be.Uint32(b[20:]),
		deadline: be.Uint32(b[24:]), ntp: be.Uint64(b[28:]), timestamp: be.Uint32(b[36:]),
	}, nil
}

func parseAUEnd(b []byte) (any, error) {
	if len(b) != auEndSize {
		return nil, fmt.Errorf("%w: AU_END of %d bytes", errControl, len(b))
	}
	be := binary.BigEndian
	a := auEnd{
		index: be.Uint32(b), timestamp: be.Uint32(b[4:]), firstSeq: be.Uint16(b[8:]), packets: be.Uint16(b[10:]),
		sent: be.Uint16(b[12:]), status: Status(b[14]), reliable: b[15]&flagReliable != 0,
	}
	if a.status > StatusCut || a.sent > a.packets {
		return nil, fmt.Errorf("%w: AU_END with status %d, %d of %d packets sent", errControl, b[14], a.sent, a.packets)
	}
	return a, nil
}

func parseLost(b []byte) (any, error) {
	n := len(b) / rangeSize
	if n == 0 || n > maxLost {
		return nil, fmt.Errorf("%w: LOST of %d ranges", errControl, n)
	}
	ranges := make([]seqRange, n)
	for i := range ranges {
		ranges[i] = seqRange{binary.BigEndian.Uint16(b[rangeSize*i:]), binary.BigEndian.Uint16(b[rangeSize*i+2:])}
	}
	return ranges, nil
}

func parseFlowEnd(b []byte) (any, error) {
	if len(b) != flowEndSize {
		return nil, fmt.Errorf("%w: FLOW_END of %d bytes", errControl, len(b))
	}
	be := binary.BigEndian
	return flowEnd{be.Uint32(b), be.Uint32(b[4:]), be.Uint16(b[8:]), be.Uint16(b[10:])}, nil
}
