package transport

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"syscall"
	"time"
)

const (
	maxUDP     = 65535 - 20 - 8        // IPv4 datagram - IPv4 header - UDP header
	byes       = 3                     // copies of the end mark
	byeSpacing = 50 * time.Millisecond // between them, so that one full queue does not take all
)

// udpSender sends one packet a datagram and knows nothing of the far end.
type udpSender struct {
	conn   net.PacketConn
	to     net.Addr
	spread time.Duration
	drops  func() int64

	mu     sync.Mutex // held by Send and Close
	ssrc   uint32
	media  bool // ssrc is of a packet that was sent
	closed bool
	count  counters
}

func newUDPSender(conn net.PacketConn, to net.Addr, c Config) *udpSender {
	s := &udpSender{conn: conn, to: to, spread: c.Spread, drops: c.DropCounter}
	s.count.s.Mode = UDP
	return s
}

// Send spreads u's packets evenly over the configured time, the first at once.
func (s *udpSender) Send(ctx context.Context, u Unit) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return fmt.Errorf("udp send: %w", net.ErrClosed)
	}
	if err := checkSizes(u, maxUDP); err != nil {
		return fmt.Errorf("udp send: %w", err)
	}
	start := time.Now()
	for i, p := range u.Packets {
		if err := sleepUntil(ctx, spreadOver(start, s.spread, i, len(u.Packets))); err != nil {
			return err
		}
		if err := s.write(p); err != nil {
			return fmt.Errorf("udp send: %w", err)
		}
		if ssrc, ok := mediaSSRC(p); ok {
			s.ssrc, s.media = ssrc, true
		}
		s.count.sent(1, int64(len(p)))
	}
	s.count.update(func(st *Stats) { st.UnitsSent++ })
	return nil
}

// write sends p once. A refusal that the kernel reports is about an earlier
// packet and costs this one its turn, so it is sent again.
func (s *udpSender) write(p []byte) error {
	_, err := s.conn.WriteTo(p, s.to)
	if errors.Is(err, syscall.ECONNREFUSED) {
		s.count.update(func(st *Stats) { st.Refused++ })
		_, err = s.conn.WriteTo(p, s.to)
	}
	if errors.Is(err, syscall.ECONNREFUSED) {
		s.count.update(func(st *Stats) { st.Refused++ })
		return nil
	}
	return err
}

// Close says goodbye for the source of the packets sent, RFC 3550 6.6.
func (s *udpSender) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	for i := 0; s.media && i < byes; i++ {
		if i > 0 {
			time.Sleep(byeSpacing)
		}
		if err := s.write(bye(s.ssrc)); err != nil {
			return fmt.Errorf("udp close: %w", err)
		}
	}
	return nil
}

func (s *udpSender) Stats() Stats   { return s.count.snapshot(s.drops) }
func (s *udpSender) MaxPacket() int { return maxUDP }

// spreadOver is when packet i of n is due that leave evenly over d, the first at once.
func spreadOver(start time.Time, d time.Duration, i, n int) time.Time {
	return start.Add(d * time.Duration(i) / time.Duration(n))
}

// sleepUntil returns at t, or with ctx's error as soon as ctx ends.
func sleepUntil(ctx context.Context, t time.Time) error {
	d := time.Until(t)
	if d <= 0 || ctx.Err() != nil {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
