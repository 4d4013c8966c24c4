package lab

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"

	"github.com/vqeval/vqeval/lab/world"
	"github.com/vqeval/vqeval/stream/link"
	"github.com/vqeval/vqeval/stream/transport"
)

// LinkStats counts what both directions of the link did.
type LinkStats struct {
	Down link.Stats `json:"down"` // the media's direction
	Up   link.Stats `json:"up"`   // the way back

	KernelDrops int64         `json:"kernel_drops,omitempty"` // of the relay's own sockets, in real time
	Lateness    link.Lateness `json:"lateness,omitzero"`      // of the relay, in real time
}

// network is the two ends of the link and who knows whom.
type network struct {
	sender, receiver net.PacketConn
	to               net.Addr // where the sender sends
	identity         identity
	stats            func() LinkStats
	drops            func() int64 // datagrams lost in a receive buffer
	once             sync.Once
	closers          []io.Closer
}

// close ends all conns. It may be called twice.
func (n *network) close() {
	n.once.Do(func() {
		for _, c := range n.closers {
			c.Close()
		}
	})
}

// openNetwork makes the link of spec, in memory or on loopback, and shows each
// packet that crosses it to observe.
func openNetwork(env *world.Env, spec Spec, observe func(link.Event)) (*network, error) {
	id, err := newIdentity(spec.Seed)
	if err != nil {
		return nil, err
	}
	if spec.Real {
		return openLoopback(env.Ctx, spec, id, observe)
	}
	a, b := link.Pipe(spec.Link, spec.Seed, link.PipeOptions{Observe: observe})
	return &network{
		sender: a, receiver: b, to: b.LocalAddr(), identity: id,
		stats:   func() LinkStats { return LinkStats{Down: a.Stats(), Up: b.Stats()} },
		drops:   b.Dropped,
		closers: []io.Closer{a, b},
	}, nil
}

// openLoopback puts a relay between two sockets on 127.0.0.1.
func openLoopback(ctx context.Context, spec Spec, id identity, observe func(link.Event)) (*network, error) {
	n := &network{identity: id}
	var socks [3]*net.UDPConn // sender, relay, receiver
	for i := range socks {
		s, _, err := transport.ListenUDP("127.0.0.1:0")
		if err != nil {
			n.close()
			return nil, fmt.Errorf("loopback: %w", err)
		}
		socks[i] = s
		n.closers = append(n.closers, s)
	}
	relay := link.NewRelay(socks[1], socks[2].LocalAddr(), spec.Link, link.RelayOptions{Observe: observe, Seed: spec.Seed})
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- relay.Run(ctx) }()
	n.sender, n.receiver, n.to = socks[0], socks[2], socks[1].LocalAddr()
	n.stats = func() LinkStats {
		s := relay.Stats()
		return LinkStats{Down: s.Down, Up: s.Up, KernelDrops: s.KernelDrops, Lateness: s.Lateness}
	}
	n.drops = func() int64 {
		drops, err := transport.KernelDrops(socks[2])
		if err != nil {
			return 0 // a system without the counter; receive buffers are large
		}
		return drops
	}
	n.closers = append([]io.Closer{closerFunc(func() error {
		cancel()
		if err := <-ended; err != nil && !errors.Is(err, context.Canceled) {
			return err
		}
		return nil
	})}, n.closers...)
	return n, nil
}

type closerFunc func() error

func (f closerFunc) Close() error { return f() }
