package rquic

import (
	"context"
	"encoding/binary"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/vqeval/vqeval/stream/transport"
)

const (
	rtpHeader  = 12      // bytes of the shortest RTP packet
	maxPackets = 1 << 15 // of one unit: half of what sequence numbers tell apart
)

// A Sender carries units over rQUIC. It is a transport.Sender whose Send
// returns at once until Config.Queue bytes wait: like a live source it does not
// wait for the network, the age of units does that. Close sends what waits.
type Sender struct {
	c       Config
	line    *line
	control *controlWriter // nil: the receiver speaks plain RoQ
	backlog *backlog
	dropper dropper
	ledger  ledger
	start   time.Time
	limit   int // bytes of the largest packet

	hello   chan hello    // the peer's
	ending  atomic.Bool   // all units are handed over: from now on the receiver may end the connection
	drained chan struct{} // closed when the scheduler has ended
	loops   sync.WaitGroup

	turn   sync.Mutex // held by Send and Close
	closed bool
	err    error // of Close

	mu    sync.Mutex // guards count
	count transport.Stats
}

// Send takes u over and returns; it blocks while Config.Queue bytes wait, until
// ctx ends. It copies what it keeps. A unit that is not reliable may be dropped
// later: see Config.Expire and Decisions. After the connection has ended Send
// says why.
func (s *Sender) Send(ctx context.Context, u transport.Unit) error {
	s.turn.Lock()
	defer s.turn.Unlock()
	if err := s.ready(ctx, u); err != nil || len(u.Packets) == 0 {
		return err
	}
	j := newJob(u, s.c.flow())
	j.captured = s.capturedAt(u, time.Now())
	if err := s.backlog.wait(ctx, len(j.frame), s.line.done()); err != nil {
		return err
	}
	if s.line.cause() != nil {
		return fmt.Errorf("rquic send: %w", s.reason())
	}
	first, last := u.Packets[0], u.Packets[len(u.Packets)-1]
	j.index = s.ledger.open(Decision{
		Timestamp: binary.BigEndian.Uint32(first[4:]), FirstSeq: binary.BigEndian.Uint16(first[2:]), Reliable: u.Reliable,
		Packets: len(u.Packets), Bytes: len(j.frame), Captured: j.captured.Sub(s.start),
	}, binary.BigEndian.Uint16(last[2:]))
	s.backlog.push(j)
	return nil
}

// ready returns why u cannot be sent.
func (s *Sender) ready(ctx context.Context, u transport.Unit) error {
	if s.closed {
		return fmt.Errorf("rquic send: %w", net.ErrClosed)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(u.Packets) > maxPackets {
		return fmt.Errorf("rquic send: %w: unit of %d packets, the limit is %d", transport.ErrPacketSize, len(u.Packets), maxPackets)
	}
	for i, p := range u.Packets {
		if len(p) < rtpHeader || len(p) > s.limit {
			return fmt.Errorf("rquic send: %w: packet %d of the unit has %d bytes, the limits are %d and %d",
				transport.ErrPacketSize, i, len(p), rtpHeader, s.limit)
		}
	}
	return nil
}

// capturedAt returns the moment from which u's age counts.
func (s *Sender) capturedAt(u transport.Unit, now time.Time) time.Time {
	if u.Expires.IsZero() || s.dropper.expire <= 0 {
		return now
	}
	if at := u.Expires.Add(-s.dropper.expire); at.Before(now) {
		return at
	}
	return now
}

// reason says why the connection has ended.
func (s *Sender) reason() error {
	if err := s.ledger.failed(); err != nil {
		return err
	}
	return explain(s.line.cause())
}

// Close says that no more units follow, sends those that wait, and stays until
// the receiver has ended the connection. It gives up after Config.Linger
// without an acknowledgement of anything new.
func (s *Sender) Close() error {
	s.turn.Lock()
	defer s.turn.Unlock()
	if s.closed {
		return s.err
	}
	s.closed = true
	s.backlog.end()
	if err := s.wait(); err != nil {
		s.err = fmt.Errorf("rquic close: %w", err)
	}
	s.shut(transport.RoQNoError, "")
	return s.err
}

func (s *Sender) patience() time.Duration {
	return or(s.c.Linger, defaultLinger+3*s.line.rtt())
}

// wait returns when the receiver has ended the connection, or after a time
// without progress. If everything had been acknowledged by then, only the
// receiver's goodbye was lost.
func (s *Sender) wait() error {
	start := time.Now()
	for {
		progress := s.line.tracker.lastProgress()
		if progress.Before(start) {
			progress = start
		}
		left := time.Until(progress.Add(s.patience()))
		if left <= 0 {
			if s.settled() {
				return nil
			}
			return fmt.Errorf("%w within %v", transport.ErrUnconfirmed, s.patience())
		}
		timer := time.NewTimer(left)
		select {
		case <-s.line.done():
			timer.Stop()
			if err := s.ledger.failed(); err != nil {
				return err
			}
			if s.ending.Load() && closedCleanly(s.line.cause()) {
				return nil
			}
			return explain(s.line.cause())
		case <-timer.C:
		}
	}
}

// settled says whether all stream data is acknowledged and nothing waits.
func (s *Sender) settled() bool {
	select {
	case <-s.drained:
	default:
		return false
	}
	return s.line.tracker.delivered()
}

// shut ends the connection and everything that the sender started.
func (s *Sender) shut(code uint64, why string) {
	s.line.shut(code, why)
	s.loops.Wait()
	if s.control != nil {
		<-s.control.stopped
	}
}

// MaxPacket returns the size in bytes of the largest RTP packet that Send takes.
func (s *Sender) MaxPacket() int { return s.limit }

// Protocol returns the ALPN name that both ends agreed on: ALPN, or that of
// plain RoQ, over which the receiver learns nothing of the sender's decisions.
func (s *Sender) Protocol() string { return s.line.protocol() }

// Stats counts what went. It may be called at any time, also after Close.
// Packets that were dropped on purpose are not in PacketsSent.
func (s *Sender) Stats() transport.Stats {
	s.mu.Lock()
	st := s.count
	s.mu.Unlock()
	st.Mode = Mode
	st.DatagramSendDrops = s.line.tracker.meter.Stats().SendDrops
	st.QUIC = s.line.stats()
	if s.c.DropCounter != nil {
		st.KernelDrops = s.c.DropCounter()
	}
	return st
}
