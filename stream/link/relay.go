package link

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"sync"
	"time"
)

// Bounds of a Relay.
const (
	maxClients = 1024     // more at once are refused and counted
	maxHeld    = 64 << 20 // bytes in flight in both directions; what exceeds them is dropped and counted
	readBuffer = 8 << 20  // bytes asked of the kernel for each socket
)

// RelayOptions configures a Relay.
type RelayOptions struct {
	// Observe, if not nil, is called for every packet, one call at a time. It
	// must not use the Relay, and while it runs nothing is sent.
	Observe func(Event)
	Seed    uint64        // of the chances of directions without a seed of their own
	Idle    time.Duration // after which a silent client is forgotten; 0 = one minute
}

// A Relay is a link between unmodified UDP peers: what clients send to its
// address goes on to one target, what the target answers goes back. All
// clients share the one link; each has a socket of its own towards the
// target, so that answers find their way.
//
// On Linux the kernel's receive time stamps are the time at which packets
// enter the path: a relay that gets no CPU for a while sends late, but at the
// same rate, and drops and loses the same packets. ECN marks do not pass.
type Relay struct {
	listen net.PacketConn
	target net.Addr
	idle   time.Duration
	watch  *observer

	mu        sync.Mutex
	down, up  *Path
	flight    schedule[parcel]
	held      int // bytes in flight
	clients   map[netip.AddrPort]*client
	late      histogram
	stats     RelayStats
	drops     func() int64 // kernel drops of the sockets open now; nil = unknown
	nextSweep time.Time
	over      bool // Run has ended
}

// RelayStats tells what a Relay did. For each direction Delivered + Duplicated
// of the path = Packets + Errors + InFlight of what was sent.
type RelayStats struct {
	Down     Stats     `json:"down"` // clients to target
	Up       Stats     `json:"up"`   // target to clients
	DownSent Forwarded `json:"down_sent"`
	UpSent   Forwarded `json:"up_sent"`

	Clients     int      `json:"clients"`           // known now, or when Run ended
	ClientsSeen int64    `json:"clients_seen"`      // new ones so far; one that was forgotten counts again
	Turned      int64    `json:"turned_away"`       // packets of clients beyond the bound of 1024, or that had no socket
	Unreachable int64    `json:"unreachable"`       // ICMP errors, such as no listener at the target yet
	KernelDrops int64    `json:"kernel_drops"`      // lost in this machine's receive buffers, before the link; Linux only
	ReadBuffer  int      `json:"read_buffer_bytes"` // granted by the kernel; 0 = unknown
	KernelTime  bool     `json:"kernel_time"`       // packets carry the kernel's receive time
	Lateness    Lateness `json:"lateness"`
}

// Forwarded counts what a Relay did with the packets that its path delivered.
type Forwarded struct {
	Packets  int64 `json:"packets"`   // handed to the kernel
	Errors   int64 `json:"errors"`    // refused by the kernel, or beyond the bound of 64 MiB in flight
	InFlight int64 `json:"in_flight"` // on the link now, or when Run ended
}

// A client is one peer that sends to the relay's address.
type client struct {
	outlet   outlet
	last     time.Time // of its latest packet, either way
	inFlight int       // packets
}

// An outlet sends for one client, if the kernel has room, or fails at once.
type outlet interface {
	forward(b []byte) error // to the target
	back(b []byte) error    // to the client
	close() (kernelDrops int64)
}

// A parcel is a packet in flight.
type parcel struct {
	up     bool
	client *client
	data   []byte
}

// NewRelay returns a relay that receives on listen and sends to the address
// to. Run owns listen from then on. Kernel time stamps and precise timers need
// a *net.UDPConn and Linux; any other conn is served by Go's own means.
func NewRelay(listen net.PacketConn, to net.Addr, p Profile, o RelayOptions) *Relay {
	if o.Idle <= 0 {
		o.Idle = time.Minute
	}
	if c, ok := listen.(interface{ SetReadBuffer(int) error }); ok {
		c.SetReadBuffer(readBuffer) // now: packets may come before Run does
	}
	return &Relay{
		listen:  listen,
		target:  to,
		idle:    o.Idle,
		watch:   &observer{f: o.Observe},
		down:    NewPath(seeded(p.Down, o.Seed, 1)),
		up:      NewPath(seeded(p.Up, o.Seed, 2)),
		clients: map[netip.AddrPort]*client{},
	}
}

// Run relays until ctx ends, which is its normal end and no error, and closes
// every socket, listen too. It can be called once.
func (r *Relay) Run(ctx context.Context) error {
	now := time.Now()
	r.mu.Lock()
	r.down.Begin(now)
	r.up.Begin(now)
	r.mu.Unlock()
	err := r.serve(ctx)
	if ctx.Err() != nil {
		err = nil
	}
	if e := r.listen.Close(); err == nil && !errors.Is(e, net.ErrClosed) {
		err = e
	}
	if err != nil {
		return fmt.Errorf("relay %v: %w", r.listen.LocalAddr(), err)
	}
	return nil
}

// Stats returns the counts so far; it may be called at any time.
func (r *Relay) Stats() RelayStats {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.stats
	s.Down, s.Up = r.down.Stats(), r.up.Stats()
	s.Clients = max(s.Clients, len(r.clients))
	s.Lateness = r.late.lateness()
	if r.drops != nil {
		s.KernelDrops += r.drops()
	}
	return s
}

// dial opens a socket towards the target.
func (r *Relay) dial() (*net.UDPConn, error) {
	c, err := net.Dial("udp", r.target.String())
	if err != nil {
		return nil, err
	}
	return c.(*net.UDPConn), nil
}
