package transport_test

import (
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"syscall"
	"time"

	"github.com/vqeval/vqeval/stream/link"
)

const pipeBuffer = 256 << 10 // bytes under way in one direction before a write blocks

// streamPipe returns a connected pair of stream conns in memory that have the
// rates and delays of p. A path that loses everything carries nothing; other
// losses are TCP's to repair and not modelled.
func streamPipe(p link.Profile) (a, b *streamConn) {
	down, up := newHose(p.Down), newHose(p.Up)
	return &streamConn{in: up, out: down}, &streamConn{in: down, out: up}
}

type chunk struct {
	at   time.Time
	data []byte // empty: the end
}

// hose is one direction.
type hose struct {
	mu     sync.Mutex
	change chan struct{} // closed and replaced at every change
	d      link.Direction
	free   time.Time // when the bottleneck is
	queue  []chunk
	bytes  int
	dead   error // for both ends, once what is under way has arrived
	shut   bool  // by the reader
	rd, wd time.Time
}

func newHose(d link.Direction) *hose { return &hose{d: d, change: make(chan struct{})} }

func (h *hose) changed() {
	close(h.change)
	h.change = make(chan struct{})
}

// wait unlocks h until something changes or the earliest of the times comes.
func (h *hose) wait(times ...time.Time) {
	ch := h.change
	h.mu.Unlock()
	defer h.mu.Lock()
	var first time.Time
	for _, t := range times {
		if !t.IsZero() && (first.IsZero() || t.Before(first)) {
			first = t
		}
	}
	if first.IsZero() {
		<-ch
		return
	}
	timer := time.NewTimer(time.Until(first))
	defer timer.Stop()
	select {
	case <-ch:
	case <-timer.C:
	}
}

func past(t time.Time) bool { return !t.IsZero() && !t.After(time.Now()) }

func (h *hose) write(p []byte, end bool) (n int, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for n < len(p) || end {
		switch {
		case h.dead != nil:
			return n, h.dead
		case past(h.wd):
			return n, os.ErrDeadlineExceeded
		case h.bytes >= pipeBuffer:
			h.wait(h.wd)
			continue
		}
		data := append([]byte(nil), p[n:min(len(p), n+1400)]...)
		n += len(data)
		if now := time.Now(); h.free.Before(now) {
			h.free = now
		}
		h.free = h.free.Add(h.d.Rate.Airtime(len(data) + 40))
		if h.d.Loss < 1 {
			h.queue = append(h.queue, chunk{h.free.Add(h.d.Delay), data})
			h.changed()
		}
		h.bytes += len(data)
		end = end && len(data) > 0
	}
	return n, nil
}

func (h *hose) read(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for {
		var next time.Time
		switch {
		case len(h.queue) > 0 && !h.queue[0].at.After(time.Now()):
			return h.take(p)
		case h.shut:
			return 0, net.ErrClosed
		case h.dead != nil && len(h.queue) == 0 && h.d.Loss < 1:
			return 0, h.dead
		case past(h.rd):
			return 0, os.ErrDeadlineExceeded
		case len(h.queue) > 0:
			next = h.queue[0].at
		}
		h.wait(next, h.rd)
	}
}

func (h *hose) take(p []byte) (int, error) {
	c := &h.queue[0]
	if len(c.data) == 0 {
		return 0, io.EOF
	}
	n := copy(p, c.data)
	if c.data = c.data[n:]; len(c.data) == 0 {
		h.queue = h.queue[1:]
	}
	h.bytes -= n
	h.changed()
	return n, nil
}

func (h *hose) update(f func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	f()
	h.changed()
}

// streamConn is one end of a streamPipe.
type streamConn struct{ in, out *hose }

func (c *streamConn) Read(p []byte) (int, error)  { return c.in.read(p) }
func (c *streamConn) Write(p []byte) (int, error) { return c.out.write(p, false) }

func (c *streamConn) CloseWrite() error {
	_, err := c.out.write(nil, true)
	return err
}

// Close is orderly for the reader of what was written, and refuses the rest.
func (c *streamConn) Close() error {
	c.CloseWrite()
	c.out.update(func() {
		if c.out.dead == nil {
			c.out.dead = net.ErrClosed
		}
	})
	c.in.update(func() {
		if c.in.dead == nil {
			c.in.dead = syscall.EPIPE
		}
		c.in.queue, c.in.shut = nil, true
	})
	return nil
}

// cut resets the connection once everything under way has arrived.
func (c *streamConn) cut() {
	for _, h := range []*hose{c.in, c.out} {
		h.update(func() { h.dead = errors.Join(h.dead, syscall.ECONNRESET) })
	}
}

func (c *streamConn) LocalAddr() net.Addr  { return pipeAddr{} }
func (c *streamConn) RemoteAddr() net.Addr { return pipeAddr{} }

func (c *streamConn) SetDeadline(t time.Time) error {
	return errors.Join(c.SetReadDeadline(t), c.SetWriteDeadline(t))
}

func (c *streamConn) SetReadDeadline(t time.Time) error {
	c.in.update(func() { c.in.rd = t })
	return nil
}

func (c *streamConn) SetWriteDeadline(t time.Time) error {
	c.out.update(func() { c.out.wd = t })
	return nil
}

type pipeAddr struct{}

func (pipeAddr) Network() string { return "pipe" }
func (pipeAddr) String() string  { return "127.0.0.1:1" }

// oneConn is a listener at which one conn has arrived.
type oneConn struct{ conn net.Conn }

func (l *oneConn) Accept() (net.Conn, error) { return l.conn, nil }
func (l *oneConn) Close() error              { return nil }
func (l *oneConn) Addr() net.Addr            { return pipeAddr{} }
