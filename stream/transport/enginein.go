package transport

import (
	"bufio"
	"context"
	"errors"
	"io"

	"github.com/quic-go/quic-go"
)

// readDatagrams does nothing but drain: quic-go's queue holds 128 datagrams and
// then drops silently. It ends with the connection.
func (e *Engine) readDatagrams() {
	for {
		b, err := e.conn.ReceiveDatagram(context.Background())
		if err != nil {
			return
		}
		flow, packet, err := ParseDatagram(b)
		switch {
		case err != nil:
			e.Fail(RoQPacketError, "datagram: "+err.Error())
			return
		case flow != e.c.Flow:
			e.count.update(func(s *Stats) { s.UnknownFlow++ })
		case !validRTP(packet):
			e.count.update(func(s *Stats) { s.Malformed++ })
		default:
			e.putDatagram(packet)
		}
	}
}

func (e *Engine) putDatagram(packet []byte) {
	e.mu.Lock()
	e.state.datagrams = true
	e.mu.Unlock()
	select {
	case e.inbox <- arrival{packet, CarrierDatagram}:
		e.count.received(packet)
	default:
		e.count.update(func(s *Stats) { s.InboxDrops++ })
	}
}

// acceptStreams serves each stream on a goroutine of its own; the connection's
// limit of open streams bounds them. Streams are accepted in the order of their
// ids, so when the end mark is read all earlier streams count as open.
func (e *Engine) acceptStreams() {
	for {
		str, err := e.conn.AcceptUniStream(context.Background())
		if err != nil {
			return
		}
		e.update(func(s *engineState) { s.open++ })
		e.loops.Go(func() { e.serve(str) })
	}
}

// refuseBidirectional answers the first bidirectional stream: RoQ has none.
func (e *Engine) refuseBidirectional() {
	if _, err := e.conn.AcceptStream(context.Background()); err == nil {
		e.Fail(RoQStreamCreation, "bidirectional stream")
	}
}

// serve reads one stream to its end.
func (e *Engine) serve(str *quic.ReceiveStream) {
	r := bufio.NewReader(str)
	flow, err := ReadFlow(r)
	if err != nil || flow != e.c.Flow {
		e.update(func(s *engineState) { s.open-- })
	}
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		e.Fail(RoQPacketError, "stream: "+err.Error())
	case err != nil:
		e.broken(err)
	case flow == e.c.Flow:
		e.media(str, r)
	case e.c.Other == nil || !e.c.Other(flow, str, r):
		str.CancelRead(RoQUnknownFlow)
		e.count.update(func(s *Stats) { s.UnknownFlow++ })
	}
}

// media reads packets until the stream ends. A clean end before the first of
// them is the end mark.
func (e *Engine) media(str *quic.ReceiveStream, r *bufio.Reader) {
	records := 0
	packet, err := ReadRecord(r)
	for ; err == nil; packet, err = ReadRecord(r) {
		records++
		if !validRTP(packet) {
			e.count.update(func(s *Stats) { s.Malformed++ })
		} else if !e.putStream(packet, int64(str.StreamID())) {
			break
		}
	}
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		e.count.update(func(s *Stats) { s.Truncated++ })
	case errors.Is(err, ErrRecord):
		str.CancelRead(RoQPacketError)
		e.count.update(func(s *Stats) { s.Malformed++ })
	case err != nil && !errors.Is(err, io.EOF):
		e.broken(err)
	}
	e.update(func(s *engineState) {
		s.open--
		s.marked = s.marked || (records == 0 && errors.Is(err, io.EOF))
		if records > 0 {
			s.streams++
		}
	})
}

// putStream blocks while streamQueue packets wait; it returns false if nobody
// will ever take them.
func (e *Engine) putStream(packet []byte, carrier int64) bool {
	select {
	case e.tokens <- struct{}{}:
	case <-e.halt:
		return false
	}
	select {
	case e.inbox <- arrival{packet, carrier}:
		e.count.received(packet)
		return true
	case <-e.halt:
		return false
	}
}

// broken counts a stream that the far end reset; other errors end the
// connection and are reported by it.
func (e *Engine) broken(err error) {
	var reset *quic.StreamError
	if errors.As(err, &reset) && reset.Remote {
		e.count.update(func(s *Stats) { s.Resets++ })
	}
}
