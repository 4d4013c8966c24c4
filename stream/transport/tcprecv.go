package transport

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"
)

// ErrTruncated reports a stream that ended in the middle of a packet, or
// without the end that its protocol has.
var ErrTruncated = errors.New("stream cut off")

// tcpReceiver reads RFC 4571 records from the first sender that connects.
type tcpReceiver struct {
	listener net.Listener
	mode     Mode
	tls      *tls.Config // nil without TLS

	accepted chan struct{} // closed when r or failure is set
	r        *bufio.Reader
	failure  error

	mu   sync.Mutex // held by Receive
	part []byte     // of a record that a ctx cut off: its length and what came of it
	err  error      // the end, once it has been reached

	state  sync.Mutex // guards conn and closed
	conn   net.Conn
	closed bool
	count  counters
}

func listenStream(l net.Listener, c Config) (*tcpReceiver, error) {
	r := &tcpReceiver{listener: l, mode: TCP, accepted: make(chan struct{})}
	if c.Mode == TLS {
		conf, err := TLSFor(c.TLS, tlsALPN)
		if err != nil {
			return nil, fmt.Errorf("tls listen: %w", err)
		}
		r.mode, r.tls = TLS, conf
	}
	r.count.s.Mode = r.mode
	go func() {
		defer close(r.accepted)
		r.failure = r.accept(or(c.Handshake, QUICHandshakeTimeout))
	}()
	return r, nil
}

// accept takes one sender, which has wait to shake hands, and lets the others
// be refused.
func (r *tcpReceiver) accept(wait time.Duration) error {
	conn, err := r.listener.Accept()
	r.listener.Close()
	if err != nil {
		return fmt.Errorf("accept: %w", err)
	}
	if !r.adopt(conn) {
		conn.Close()
		return net.ErrClosed
	}
	if r.tls != nil {
		secure := tls.Server(conn, r.tls)
		err := handshake(context.Background(), secure, wait)
		if errors.Is(err, io.EOF) {
			err = ErrTruncated // by a sender that left; io.EOF would be a proper end
		}
		if err != nil {
			return fmt.Errorf("handshake: %w", err)
		}
		if !r.adopt(secure) {
			return net.ErrClosed
		}
		conn = secure
	}
	r.r = bufio.NewReaderSize(conn, 1<<16)
	return nil
}

// adopt keeps conn for Close to find; it returns false after Close.
func (r *tcpReceiver) adopt(conn net.Conn) bool {
	r.state.Lock()
	defer r.state.Unlock()
	if !r.closed {
		r.conn = conn
	}
	return !r.closed
}

func (r *tcpReceiver) Receive(ctx context.Context, buf []byte) ([]byte, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	select {
	case <-r.accepted:
	case <-ctx.Done():
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if r.failure != nil {
		return nil, r.reason(r.failure)
	}
	for r.err == nil {
		packet, err := r.record(ctx)
		if err != nil && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			r.err = r.reason(err)
			break
		}
		if validRTP(packet) {
			r.count.received(packet)
			return append(buf[:0], packet...), nil
		}
		r.count.update(func(s *Stats) { s.Malformed++ })
	}
	return nil, r.err
}

// reason words the error of an accept or a read.
func (r *tcpReceiver) reason(err error) error {
	r.state.Lock()
	closed := r.closed
	r.state.Unlock()
	switch {
	case closed:
		err = net.ErrClosed
	case errors.Is(err, io.EOF):
		return io.EOF
	}
	return fmt.Errorf("%s receive: %w", r.mode, err)
}

// record reads one record into memory that the next call uses again. What a
// ctx cuts off is kept for that call.
func (r *tcpReceiver) record(ctx context.Context) ([]byte, error) {
	r.conn.SetReadDeadline(time.Time{})
	defer onDone(ctx, func() { r.conn.SetReadDeadline(time.Now()) })()
	if err := r.fill(2); err != nil {
		return nil, err
	}
	n := int(r.part[0])<<8 | int(r.part[1])
	if n == 0 {
		r.count.update(func(s *Stats) { s.Truncated++ })
		return nil, fmt.Errorf("%w: record of length 0", ErrTruncated)
	}
	if err := r.fill(2 + n); err != nil {
		return nil, err
	}
	packet := r.part[2:]
	r.part = r.part[:0]
	return packet, nil
}

// fill reads until r.part has n bytes. The end of the stream is io.EOF between
// two records and ErrTruncated elsewhere.
func (r *tcpReceiver) fill(n int) error {
	have := len(r.part)
	if have >= n {
		return nil
	}
	r.part = append(r.part, make([]byte, n-have)...)
	got, err := io.ReadFull(r.r, r.part[have:])
	r.part = r.part[:have+got]
	if err == io.EOF && have+got == 0 {
		return io.EOF
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		r.count.update(func(s *Stats) { s.Truncated++ })
		return fmt.Errorf("%w after %d bytes of a record", ErrTruncated, len(r.part))
	}
	return err
}

// Close closes the listener and the sender's conn.
func (r *tcpReceiver) Close() error {
	r.state.Lock()
	already, conn := r.closed, r.conn
	r.closed = true
	r.state.Unlock()
	if already {
		return nil
	}
	r.listener.Close()
	if conn != nil {
		conn.Close() // nothing is written here, so its error says nothing new
	}
	<-r.accepted
	r.mu.Lock() // until a Receive under way has returned
	defer r.mu.Unlock()
	return nil
}

func (r *tcpReceiver) Stats() Stats { return r.count.snapshot(nil) }
