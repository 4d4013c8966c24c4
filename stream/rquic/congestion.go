package rquic

import (
	"sync"
	"time"

	"github.com/apernet/quic-go/congestion"
	"github.com/apernet/quic-go/monotime"
)

// controller binds cubic and pacer to the fork. The connection's goroutine
// alone calls its methods, but for state.
type controller struct {
	cubic  *cubic
	rounds rounds
	pacer  pacer
	full   shortest
	rtt    congestion.RTTStatsProvider
	packet congestion.ByteCount // size of a full packet
	start  monotime.Time        // time counts from the first event

	mu  sync.Mutex // guards now
	now controlState
}

// controlState is what the controller shows of itself.
type controlState struct {
	window, limit, e, diff, loss float64 // packets, packets, -, packets, -
	lostPackets, lostBytes       int64
}

var _ congestion.CongestionControl = (*controller)(nil)

// newController returns nil for Reno, the fork's own.
func newController(c Config) *controller {
	if c.CC == Reno {
		return nil
	}
	return &controller{
		cubic: newCubic(c.CC, c.ERule, c.LossRule), rounds: newRounds(),
		packet: congestion.ByteCount(congestion.InitialPacketSize),
	}
}

// state returns what the controller last published.
func (c *controller) state() controlState {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *controller) publish(lost congestion.ByteCount) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := &c.now
	s.window, s.limit, s.e, s.diff, s.loss = c.cubic.window, c.cubic.limit, c.cubic.e, c.cubic.diff, c.cubic.loss
	if lost > 0 {
		s.lostPackets++
		s.lostBytes += int64(lost)
	}
}

// SetRTTStatsProvider is called once, before everything else.
func (c *controller) SetRTTStatsProvider(p congestion.RTTStatsProvider) {
	c.rtt = p
	c.publish(0)
}

// SetMaxDatagramSize is told the size of a full packet.
func (c *controller) SetMaxDatagramSize(n congestion.ByteCount) { c.packet = n }

// MaybeExitSlowStart does nothing: cubic finds the end of slow start itself.
func (c *controller) MaybeExitSlowStart() {}

// OnRetransmissionTimeout does nothing; the fork never calls it.
func (c *controller) OnRetransmissionTimeout(bool) {}

// InSlowStart is for the fork's logs.
func (c *controller) InSlowStart() bool { return c.cubic.slowStart() }

// InRecovery is for the fork's logs.
func (c *controller) InRecovery() bool { return c.rounds.inRecovery() }

// GetCongestionWindow returns the window in bytes.
func (c *controller) GetCongestionWindow() congestion.ByteCount {
	return congestion.ByteCount(c.cubic.window * float64(c.packet))
}

// CanSend says whether the window has room.
func (c *controller) CanSend(inFlight congestion.ByteCount) bool {
	return inFlight < c.GetCongestionWindow()
}

func (c *controller) since(t monotime.Time) time.Duration {
	if c.start.IsZero() {
		c.start = t
	}
	return t.Sub(c.start)
}

func (c *controller) rate() float64 {
	return pace(float64(c.GetCongestionWindow()), c.rtt.SmoothedRTT(), c.cubic.slowStart())
}

// HasPacingBudget says whether a full packet may leave at now.
func (c *controller) HasPacingBudget(now monotime.Time) bool {
	return c.pacer.at(c.since(now), c.rate(), float64(c.packet)) >= float64(c.packet)
}

// TimeUntilSend returns when a full packet may leave, zero for at once.
func (c *controller) TimeUntilSend(congestion.ByteCount) monotime.Time {
	at, now := c.pacer.next(c.rate(), float64(c.packet))
	if now {
		return 0
	}
	return c.start.Add(at)
}

// OnPacketSent takes each packet; only those that ask for an acknowledgement are in flight.
func (c *controller) OnPacketSent(at monotime.Time, _ congestion.ByteCount, pn congestion.PacketNumber, n congestion.ByteCount, ackEliciting bool) {
	c.pacer.sent(c.since(at), float64(n), c.rate(), float64(c.packet))
	if ackEliciting {
		c.rounds.sent(int64(pn))
		c.full.sent(int64(pn), c.since(at), float64(n), float64(c.packet))
	}
}

// rtts returns what is known of the round trip, its minimum from full packets
// as soon as there is one.
func (c *controller) rtts() rtts {
	return rtts{ms(c.rtt.SmoothedRTT()), ms(c.rtt.LatestRTT()), ms(or(c.full.min, c.rtt.MinRTT()))}
}

// limited says whether the bytes in flight have used up the window, as quic-go sees it.
func (c *controller) limited(inFlight congestion.ByteCount) bool {
	w := c.GetCongestionWindow()
	return inFlight >= w || c.cubic.slowStart() && inFlight > w/2 || w-inFlight <= 3*c.packet
}

// OnPacketAcked takes one newly acknowledged packet. Losses that the same
// acknowledgement revealed have come before, and the RTT is up to date.
func (c *controller) OnPacketAcked(pn congestion.PacketNumber, _, inFlight congestion.ByteCount, at monotime.Time) {
	first := c.rounds.acked(int64(pn))
	c.full.acked(int64(pn), c.since(at))
	if c.rounds.inRecovery() {
		c.cubic.recovering()
	} else {
		c.cubic.acked(ms(c.since(at)), c.rtts(), first, c.limited(inFlight))
	}
	c.publish(0)
}

// OnCongestionEvent takes one lost packet, or a mark of ECN if lost is zero.
func (c *controller) OnCongestionEvent(pn congestion.PacketNumber, lost, _ congestion.ByteCount) {
	if lost > 0 {
		c.cubic.lost()
	}
	if int64(pn) > c.rounds.recoveryEnd {
		if r := c.rtts(); r.min > 0 {
			c.cubic.status(r)
		}
		if lost == 0 {
			c.cubic.cut() // a router says so: no chance is involved
			c.rounds.recover()
		} else if c.cubic.lossEvent() {
			c.rounds.recover()
		}
	}
	c.publish(lost)
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
