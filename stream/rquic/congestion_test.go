package rquic

import (
	"testing"
	"time"

	"github.com/apernet/quic-go/congestion"
	"github.com/apernet/quic-go/monotime"
)

// fixedRTT is what a connection knows of its round trip.
type fixedRTT struct {
	congestion.RTTStatsProvider
	rtt time.Duration
}

func (f *fixedRTT) SmoothedRTT() time.Duration { return f.rtt }
func (f *fixedRTT) LatestRTT() time.Duration   { return f.rtt }
func (f *fixedRTT) MinRTT() time.Duration      { return min(f.rtt, 100*time.Millisecond) }

func bound(cc Congestion) (*controller, *fixedRTT) {
	rtt := &fixedRTT{rtt: 100 * time.Millisecond}
	c := newController(Config{CC: cc})
	c.SetRTTStatsProvider(rtt)
	return c, rtt
}

// at is a moment of the fork's clock.
func at(d time.Duration) monotime.Time { return monotime.Time(time.Hour + d) }

func TestRecovery(t *testing.T) {
	c, rtt := bound(Cubic)
	size := c.packet
	for pn := range 30 {
		c.OnPacketSent(at(0), 0, congestion.PacketNumber(pn), size, true)
	}
	c.OnPacketSent(at(0), 0, 30, 40, false) // an acknowledgement is not in flight
	c.OnCongestionEvent(3, size, 30*size)
	c.OnCongestionEvent(4, size, 30*size) // same recovery
	if s := c.state(); !near(s.window, .7*initialWindow) || s.lostPackets != 2 || s.lostBytes != 2*int64(size) {
		t.Errorf("after two losses in flight: %+v", s)
	}
	before := c.cubic.window
	c.OnPacketAcked(29, size, 30*size, at(100*time.Millisecond))
	if c.cubic.window != before || !c.InRecovery() {
		t.Errorf("in recovery the window went from %v to %v", before, c.cubic.window)
	}
	c.OnPacketSent(at(200*time.Millisecond), 0, 31, size, true)
	c.OnPacketAcked(31, size, 30*size, at(300*time.Millisecond))
	if c.InRecovery() || c.cubic.window <= before {
		t.Errorf("after recovery the window is %v", c.cubic.window)
	}
	before = c.cubic.window
	c.OnPacketSent(at(400*time.Millisecond), 0, 32, size, true)
	c.OnCongestionEvent(32, 0, size) // ECN
	if c.cubic.window >= before || c.state().lostPackets != 2 {
		t.Errorf("a mark of ECN: window %v, %+v", c.cubic.window, c.state())
	}
	rtt.rtt = 0
	c.OnCongestionEvent(40, size, size) // before the first measurement
}

// TestRandomLoss: adaptive CUBIC keeps its window while no packets queue.
func TestRandomLoss(t *testing.T) {
	c, rtt := bound(AdaptiveCubic)
	c.OnPacketSent(at(0), 0, 0, c.packet, true)
	c.OnCongestionEvent(0, c.packet, c.packet)
	if c.cubic.window != initialWindow || c.InRecovery() {
		t.Errorf("a random loss: window %v", c.cubic.window)
	}
	rtt.rtt = 130 * time.Millisecond
	c.OnCongestionEvent(1, c.packet, c.packet)
	if c.cubic.window >= initialWindow {
		t.Errorf("a loss with DIFF %v: window %v", c.cubic.diff, c.cubic.window)
	}
}

// TestShortPacketsMakeNoQueue: the round trip of full packets is 110 ms; that a
// short one took 100 ms is no sign of a queue.
func TestShortPacketsMakeNoQueue(t *testing.T) {
	c, rtt := bound(AdaptiveCubic)
	rtt.rtt = 110 * time.Millisecond
	c.OnPacketSent(at(0), 0, 0, 60, true)
	c.OnPacketSent(at(0), 0, 1, c.packet, true)
	c.OnPacketAcked(0, 60, 2*c.packet, at(100*time.Millisecond))
	if c.cubic.diff == 0 {
		t.Error("without a full packet DIFF is 0, want it against the connection's own minimum")
	}
	c.OnPacketAcked(1, c.packet, 2*c.packet, at(110*time.Millisecond))
	if c.cubic.diff != 0 {
		t.Errorf("DIFF is %v, want 0", c.cubic.diff)
	}
}

func TestRounds(t *testing.T) {
	r := newRounds()
	for pn := range int64(10) {
		r.sent(pn)
	}
	for _, step := range []struct {
		pn    int64
		first bool
	}{{0, true}, {1, false}, {9, false}, {5, false}, {10, true}} {
		if step.pn == 10 {
			r.sent(10)
		}
		if got := r.acked(step.pn); got != step.first {
			t.Errorf("packet %d: first of a round trip %v", step.pn, got)
		}
	}
}

// TestPacing: at the moment that TimeUntilSend names there is a budget, over
// wide ranges of window and round trip, and the long-run rate is as asked.
func TestPacing(t *testing.T) {
	for _, window := range []float64{2, 3.7, 32, 299.99, 10000} {
		for _, rtt := range []time.Duration{0, 170 * time.Microsecond, 33333333, time.Second} {
			c, stats := bound(AdaptiveCubic)
			c.cubic.window, c.cubic.threshold, stats.rtt = window, 1, rtt
			now, sent := at(0), 0
			for ; now < at(10*time.Second) && sent < 5000; sent++ {
				if !c.HasPacingBudget(now) {
					next := c.TimeUntilSend(0)
					if next <= now || !c.HasPacingBudget(next) {
						t.Fatalf("window %v, rtt %v: next packet at %v, now is %v, budget then %v", window, rtt, next, now, c.HasPacingBudget(next))
					}
					now = next
				}
				c.OnPacketSent(now, 0, congestion.PacketNumber(sent), c.packet, true)
			}
			took := now.Sub(at(0)).Seconds()
			most := paceCruise*float64(c.GetCongestionWindow())/max(rtt, time.Millisecond).Seconds()*(took+.002) + (burst+1)*float64(c.packet)
			if got := float64(sent) * float64(c.packet); got > most*1.001 {
				t.Errorf("window %v, rtt %v: %v bytes in %v s, at most %v", window, rtt, got, took, most)
			}
		}
	}
}

func TestWindowInBytes(t *testing.T) {
	c, _ := bound(AdaptiveCubic)
	c.SetMaxDatagramSize(1000)
	if got := c.GetCongestionWindow(); got != initialWindow*1000 {
		t.Errorf("window of %d bytes", got)
	}
	if !c.CanSend(31999) || c.CanSend(32000) {
		t.Error("the window is not kept")
	}
	if newController(Config{CC: Reno}) != nil {
		t.Error("Reno has a controller of ours")
	}
	c.MaybeExitSlowStart()
	c.OnRetransmissionTimeout(true)
	if !c.InSlowStart() {
		t.Error("slow start has ended by itself")
	}
}
