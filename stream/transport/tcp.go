package transport

import (
	"context"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"
)

// tlsALPN is the protocol name inside TLS.
const tlsALPN = "vqeval-rtp"

// tcpSender sends RFC 4571 records over a stream conn.
type tcpSender struct {
	conn   net.Conn
	linger time.Duration

	mu     sync.Mutex // held by Send and Close
	frame  framing
	rest   []byte // of a packet that a ctx cut off
	broken error  // why nothing more can be sent
	closed bool
	err    error // of Close
	count  counters
}

func dialStream(ctx context.Context, conn net.Conn, c Config) (*tcpSender, error) {
	s := &tcpSender{conn: conn, linger: or(c.Linger, defaultLinger)}
	s.count.s.Mode = TCP
	if c.Mode != TLS {
		return s, nil
	}
	s.count.s.Mode = TLS
	conf, err := TLSFor(c.TLS, tlsALPN)
	if err == nil {
		conf.ServerName = serverName(conf, conn.RemoteAddr())
		secure := tls.Client(conn, conf)
		s.conn = secure
		err = handshake(ctx, secure, or(c.Handshake, defaultHandshake))
	}
	if err != nil {
		conn.Close()
		return nil, fmt.Errorf("tls dial: %w", err)
	}
	return s, nil
}

// serverName is the name that the far end's certificate must have.
func serverName(conf *tls.Config, to net.Addr) string {
	if conf.ServerName != "" || to == nil {
		return conf.ServerName
	}
	host, _, err := net.SplitHostPort(to.String())
	if err != nil {
		return to.String()
	}
	return host
}

// handshake gives the far end d to answer.
func handshake(ctx context.Context, conn *tls.Conn, d time.Duration) error {
	inner, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	err := conn.HandshakeContext(inner)
	if err != nil && ctx.Err() == nil && inner.Err() != nil {
		return fmt.Errorf("%w within %v", ErrNoAnswer, d)
	}
	return err
}

func appendRFC4571(dst, packet []byte) []byte {
	return append(binary.BigEndian.AppendUint16(dst, uint16(len(packet))), packet...)
}

// Send writes u in one piece. If ctx cuts it off inside a packet, the rest of
// that packet goes ahead of the next Send or Close; inside TLS the conn is lost then.
func (s *tcpSender) Send(ctx context.Context, u Unit) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	name := s.count.s.Mode
	if s.closed {
		return fmt.Errorf("%s send: %w", name, net.ErrClosed)
	}
	if err := errors.Join(ctx.Err(), s.broken); err != nil {
		return err
	}
	if err := checkSizes(u, MaxRecord); err != nil {
		return fmt.Errorf("%s send: %w", name, err)
	}
	s.frame.reset(s.rest)
	s.frame.add(u, appendRFC4571)
	n, err := s.write(ctx, s.frame.buf)
	packets, bytes, rest := s.frame.cut(n)
	if n < s.frame.start {
		rest = s.rest[n:]
	}
	s.rest = append([]byte(nil), rest...)
	s.count.sent(packets, bytes)
	if err != nil && ctx.Err() == nil {
		s.broken = fmt.Errorf("%s send: %w", name, err)
		return s.broken
	}
	if err != nil && name == TLS {
		s.broken = fmt.Errorf("%s send: a write was cut off: %w", name, ctx.Err())
	}
	if err == nil && len(u.Packets) > 0 {
		s.count.update(func(st *Stats) { st.UnitsSent++ })
	}
	return err
}

// write writes b until ctx ends and returns how much went.
func (s *tcpSender) write(ctx context.Context, b []byte) (int, error) {
	woken := false
	stop := onDone(ctx, func() { woken = true; s.conn.SetWriteDeadline(time.Now()) })
	n, err := s.conn.Write(b)
	stop()
	if woken && err != nil {
		err = ctx.Err()
	}
	if woken {
		s.conn.SetWriteDeadline(time.Time{})
	}
	return n, err
}

// Close ends the stream in this direction and waits until the receiver has
// closed the other: a conn closed at once may discard what is under way.
func (s *tcpSender) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return s.err
	}
	s.closed = true
	if s.broken == nil {
		s.err = s.end()
	}
	if err := s.conn.Close(); err != nil && s.err == nil && s.broken == nil && !errors.Is(err, net.ErrClosed) {
		s.err = err
	}
	if s.err != nil {
		s.err = fmt.Errorf("%s close: %w", s.count.s.Mode, s.err)
	}
	return s.err
}

func (s *tcpSender) end() error {
	s.conn.SetDeadline(time.Now().Add(s.linger))
	if _, err := s.conn.Write(s.rest); err != nil {
		return err
	}
	half, ok := s.conn.(interface{ CloseWrite() error })
	if !ok {
		return nil
	}
	if err := half.CloseWrite(); err != nil {
		return err
	}
	var b [1]byte
	_, err := s.conn.Read(b[:])
	var timeout net.Error
	switch {
	case err == nil, errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF): // the latter: TLS without a goodbye
		return nil
	case errors.As(err, &timeout) && timeout.Timeout():
		return fmt.Errorf("%w within %v", ErrUnconfirmed, s.linger)
	}
	return fmt.Errorf("%w: %w", ErrUnconfirmed, err) // reset: what was not read is lost
}

func (s *tcpSender) Stats() Stats   { return s.count.snapshot(nil) }
func (s *tcpSender) MaxPacket() int { return MaxRecord }
