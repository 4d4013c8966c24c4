package transport

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/quic-go/quic-go"
)

// ErrUnconfirmed reports an end that the receiver did not acknowledge in time.
var ErrUnconfirmed = errors.New("receiver did not confirm the end of the stream")

// A quicPath is what the three modes of QUIC do in their own way.
type quicPath interface {
	// send hands over u and says how many of its packets and bytes went.
	send(ctx context.Context, u Unit) (packets int, bytes int64, err error)
	// finish hands over what is left, before the end mark.
	finish(ctx context.Context) error
	// stop waits for what the path started; the connection is closed by now.
	stop()
	// limit is the size in bytes of the largest packet.
	limit() int
}

// quicSender is one connection with the RoQ flow of the media on it.
type quicSender struct {
	transport *quic.Transport
	conn      *quic.Conn
	meter     *Meter
	path      quicPath
	flow      uint64
	spread    time.Duration // of quic-dgram
	linger    time.Duration // 0 = default
	drops     func() int64

	mu     sync.Mutex // held by Send and Close
	closed bool
	err    error // of Close
	count  counters
}

func dialQUIC(ctx context.Context, conn net.PacketConn, to net.Addr, c Config) (*quicSender, error) {
	conf, err := TLSFor(c.TLS, c.alpn()...)
	if err != nil {
		return nil, fmt.Errorf("quic dial: %w", err)
	}
	s := &quicSender{transport: &quic.Transport{Conn: conn}, meter: new(Meter), flow: c.flow(), spread: c.Spread, linger: c.Linger, drops: c.DropCounter}
	s.count.s.Mode = c.Mode
	if c.Mode == "" {
		s.count.s.Mode = QUIC
	}
	if s.conn, err = s.dial(ctx, to, conf, c); err == nil {
		err = s.open(ctx)
	}
	if err != nil {
		s.shut(RoQGeneralError, "dial")
		return nil, fmt.Errorf("quic dial %v: %w", to, err)
	}
	return s, nil
}

// dial shakes hands. A peer of which nothing is heard for c.Handshake is
// absent; one that answers slowly has QUICHandshakeTimeout.
func (s *quicSender) dial(ctx context.Context, to net.Addr, conf *tls.Config, c Config) (*quic.Conn, error) {
	wait := or(c.Handshake, defaultHandshake)
	qc := QUICConfig()
	qc.HandshakeIdleTimeout = max(qc.HandshakeIdleTimeout, wait)
	qc.MaxIdleTimeout, qc.KeepAlivePeriod = or(c.Gone, qc.MaxIdleTimeout), c.Gone/3
	qc.Tracer = Tracer(c.QLog)
	inner, cancel := FirstAnswer(withMeter(ctx, s.meter), s.meter, wait)
	defer cancel()
	conn, err := s.transport.Dial(inner, to, conf, qc)
	switch {
	case ctx.Err() != nil && err != nil:
		return nil, ctx.Err()
	case errors.Is(err, ErrNoAnswer):
		return nil, fmt.Errorf("%w within %v: is a receiver listening there?", err, wait)
	case err != nil:
		return nil, explain(err)
	}
	return conn, nil
}

// open makes the path of the mode on a fresh connection.
func (s *quicSender) open(ctx context.Context) error {
	switch s.count.s.Mode {
	case QUICAU:
		s.path = &auPath{conn: s.conn, flow: s.flow}
	case QUICDatagram:
		p, err := newDatagramPath(s.conn, s.flow)
		if err != nil {
			return err
		}
		p.spread = s.spread
		s.path = p
	default:
		p, err := newStreamPath(ctx, s.conn, s.flow)
		if err != nil {
			return err
		}
		s.path = p
	}
	return nil
}

func (s *quicSender) Send(ctx context.Context, u Unit) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return fmt.Errorf("quic send: %w", net.ErrClosed)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := checkSizes(u, s.path.limit()); err != nil {
		return fmt.Errorf("quic send: %w", err)
	}
	if len(u.Packets) == 0 {
		return nil
	}
	packets, bytes, err := s.path.send(ctx, u)
	s.count.sent(packets, bytes)
	switch {
	case err == nil:
		s.count.update(func(st *Stats) { st.UnitsSent++ })
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return fmt.Errorf("quic send: %w", explain(s.cause(err)))
}

// cause prefers the reason for which the connection ended to what a stream or
// a queue says of it.
func (s *quicSender) cause(err error) error {
	if s.conn.Context().Err() != nil {
		return context.Cause(s.conn.Context())
	}
	return err
}

// Close sends the end mark, an empty stream of the media's flow, and waits
// until the receiver closes the connection, which it does when it is done.
func (s *quicSender) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return s.err
	}
	s.closed = true
	if err := s.end(); err != nil {
		s.err = fmt.Errorf("quic close: %w", err)
	}
	s.shut(RoQNoError, "")
	return s.err
}

func (s *quicSender) end() error {
	ctx, cancel := context.WithTimeout(s.conn.Context(), s.patience())
	defer cancel()
	err := s.path.finish(ctx)
	if err == nil {
		err = endMark(ctx, s.conn, s.flow)
	}
	if err == nil {
		err = s.wait()
	}
	if s.conn.Context().Err() != nil {
		if err = context.Cause(s.conn.Context()); closedCleanly(err) {
			return nil
		}
		return explain(err)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("%w within %v", ErrUnconfirmed, s.patience())
	}
	return explain(err)
}

// endMark opens an empty stream of flow: the end of a RoQ flow. A receiver that
// knows nothing of it sees a stream without packets.
func endMark(ctx context.Context, conn *quic.Conn, flow uint64) error {
	str, err := conn.OpenUniStreamSync(ctx)
	if err != nil {
		return fmt.Errorf("end mark: %w", err)
	}
	str.SetPriority(urgency, false)
	if _, err := str.Write(AppendFlow(nil, flow)); err != nil {
		return fmt.Errorf("end mark: %w", err)
	}
	return str.Close()
}

func (s *quicSender) patience() time.Duration {
	return or(s.linger, defaultLinger+3*s.conn.ConnectionStats().SmoothedRTT)
}

// wait returns when the peer has closed the connection, or after a time without
// progress. If everything had been acknowledged by then, only the peer's
// goodbye was lost, and nothing else.
func (s *quicSender) wait() error {
	start := time.Now()
	for {
		all, progress := s.meter.Settled()
		if progress.Before(start) {
			progress = start
		}
		left := time.Until(progress.Add(s.patience()))
		if left <= 0 && all {
			return nil
		}
		if left <= 0 {
			return fmt.Errorf("%w within %v", ErrUnconfirmed, s.patience())
		}
		timer := time.NewTimer(left)
		select {
		case <-s.conn.Context().Done():
			timer.Stop()
			return nil
		case <-timer.C:
		}
	}
}

// shut ends the connection and everything that this end started.
func (s *quicSender) shut(code quic.ApplicationErrorCode, why string) {
	if s.conn != nil {
		s.conn.CloseWithError(code, why)
	}
	if s.path != nil {
		s.path.stop()
	}
	s.transport.Close()
}

func (s *quicSender) MaxPacket() int { return s.path.limit() }

func (s *quicSender) Stats() Stats {
	st, m := s.count.snapshot(s.drops), s.meter.Stats()
	st.DatagramSendDrops = m.SendDrops
	st.QUIC = quicStats(s.conn, m)
	return st
}
