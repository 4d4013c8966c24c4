package link

import (
	"context"
	"net"
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// Packets handled before the loop turns to its other work.
const (
	readBatch = 64  // of one socket
	sendBatch = 256 // that are due
)

func (r *Relay) serve(ctx context.Context) error {
	conn, ok := r.listen.(*net.UDPConn)
	if !ok {
		return r.serveGoroutines(ctx)
	}
	p, err := newPoller(r, conn)
	if err != nil {
		return err
	}
	defer p.close()
	return p.run(ctx)
}

// A poller is the loop of a Relay in one thread: it sleeps in ppoll, which
// wakes within microseconds of the time asked for, where Go's timers may be a
// millisecond late, until a packet is due or has come.
type poller struct {
	relay   *Relay
	listen  *socket
	wake    int // an eventfd that ends a sleep
	sockets []*socket
	fds     []unix.PollFd // of wake, then of sockets in their order
	arrived []arrival
	buf     [1 << 16]byte
	oob     [256]byte
}

func newPoller(r *Relay, conn *net.UDPConn) (*poller, error) {
	p := &poller{relay: r}
	fd, err := duplicate(conn)
	if err != nil {
		return nil, err
	}
	p.listen = newSocket(fd)
	if p.wake, err = unix.Eventfd(0, unix.EFD_NONBLOCK|unix.EFD_CLOEXEC); err != nil {
		unix.Close(fd)
		return nil, err
	}
	p.sockets = []*socket{p.listen}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stats.ReadBuffer, r.stats.KernelTime = p.listen.readBuffer, p.listen.stamps
	r.drops = p.drops
	return p, nil
}

func (p *poller) close() {
	r := p.relay
	r.mu.Lock()
	defer r.mu.Unlock()
	r.disband()
	r.stats.KernelDrops += p.listen.drops()
	r.drops = nil
	unix.Close(p.listen.fd)
	unix.Close(p.wake)
}

// drops sums the kernel drops of all open sockets.
func (p *poller) drops() (sum int64) {
	for _, s := range p.sockets {
		sum += s.drops()
	}
	return sum
}

func (p *poller) run(ctx context.Context) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if unix.Prctl(unix.PR_SET_TIMERSLACK, 1, 0, 0, 0) == nil {
		defer unix.Prctl(unix.PR_SET_TIMERSLACK, 0, 0, 0, 0) // 0 = the default again
	}
	woken := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(woken)
		unix.Write(p.wake, []byte{1, 0, 0, 0, 0, 0, 0, 0})
	})
	defer func() {
		if !stop() {
			<-woken
		}
	}()
	for ctx.Err() == nil {
		if err := p.sleep(p.depart()); err != nil {
			return err
		}
		if err := p.receive(); err != nil {
			return err
		}
	}
	return nil
}

// depart sends what is due and returns when there is more to do.
func (p *poller) depart() (next time.Time) {
	r := p.relay
	r.mu.Lock()
	defer r.mu.Unlock()
	for range sendBatch {
		if !r.depart(time.Now()) {
			break
		}
	}
	next = r.sweep(time.Now())
	if due := r.flight.next(); !due.IsZero() && due.Before(next) {
		next = due
	}
	return next
}

// sleep waits for a packet or for the time next.
func (p *poller) sleep(next time.Time) error {
	p.fds = append(p.fds[:0], unix.PollFd{Fd: int32(p.wake), Events: unix.POLLIN})
	for _, s := range p.sockets {
		p.fds = append(p.fds, unix.PollFd{Fd: int32(s.fd), Events: unix.POLLIN})
	}
	timeout := unix.NsecToTimespec(int64(max(0, time.Until(next))))
	if _, err := unix.Ppoll(p.fds, &timeout, nil); err != nil && err != unix.EINTR {
		return err
	}
	return nil
}

// receive reads the sockets that have something and puts it on the link in
// the order of arrival, whichever socket it came by.
func (p *poller) receive() error {
	r := p.relay
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, fd := range p.fds[1:] { // p.sockets may grow meanwhile, at its end
		if fd.Revents == 0 {
			continue
		}
		if err := p.read(p.sockets[i]); err != nil {
			return err
		}
	}
	sortArrivals(p.arrived)
	for _, a := range p.arrived {
		r.arrive(a.at, a.up, a.client, a.data)
	}
	clear(p.arrived)
	p.arrived = p.arrived[:0]
	return nil
}

// read takes a batch of packets from s.
func (p *poller) read(s *socket) error {
	for range readBatch {
		now := time.Now()
		n, oobn, _, from, err := unix.Recvmsg(s.fd, p.buf[:], p.oob[:], unix.MSG_DONTWAIT)
		switch {
		case err == unix.EAGAIN:
			s.empty = now
			return nil
		case err == unix.EINTR:
		case fatal(err):
			return err
		case err != nil:
			p.relay.stats.Unreachable++
		default:
			p.accept(s, arrival{
				at:   s.arrival(p.oob[:oobn], time.Now()),
				data: append(make([]byte, 0, n), p.buf[:n]...),
			}, from)
		}
	}
	return nil
}

// accept finds the client to whom a packet belongs.
func (p *poller) accept(s *socket, a arrival, from unix.Sockaddr) {
	a.client, a.up = s.client, true
	if s == p.listen {
		a.up = false
		a.client = p.relay.client(addrPort(from), a.at, func(c *client) (outlet, error) { return p.open(c, from) })
	}
	if a.client != nil {
		p.arrived = append(p.arrived, a)
	}
}

// open makes the socket towards the target for c, the client at address from.
func (p *poller) open(c *client, from unix.Sockaddr) (outlet, error) {
	conn, err := p.relay.dial()
	if err != nil {
		return nil, err
	}
	fd, err := duplicate(conn)
	conn.Close()
	if err != nil {
		return nil, err
	}
	s := newSocket(fd)
	s.client = c
	p.sockets = append(p.sockets, s)
	return &fdOutlet{poller: p, out: s, from: from}, nil
}
