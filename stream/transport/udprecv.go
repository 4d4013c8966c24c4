package transport

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"syscall"
	"time"
)

const (
	byeGrace   = 250 * time.Millisecond // how long packets that the end mark overtook are still taken
	maxSources = 64                     // SSRCs a receiver remembers; the oldest gives way
)

// udpReceiver passes every datagram up but the goodbye of its own stream.
type udpReceiver struct {
	conn  net.PacketConn
	idle  time.Duration
	drops func() int64

	mu      sync.Mutex // held by Receive
	buf     []byte
	sources []uint32  // SSRCs seen as media
	heard   bool      // a media packet has come: from now on silence is an end
	over    bool      // io.EOF has been returned
	end     time.Time // when a stream that said goodbye is over

	state  sync.Mutex // guards closed and the deadline it forces
	closed bool
	count  counters
}

func newUDPReceiver(conn net.PacketConn, c Config) *udpReceiver {
	r := &udpReceiver{conn: conn, idle: or(c.Idle, defaultIdle), drops: c.DropCounter, buf: make([]byte, 1<<16)}
	r.count.s.Mode = UDP
	return r
}

// Receive ends with io.EOF after the stream's BYE or a silence; before the
// first media packet it waits until ctx ends, whatever else comes.
func (r *udpReceiver) Receive(ctx context.Context, buf []byte) ([]byte, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.over {
		return nil, io.EOF
	}
	defer onDone(ctx, func() { r.conn.SetReadDeadline(time.Now()) })()
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		n, err := r.read(ctx)
		switch {
		case ctx.Err() != nil && err != nil:
			return nil, ctx.Err()
		case errors.Is(err, os.ErrDeadlineExceeded) && r.isClosed():
			return nil, fmt.Errorf("udp receive: %w", net.ErrClosed)
		case errors.Is(err, os.ErrDeadlineExceeded):
			r.over = true
			return nil, io.EOF
		case errors.Is(err, syscall.ECONNREFUSED): // of something sent earlier over this socket
			continue
		case err != nil:
			return nil, fmt.Errorf("udp receive: %w", err)
		}
		if p := r.buf[:n]; !r.goodbye(p) {
			r.count.received(p)
			return append(buf[:0], p...), nil
		}
	}
}

// read waits for one datagram as long as the stream's state allows.
func (r *udpReceiver) read(ctx context.Context) (int, error) {
	var deadline time.Time
	if r.heard {
		deadline = time.Now().Add(r.idle)
	}
	if !r.end.IsZero() {
		deadline = r.end
	}
	r.state.Lock()
	if r.closed {
		r.state.Unlock()
		return 0, net.ErrClosed
	}
	r.conn.SetReadDeadline(deadline)
	r.state.Unlock()
	if ctx.Err() != nil { // it may have ended before the deadline was set
		return 0, ctx.Err()
	}
	n, _, err := r.conn.ReadFrom(r.buf)
	return n, err
}

// goodbye notes what p says about its source and reports whether p is the end
// mark of this stream.
func (r *udpReceiver) goodbye(p []byte) bool {
	if ssrc, ok := mediaSSRC(p); ok {
		r.remember(ssrc)
		r.heard = true
		return false
	}
	for _, ssrc := range byeSSRCs(p) {
		if !r.knows(ssrc) {
			continue
		}
		if r.end.IsZero() {
			r.end = time.Now().Add(byeGrace)
		}
		r.count.update(func(st *Stats) { st.EndMarks++ })
		return true
	}
	return false
}

func (r *udpReceiver) knows(ssrc uint32) bool {
	for _, s := range r.sources {
		if s == ssrc {
			return true
		}
	}
	return false
}

func (r *udpReceiver) remember(ssrc uint32) {
	if r.knows(ssrc) {
		return
	}
	if len(r.sources) == maxSources {
		r.sources = r.sources[1:]
	}
	r.sources = append(r.sources, ssrc)
}

func (r *udpReceiver) isClosed() bool {
	r.state.Lock()
	defer r.state.Unlock()
	return r.closed
}

// Close wakes a Receive that waits. The conn stays open.
func (r *udpReceiver) Close() error {
	r.state.Lock()
	already := r.closed
	r.closed = true
	if !already {
		r.conn.SetReadDeadline(time.Now())
	}
	r.state.Unlock()
	if already {
		return nil
	}
	r.mu.Lock() // until a Receive under way has returned
	defer r.mu.Unlock()
	return r.conn.SetReadDeadline(time.Time{})
}

func (r *udpReceiver) Stats() Stats { return r.count.snapshot(r.drops) }

// onDone calls wake once ctx ends, until the function that it returns is
// called; when that returns, wake is not running.
func onDone(ctx context.Context, wake func()) (stop func()) {
	woken := make(chan struct{})
	cancel := context.AfterFunc(ctx, func() { defer close(woken); wake() })
	return func() {
		if !cancel() {
			<-woken
		}
	}
}
