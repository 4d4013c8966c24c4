package transport

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"

	"github.com/quic-go/quic-go"
)

const (
	inboxSize   = 1 << 14                // packets that wait for Receive; a datagram beyond is dropped and counted
	streamQueue = 512                    // of them packets from streams; a stream beyond blocks: QUIC's flow control is the back-pressure
	lateGrace   = 100 * time.Millisecond // how long datagrams are still taken after the end mark, beyond 3 round trips
)

// CarrierDatagram is the Carrier of packets that came in a DATAGRAM frame.
const CarrierDatagram int64 = -1

// EngineConfig configures an Engine. The zero value takes flow 0 and never ends
// by itself before the connection does.
type EngineConfig struct {
	Flow      uint64        // RoQ flow of the media
	EndMarks  bool          // an empty stream of the flow ends it, once all other streams have ended
	Datagrams bool          // datagrams may follow the end mark, even if none has come so far
	Quiet     time.Duration // with no media stream open any more, silence that ends the flow; 0 = never

	// Other serves a stream of another flow, read up to the end of its flow id,
	// on a goroutine of its own. It returns false to have the stream refused as
	// one of an unknown flow, and must return when reading fails. nil refuses all.
	Other func(flow uint64, str *quic.ReceiveStream, r *bufio.Reader) bool
}

// An Engine is the receiving side of RoQ on one QUIC connection: it takes
// media packets from streams and datagrams as they come, and answers bad input
// as the draft wants it.
type Engine struct {
	conn  *quic.Conn
	c     EngineConfig
	meter *Meter
	count counters

	inbox  chan arrival
	tokens chan struct{} // one per stream packet in the inbox
	halt   chan struct{} // closed by Close: nobody reads the inbox any more
	ended  chan struct{} // closed when err is final and nothing more enters the inbox
	err    error
	loops  sync.WaitGroup // everything that fills the inbox

	mu     sync.Mutex // guards the rest
	state  engineState
	change chan struct{} // cap 1: state has changed
	closed bool          // Close came before the end
	stop   sync.Once     // closes halt
}

type arrival struct {
	packet  []byte
	carrier int64
}

// engineState is what decides about the end.
type engineState struct {
	open      int       // media streams, and streams whose flow is not known yet
	streams   int       // media streams that carried packets
	marked    bool      // the end mark has come
	finish    bool      // Finish was called
	datagrams bool      // datagrams have come or may come
	last      time.Time // latest change
	failure   error     // why this end closed the connection
}

// NewEngine starts to receive on conn. The caller must call Close.
func NewEngine(conn *quic.Conn, c EngineConfig) *Engine {
	e := &Engine{
		conn: conn, c: c, meter: MeterOf(conn.Context()),
		inbox: make(chan arrival, inboxSize), tokens: make(chan struct{}, streamQueue),
		halt: make(chan struct{}), ended: make(chan struct{}), change: make(chan struct{}, 1),
	}
	e.state = engineState{datagrams: c.Datagrams, last: time.Now()}
	e.loops.Go(e.readDatagrams)
	e.loops.Go(e.acceptStreams)
	e.loops.Go(e.refuseBidirectional)
	go e.watch()
	return e
}

// Receive appends the next packet to buf[:0] and returns it with its carrier,
// a stream's id or CarrierDatagram. It returns io.EOF after the end of the flow.
func (e *Engine) Receive(ctx context.Context, buf []byte) ([]byte, int64, error) {
	if err := ctx.Err(); err != nil {
		return nil, 0, err
	}
	select {
	case a := <-e.inbox:
		return e.take(a, buf)
	default:
	}
	select {
	case a := <-e.inbox:
		return e.take(a, buf)
	case <-ctx.Done():
		return nil, 0, ctx.Err()
	case <-e.ended:
	}
	select {
	case a := <-e.inbox: // what came between the two looks
		return e.take(a, buf)
	default:
		return nil, 0, e.err
	}
}

func (e *Engine) take(a arrival, buf []byte) ([]byte, int64, error) {
	if a.carrier != CarrierDatagram {
		<-e.tokens
	}
	return append(buf[:0], a.packet...), a.carrier, nil
}

// update changes the state under the lock and wakes the watcher.
func (e *Engine) update(f func(*engineState)) {
	e.mu.Lock()
	f(&e.state)
	e.state.last = time.Now()
	e.mu.Unlock()
	select {
	case e.change <- struct{}{}:
	default:
	}
}

// Finish ends the flow from this side: what has arrived can still be received,
// then comes io.EOF. The connection is closed with NO_ERROR.
func (e *Engine) Finish() { e.update(func(s *engineState) { s.finish = true }) }

// Fail closes the connection with a RoQ error code; Receive returns the reason
// after what has arrived.
func (e *Engine) Fail(code quic.ApplicationErrorCode, reason string) {
	e.update(func(s *engineState) {
		if s.failure == nil {
			s.failure = fmt.Errorf("closed the connection with code 0x%02x: %s", uint64(code), reason)
		}
	})
	e.conn.CloseWithError(code, reason)
}

// watch ends the connection when the flow has ended, and the engine when the
// connection has.
func (e *Engine) watch() {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for e.conn.Context().Err() == nil {
		left, armed := e.remaining()
		if armed && left <= 0 {
			e.conn.CloseWithError(RoQNoError, "")
			break
		}
		timer.Stop()
		if armed {
			timer.Reset(left)
		}
		select {
		case <-timer.C:
		case <-e.change:
		case <-e.conn.Context().Done():
		}
	}
	e.loops.Wait()
	e.err = e.outcome()
	close(e.ended)
}

// remaining says how long the flow goes on if nothing more happens; armed is
// false while it goes on until something does.
func (e *Engine) remaining() (left time.Duration, armed bool) {
	e.mu.Lock()
	s := e.state
	e.mu.Unlock()
	switch {
	case s.finish:
		return 0, true
	case e.c.EndMarks && s.marked && s.open == 0 && s.datagrams:
		return time.Until(s.last.Add(3*e.conn.ConnectionStats().SmoothedRTT + lateGrace)), true
	case e.c.EndMarks && s.marked && s.open == 0:
		return 0, true
	case e.c.Quiet > 0 && s.streams > 0 && s.open == 0:
		return time.Until(s.last.Add(e.c.Quiet)), true
	}
	return 0, false
}

// outcome is why the connection ended, io.EOF for a proper end.
func (e *Engine) outcome() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.state.failure != nil {
		return e.state.failure
	}
	err := context.Cause(e.conn.Context())
	var app *quic.ApplicationError
	switch {
	case e.closed:
		return net.ErrClosed
	case closedCleanly(err), errors.As(err, &app) && !app.Remote && app.ErrorCode == RoQNoError:
		return io.EOF
	}
	return explain(err)
}

// Close ends the connection, as stopped in the middle if the flow has not
// ended, and waits for all goroutines. Closing twice is no error.
func (e *Engine) Close() error {
	e.mu.Lock()
	e.closed = e.closed || e.conn.Context().Err() == nil
	e.mu.Unlock()
	e.conn.CloseWithError(RoQGeneralError, "receiver stopped")
	e.stop.Do(func() { close(e.halt) })
	<-e.ended
	return nil
}

// Stats counts what came. It may be called at any time.
func (e *Engine) Stats() Stats {
	st, m := e.count.snapshot(nil), e.meter.Stats()
	st.DatagramQueueDrops = m.QueueDrops
	st.QUIC = quicStats(e.conn, m)
	return st
}
