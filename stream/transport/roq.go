package transport

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/quic-go/quic-go/quicvarint"
)

// ALPN is the protocol name of the RoQ draft that this package speaks.
const ALPN = "roq-14"

// MediaFlow and ControlFlow are the RoQ flows that this module uses.
const (
	MediaFlow   = 1
	ControlFlow = 2
)

// Error codes of RTP over QUIC, draft-ietf-avtcore-rtp-over-quic-14, for
// closing a connection and, as far as they fit, a stream.
const (
	RoQNoError        = 0x00
	RoQGeneralError   = 0x01
	RoQInternalError  = 0x02
	RoQPacketError    = 0x03
	RoQStreamCreation = 0x04
	RoQFrameCancelled = 0x05
	RoQUnknownFlow    = 0x06
	RoQExpectation    = 0x07
)

// MaxRecord is the largest RTP packet in bytes that a RoQ stream, or RFC 4571's
// two bytes of length, can carry here.
const MaxRecord = 65535

// ErrRecord reports a packet on a stream with the length 0 or above MaxRecord.
var ErrRecord = errors.New("packet length out of range")

// AppendFlow appends a flow id in its shortest form, which begins every RoQ
// stream and datagram.
func AppendFlow(dst []byte, flow uint64) []byte { return quicvarint.Append(dst, flow) }

// AppendRecord appends packet behind its length, as it stands in a RoQ stream.
func AppendRecord(dst, packet []byte) []byte {
	return append(quicvarint.Append(dst, uint64(len(packet))), packet...)
}

// ParseDatagram splits a RoQ datagram. The packet points into b. It returns an
// error if b ends inside the flow id.
func ParseDatagram(b []byte) (flow uint64, packet []byte, err error) {
	flow, n, err := quicvarint.Parse(b)
	if err != nil {
		return 0, nil, fmt.Errorf("flow id: %w", io.ErrUnexpectedEOF)
	}
	return flow, b[n:], nil
}

// ReadFlow reads the flow id that begins a RoQ stream. It returns
// io.ErrUnexpectedEOF if the stream ends before or inside it.
func ReadFlow(r *bufio.Reader) (uint64, error) {
	flow, err := quicvarint.Read(r)
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return 0, fmt.Errorf("flow id: %w", err)
	}
	return flow, nil
}

// ReadRecord reads one packet of a RoQ stream into fresh memory. It returns
// io.EOF if the stream ends before it, io.ErrUnexpectedEOF if the stream ends
// inside it, ErrRecord, or what r returned.
func ReadRecord(r *bufio.Reader) ([]byte, error) {
	if _, err := r.Peek(1); err != nil {
		return nil, err
	}
	n, err := quicvarint.Read(r)
	if err == nil && (n == 0 || n > MaxRecord) {
		return nil, fmt.Errorf("%w: %d bytes", ErrRecord, n)
	}
	var p []byte
	if err == nil {
		p = make([]byte, n)
		_, err = io.ReadFull(r, p)
	}
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, err
	}
	return p, nil
}
