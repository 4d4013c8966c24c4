package rquic

import (
	"sync"
	"time"

	"github.com/vqeval/vqeval/stream/transport"
)

// sampleInterval is how often a Sender samples itself. It is odd, so that it
// never coincides with other timers.
const sampleInterval = 100*time.Millisecond + 13*time.Nanosecond

// A ledger is the sender's record of what it decided.
type ledger struct {
	mu        sync.Mutex
	decisions []Decision
	samples   []Sample
	packets   int // made
	lastSeq   uint16
	failure   error
}

// open begins the record of a unit and returns its index.
func (l *ledger) open(d Decision, lastSeq uint16) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	d.Index, d.Status = len(l.decisions), StatusUnsent
	l.decisions = append(l.decisions, d)
	l.packets += d.Packets
	l.lastSeq = lastSeq
	return d.Index
}

// An outcome is what became of a unit at the sender.
type outcome struct {
	status   Status
	sent     int // packets
	reliable bool
}

// settle ends the record of unit i and returns it.
func (l *ledger) settle(i int, o outcome, taken, done time.Duration) Decision {
	l.mu.Lock()
	defer l.mu.Unlock()
	d := &l.decisions[i]
	d.Status, d.Sent, d.Reliable, d.Taken, d.Done = o.status, o.sent, o.reliable, taken, done
	return *d
}

// end is what FLOW_END says.
func (l *ledger) end() flowEnd {
	l.mu.Lock()
	defer l.mu.Unlock()
	return flowEnd{units: uint32(len(l.decisions)), packets: uint32(l.packets), lastSeq: l.lastSeq}
}

// fail keeps the first reason for an end.
func (l *ledger) fail(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.failure == nil {
		l.failure = err
	}
}

func (l *ledger) failed() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.failure
}

// Decisions returns what became of each access unit so far, in order of sending.
func (s *Sender) Decisions() []Decision {
	s.ledger.mu.Lock()
	out := append([]Decision(nil), s.ledger.decisions...)
	s.ledger.mu.Unlock()
	for i := range out {
		t := s.line.tracker.tally(i)
		out[i].Acked, out[i].Lost = t.acked, t.lost+t.given
	}
	return out
}

// Samples returns the state of the sender every 100 ms so far.
func (s *Sender) Samples() []Sample {
	s.ledger.mu.Lock()
	defer s.ledger.mu.Unlock()
	return append([]Sample(nil), s.ledger.samples...)
}

// watch samples until the connection has ended.
func (s *Sender) watch() {
	ticker := time.NewTicker(sampleInterval)
	defer ticker.Stop()
	for {
		sample := s.sample()
		s.ledger.mu.Lock()
		s.ledger.samples = append(s.ledger.samples, sample)
		s.ledger.mu.Unlock()
		select {
		case <-ticker.C:
		case <-s.line.done():
			return
		}
	}
}

func (s *Sender) sample() Sample {
	t := s.line.tracker.state()
	stats := s.line.conn.ConnectionStats()
	p := Sample{
		At: time.Since(s.start), SRTT: stats.SmoothedRTT, RTT: stats.LatestRTT, MinRTT: stats.MinRTT,
		Window:   float64(t.window) / transport.QUICPacketSize,
		InFlight: t.inFlight, Queued: t.queued, LostStream: t.lostStream, Spurious: t.spurious,
		Repeated: s.line.tracker.meter.Stats().Retransmitted,
	}
	p.Waiting, p.WaitingSize = s.backlog.size()
	if cc := s.line.cc; cc != nil {
		c := cc.state()
		p.Window, p.Limit, p.Diff, p.E, p.Loss = c.window, c.limit, c.diff, c.e, c.loss
	}
	return p
}
