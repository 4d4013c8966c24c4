package rquic

import (
	"bufio"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/quic-go/quic-go"
	"github.com/vqeval/vqeval/stream/transport"
)

// controlSuffix ends the protocol names that come with a control stream.
const controlSuffix = "-rquic1"

// greet sends the receiver's control stream: HELLO and nothing else.
func (r *Receiver) greet(conn *quic.Conn) {
	str, err := conn.OpenUniStream()
	if err != nil {
		return // the sender misses HELLO and says so
	}
	var ssrc [4]byte
	rand.Read(ssrc[:])
	h := hello{version: protocolV1, flags: flagNeedsDatagrams, datagramMax: datagramMax, payload: rtpPayload, codec: codecH264, clock: clockRate}
	b := transport.AppendFlow(nil, transport.ControlFlow)
	str.Write(transport.AppendRecord(b, h.append(nil, binary.BigEndian.Uint32(ssrc[:]))))
	str.Close()
}

// other serves streams of flows that are not the media's.
func (r *Receiver) other(flow uint64, _ *quic.ReceiveStream, br *bufio.Reader) bool {
	<-r.accepted // engine is set
	if !r.control || flow != transport.ControlFlow {
		return false
	}
	r.mu.Lock()
	again := r.seen
	r.seen = true
	r.mu.Unlock()
	if again {
		r.engine.Fail(transport.RoQPacketError, "second control stream")
		return true
	}
	r.readControl(br)
	return true
}

// readControl reads the sender's control stream to its end.
func (r *Receiver) readControl(br *bufio.Reader) {
	var reset *quic.StreamError
	for first := true; ; first = false {
		m, err := readMessage(br)
		if err == nil {
			err = r.take(m, first)
		}
		var unmet *unmetError
		switch {
		case errors.As(err, &unmet):
			r.engine.Fail(transport.RoQExpectation, err.Error())
			return
		case errors.Is(err, errControl):
			r.engine.Fail(transport.RoQPacketError, err.Error())
			return
		case err != nil:
			r.mu.Lock()
			if errors.Is(err, io.ErrUnexpectedEOF) {
				r.count.Truncated++
			}
			if errors.As(err, &reset) && reset.Remote {
				r.count.Resets++
			}
			r.mu.Unlock()
			return
		}
	}
}

// take books one message of the sender.
func (r *Receiver) take(m any, first bool) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	defer r.arm()
	h, isHello := m.(hello)
	switch {
	case isHello != first:
		return fmt.Errorf("%w: HELLO is missing or came twice", errControl)
	case isHello:
		return h.check()
	case m != nil && r.account.end != nil:
		return fmt.Errorf("%w: a record after FLOW_END", errControl)
	}
	now := time.Now()
	switch m := m.(type) {
	case auEnd:
		return r.account.unit(m, now)
	case []seqRange:
		r.account.losses(m, now)
	case flowEnd:
		return r.account.finish(m, now)
	}
	return nil
}
