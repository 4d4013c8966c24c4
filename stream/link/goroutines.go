package link

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"sync"
	"time"
)

// patience is how many errors in a row end the reading of a socket.
const patience = 100

// A crew serves a Relay with Go's own means: a goroutine for every socket, and
// one that sends. Packets arrive when they are read.
type crew struct {
	relay   *Relay
	wake    chan struct{} // holds a token when the earliest departure may have changed
	readers sync.WaitGroup
}

func (r *Relay) serveGoroutines(ctx context.Context) error {
	c := &crew{relay: r, wake: make(chan struct{}, 1)}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	c.readers.Go(func() { cancel(c.listen()) })
	c.depart(ctx)
	r.listen.Close()
	r.mu.Lock()
	r.disband()
	r.mu.Unlock()
	c.readers.Wait()
	return context.Cause(ctx)
}

// listen reads what clients send, until the conn is closed.
func (c *crew) listen() error {
	buf := make([]byte, 1<<16)
	for failures := 0; ; {
		n, from, err := c.relay.listen.ReadFrom(buf)
		if errors.Is(err, net.ErrClosed) || failures > patience {
			return err
		}
		if err != nil {
			failures++
			c.unreachable()
			continue
		}
		failures = 0
		c.accept(from, append(make([]byte, 0, n), buf[:n]...))
	}
}

func (c *crew) unreachable() {
	c.relay.mu.Lock()
	defer c.relay.mu.Unlock()
	c.relay.stats.Unreachable++
}

// accept puts a client's packet on the link.
func (c *crew) accept(from net.Addr, data []byte) {
	addr, err := netip.ParseAddrPort(from.String())
	if err != nil {
		return // nobody to answer
	}
	r, now := c.relay, time.Now()
	r.mu.Lock()
	defer r.mu.Unlock()
	cl := r.client(addr, now, func(cl *client) (outlet, error) {
		conn, err := r.dial()
		if err != nil {
			return nil, err
		}
		conn.SetReadBuffer(readBuffer)
		c.readers.Go(func() { c.answers(cl, conn) })
		return &connOutlet{conn: conn, listen: r.listen, from: from}, nil
	})
	if cl != nil {
		r.arrive(now, false, cl, data)
		signal(c.wake)
	}
}

// answers reads what the target sends to one client, until conn is closed.
func (c *crew) answers(cl *client, conn *net.UDPConn) {
	buf := make([]byte, 1<<16)
	for failures := 0; failures <= patience; {
		n, err := conn.Read(buf)
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			failures++
			c.unreachable()
			continue
		}
		failures = 0
		data := append(make([]byte, 0, n), buf[:n]...)
		c.relay.mu.Lock()
		c.relay.arrive(time.Now(), true, cl, data)
		c.relay.mu.Unlock()
		signal(c.wake)
	}
}

// depart sends what is due until ctx ends.
func (c *crew) depart(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		timer.Reset(time.Until(c.sendDue()))
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		case <-c.wake:
		}
	}
}

// sendDue sends what is due and returns when there is more to do.
func (c *crew) sendDue() (next time.Time) {
	r := c.relay
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.depart(time.Now()) {
	}
	next = r.sweep(time.Now())
	if due := r.flight.next(); !due.IsZero() && due.Before(next) {
		next = due
	}
	return next
}

// A connOutlet sends for one client of a crew.
type connOutlet struct {
	conn   *net.UDPConn // connected to the target
	listen net.PacketConn
	from   net.Addr
}

// forward sends twice if need be: the first error may be news of an earlier packet.
func (o *connOutlet) forward(b []byte) error {
	_, err := o.conn.Write(b)
	if err != nil {
		_, err = o.conn.Write(b)
	}
	return err
}

func (o *connOutlet) back(b []byte) error {
	_, err := o.listen.WriteTo(b, o.from)
	return err
}

func (o *connOutlet) close() (kernelDrops int64) {
	o.conn.Close()
	return 0
}
