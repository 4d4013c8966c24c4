package link

import (
	"errors"
	"net"
	"os"
	"sync"
	"time"
)

// maxDatagram is what UDP over IPv4 can carry, bytes.
const maxDatagram = 1<<16 - 1 - Headers

// PipeOptions configures a Pipe.
type PipeOptions struct {
	// Observe, if not nil, is called for every packet sent, one call at a
	// time, in the sender's goroutine. It must not use the Pipe.
	Observe func(Event)
}

// Pipe returns the two ends of a path in memory: datagrams from a to b cross
// p.Down, those from b to a cross p.Up. Equal seeds lose equal packets.
//
// It has neither sockets nor goroutines: a reader sleeps until its next packet
// is due. So it works in real time and, made and used inside one, in a
// testing/synctest bubble, where every delay is exact.
func Pipe(p Profile, seed uint64, o PipeOptions) (a, b *End) {
	watch := &observer{f: o.Observe}
	down := newLane(seeded(p.Down, seed, 1), false, watch)
	up := newLane(seeded(p.Up, seed, 2), true, watch)
	return newEnd(1, 2, up, down), newEnd(2, 1, down, up)
}

// An End is one end of a Pipe, a net.PacketConn. All its methods may be called
// concurrently.
type End struct {
	local, peer net.UDPAddr
	in, out     *lane

	closed  chan struct{}
	closing sync.Once
	turn    chan struct{} // held by the reader that waits
	timer   *time.Timer   // of that reader
	moved   chan struct{} // holds a token when the read deadline has moved

	mu            sync.Mutex
	readDeadline  time.Time
	writeDeadline time.Time
}

// port is that of both ends' addresses, RTP's (RFC 3551, section 8).
const port = 5004

func newEnd(local, peer byte, in, out *lane) *End {
	return &End{
		local:  net.UDPAddr{IP: net.IPv4(10, 0, 0, local), Port: port},
		peer:   net.UDPAddr{IP: net.IPv4(10, 0, 0, peer), Port: port},
		in:     in,
		out:    out,
		closed: make(chan struct{}),
		turn:   make(chan struct{}, 1),
		moved:  make(chan struct{}, 1),
	}
}

// WriteTo sends p to the other end, whatever the address. It never blocks; a
// packet that the path drops is no error.
func (e *End) WriteTo(p []byte, _ net.Addr) (int, error) {
	e.mu.Lock()
	deadline := e.writeDeadline
	e.mu.Unlock()
	switch {
	case e.isClosed():
		return 0, e.fail("write", net.ErrClosed)
	case !deadline.IsZero() && !time.Now().Before(deadline):
		return 0, e.fail("write", os.ErrDeadlineExceeded)
	case len(p) > maxDatagram:
		return 0, e.fail("write", errors.New("datagram larger than 65507 bytes"))
	}
	e.out.send(p)
	return len(p), nil
}

// ReadFrom waits for the next datagram. One that is longer than p is cut off,
// as by a socket.
func (e *End) ReadFrom(p []byte) (int, net.Addr, error) {
	select {
	case e.turn <- struct{}{}:
	case <-e.closed:
		return 0, nil, e.fail("read", net.ErrClosed)
	}
	defer func() { <-e.turn }()
	for {
		now := time.Now()
		e.mu.Lock()
		deadline := e.readDeadline
		e.mu.Unlock()
		if e.isClosed() {
			return 0, nil, e.fail("read", net.ErrClosed)
		}
		if !deadline.IsZero() && !now.Before(deadline) {
			return 0, nil, e.fail("read", os.ErrDeadlineExceeded)
		}
		n, next, ok := e.in.receive(p, now)
		if ok {
			return n, &e.peer, nil
		}
		if next.IsZero() || (!deadline.IsZero() && deadline.Before(next)) {
			next = deadline
		}
		e.sleep(next, now)
	}
}

// sleep returns at next, zero for never, or when something has changed.
func (e *End) sleep(next, now time.Time) {
	var due <-chan time.Time
	if !next.IsZero() {
		if e.timer == nil {
			e.timer = time.NewTimer(next.Sub(now))
		} else {
			e.timer.Reset(next.Sub(now))
		}
		defer e.timer.Stop()
		due = e.timer.C
	}
	select {
	case <-due:
	case <-e.in.wake:
	case <-e.moved:
	case <-e.closed:
	}
}

// Close ends reads and writes of this end, now and later, with net.ErrClosed.
// What is on its way to it is dropped. The other end goes on; its packets
// reach nobody. A second Close does nothing.
func (e *End) Close() error {
	e.closing.Do(func() {
		close(e.closed)
		e.in.close()
	})
	return nil
}

func (e *End) isClosed() bool {
	select {
	case <-e.closed:
		return true
	default:
		return false
	}
}

func (e *End) fail(op string, err error) error {
	return &net.OpError{Op: op, Net: "pipe", Source: &e.local, Addr: &e.peer, Err: err}
}

// LocalAddr returns 10.0.0.1:5004 for the first end, 10.0.0.2:5004 for the second.
func (e *End) LocalAddr() net.Addr { return &e.local }

// PeerAddr returns the other end's LocalAddr.
func (e *End) PeerAddr() net.Addr { return &e.peer }

// SetReadDeadline ends reads at t, also those that wait already; zero = never.
func (e *End) SetReadDeadline(t time.Time) error {
	if e.isClosed() {
		return e.fail("set", net.ErrClosed)
	}
	e.mu.Lock()
	e.readDeadline = t
	e.mu.Unlock()
	signal(e.moved)
	return nil
}

// SetWriteDeadline refuses writes from t on; zero = never.
func (e *End) SetWriteDeadline(t time.Time) error {
	if e.isClosed() {
		return e.fail("set", net.ErrClosed)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.writeDeadline = t
	return nil
}

// SetDeadline sets both deadlines.
func (e *End) SetDeadline(t time.Time) error {
	return errors.Join(e.SetReadDeadline(t), e.SetWriteDeadline(t))
}

// SetReadBuffer sets the bytes that may have arrived without being read; what
// comes beyond is dropped and counted in Dropped. It is 64 MiB until then.
func (e *End) SetReadBuffer(bytes int) error {
	if bytes <= 0 {
		return e.fail("set", errors.New("read buffer of no bytes"))
	}
	e.in.mu.Lock()
	defer e.in.mu.Unlock()
	e.in.limit = bytes
	return nil
}

// SetWriteBuffer does nothing: the path's own queue is the only one.
func (e *End) SetWriteBuffer(int) error { return nil }

// Stats returns what the path from this end did so far.
func (e *End) Stats() Stats {
	e.out.mu.Lock()
	defer e.out.mu.Unlock()
	return e.out.path.Stats()
}

// Dropped returns how many packets the path to this end delivered and this end
// lost: those the read buffer had no room for, and those that Close left unread.
func (e *End) Dropped() int64 {
	e.in.mu.Lock()
	defer e.in.mu.Unlock()
	e.in.settle(time.Now())
	return e.in.dropped
}
