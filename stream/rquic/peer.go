package rquic

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/vqeval/vqeval/stream/transport"
)

// fail closes the connection with a RoQ error code, for a reason that Send and
// Close report.
func (s *Sender) fail(code uint64, why string) {
	s.ledger.fail(fmt.Errorf("closed the connection with code 0x%02x: %s", code, why))
	s.line.close(code, why)
}

// acceptStreams serves the receiver's streams until the connection ends:
// incomingStreams of them at a time, each on a goroutine of its own. With
// control the first one of that flow is the control stream.
func (s *Sender) acceptStreams(control bool) {
	var seen atomic.Bool
	for {
		str, err := s.line.accept()
		if err != nil {
			return
		}
		s.loops.Go(func() { s.serve(str, control, &seen) })
	}
}

// refuseBidirectional answers the first bidirectional stream: RoQ has none.
func (s *Sender) refuseBidirectional() {
	if _, err := s.line.conn.AcceptStream(context.Background()); err == nil {
		s.fail(transport.RoQStreamCreation, "bidirectional stream")
	}
}

func (s *Sender) serve(str incoming, control bool, seen *atomic.Bool) {
	r := bufio.NewReader(str)
	flow, err := transport.ReadFlow(r)
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		s.fail(transport.RoQPacketError, "stream: "+err.Error())
	case err != nil: // reset, or the end of the connection
	case !control || flow != transport.ControlFlow:
		str.refuse(transport.RoQUnknownFlow)
		s.mu.Lock()
		s.count.UnknownFlow++
		s.mu.Unlock()
	case seen.Swap(true):
		s.fail(transport.RoQPacketError, "second control stream")
	default:
		s.readControl(r)
	}
}

// readControl reads the receiver's control stream to its end. After HELLO a
// receiver has nothing to say that a sender needs.
func (s *Sender) readControl(r *bufio.Reader) {
	for first := true; ; first = false {
		m, err := readMessage(r)
		h, isHello := m.(hello)
		switch {
		case errors.Is(err, errControl):
			s.fail(transport.RoQPacketError, err.Error())
			return
		case err != nil:
			return
		case isHello != first:
			s.fail(transport.RoQPacketError, "control stream: HELLO is missing or came twice")
			return
		}
		if first {
			s.hello <- h
		}
	}
}

// readMessage reads one record of a control stream, as parseRecord returns it.
// A length out of range is errControl too.
func readMessage(r *bufio.Reader) (any, error) {
	b, err := transport.ReadRecord(r)
	if errors.Is(err, transport.ErrRecord) {
		return nil, fmt.Errorf("%w: %w", errControl, err)
	}
	if err != nil {
		return nil, err
	}
	return parseRecord(b)
}
