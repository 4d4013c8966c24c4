package rquic

import (
	"math"
	"testing"
)

// near compares to the six decimals that the vectors have.
func near(got, want float64) bool {
	return got == want || math.Abs(got-want) <= 1e-6
}

// TestStatus: vectors of equations (7) to (11), computed by an independent program.
func TestStatus(t *testing.T) {
	for _, v := range []struct{ window, smoothed, latest, min, last, diff float64 }{
		{100, 60, 70, 50, 61.5, 18.699187},
		{32, 50, 50, 50, 50, 0},
		{300, 260, 300, 250, 266, 18.045113},
		{20, 505, 512, 500, 506.05, .239107},
		{100, 60, 20, 50, 54, 7.407407},
	} {
		c := newCubic(AdaptiveCubic, FixedE, AdaptiveLoss)
		c.window = v.window
		c.status(rtts{v.smoothed, v.latest, v.min})
		if !near(c.last, v.last) || !near(c.diff, v.diff) {
			t.Errorf("%+v: got RTTlast %v, DIFF %v", v, c.last, c.diff)
		}
	}
}

func TestUpdateE(t *testing.T) {
	for _, v := range []struct{ e, diff, smoothed, last, fixed, printed float64 }{
		{1, 5, 60, 61.5, .8, 2},
		{1, 5, 60, 58, 2, .8},
		{1, 5, 60, 60, 2, 2},
		{4, 9, 60, 58, 4, 3.2},
		{.5, 9, 60, 61, .5, 1},
		{2, 1, 60, 61, 1.9, 1.9},
		{.6, .2, 60, 61, .64, .64},
		{1.009, .2, 60, 61, 1, 1},
	} {
		for rule, want := range map[ERule]float64{FixedE: v.fixed, PrintedE: v.printed} {
			c := newCubic(AdaptiveCubic, rule, AdaptiveLoss)
			c.e, c.diff, c.last = v.e, v.diff, v.last
			c.updateE(v.smoothed)
			if !near(c.e, want) {
				t.Errorf("%+v, %v: got %v", v, rule, c.e)
			}
		}
	}
}

// acks acknowledges n packets, step milliseconds apart from at on; the first
// begins a round trip.
func acks(c *cubic, n int, at, step, smoothed, latest float64) {
	for i := range n {
		c.acked(at+float64(i)*step, rtts{smoothed, latest, 100}, i == 0, true)
	}
}

// TestTrace runs the vectors from the initial state, of which an independent
// Python program computes the same.
func TestTrace(t *testing.T) {
	c := newCubic(AdaptiveCubic, FixedE, AdaptiveLoss)
	lose := func(cut bool) func() {
		return func() {
			c.lost()
			if got := c.lossEvent(); got != cut {
				t.Errorf("a loss with DIFF %v and rate %v: cut %v", c.diff, c.loss, got)
			}
		}
	}
	ack := func(at, smoothed, latest float64, round, limited bool) func() {
		return func() { c.acked(at, rtts{smoothed, latest, 100}, round, limited) }
	}
	inf := math.Inf(1)
	for _, s := range []struct {
		name                                    string
		act                                     func()
		window, threshold, limit, e, diff, loss float64
	}{
		{"T1 slow start", func() { acks(c, 32, 100, .1, 100, 100) }, 64, inf, 300, 1, 0, 0},
		{"T2 slow start ends", func() { acks(c, 8, 200, .1, 103, 118) }, 71, 71, 300, 1, 3.541568, 0},
		{"T3 congestion", lose(true), 49.7, 49.7, 300, 1, 3.541568, .007812},
		{"T4 e = 1", func() { acks(c, 10, 320, 1, 100, 100) }, 50.017108, 49.7, 300, 1, 0, .007223},
		{"T5 rising", ack(420, 110, 130, true, true), 50.017108, 49.7, 300, .8, 5.754181, .007167},
		{"T6 hold", ack(421, 110, 130, false, true), 50.017108, 49.7, 300, .8, 5.754181, .007111},
		{"T7 e < 1", ack(520, 100, 100, true, true), 50.013509, 49.7, 300, .82, 0, .007055},
		{"T8 random loss", lose(false), 50.013509, 49.7, 300, .82, 0, .014813},
		{"T9 falling", ack(620, 130, 100, true, true), 50.013509, 49.7, 300, 1.64, 10.162107, .014697},
		{"T10 e > 1", ack(720, 100, 100, true, true), 50.155349, 49.7, 300, 1.576, 0, .014582},
		{"T11 at the limit", func() {
			c.window, c.threshold, c.e, c.inEpoch = 300, 10, 1, false
			ack(820, 100, 100, false, true)()
		}, 300, 10, 300, 1, 0, .014468},
		{"T12 limit rises", ack(821, 100, 100, true, true), 300.003333, 10, 400, 1, 0, .014355},
		{"T13 40 losses", func() {
			for range 40 {
				c.lost()
			}
		}, 300.003333, 10, 400, 1, 0, .279771},
		{"T14 too many", func() { c.lossEvent() }, 210.002333, 210.002333, 400, 1, 0, .279771},
		{"T15 not limited", func() {
			for i := range 3 {
				ack(900+float64(i), 100, 100, false, false)()
			}
		}, 210.002333, 210.002333, 400, 1, 0, .273265},
	} {
		s.act()
		for _, v := range []struct {
			name      string
			got, want float64
		}{
			{"window", c.window, s.window}, {"threshold", c.threshold, s.threshold}, {"limit", c.limit, s.limit},
			{"e", c.e, s.e}, {"DIFF", c.diff, s.diff}, {"loss", c.loss, s.loss},
		} {
			if !near(v.got, v.want) {
				t.Errorf("%s: %s is %.6f, want %.6f", s.name, v.name, v.got, v.want)
			}
		}
	}
}

// TestPlain: CUBIC cuts on every loss and knows no limit of 300.
func TestPlain(t *testing.T) {
	c := newCubic(Cubic, FixedE, AdaptiveLoss)
	acks(c, 500, 0, .1, 100, 100)
	if c.window != initialWindow+500 || c.limit != firstLimit {
		t.Errorf("slow start to %v, limit %v", c.window, c.limit)
	}
	c.lost()
	if !c.lossEvent() || !near(c.window, .7*532) || c.e != 1 {
		t.Errorf("after a loss: window %v, e %v", c.window, c.e)
	}
	always := newCubic(AdaptiveCubic, FixedE, AlwaysLoss)
	always.lost()
	if !always.lossEvent() {
		t.Error("rule always: no cut")
	}
}

// TestWindowBounds: whatever happens, the window stays between its bounds.
func TestWindowBounds(t *testing.T) {
	for _, cc := range []Congestion{AdaptiveCubic, Cubic} {
		c := newCubic(cc, FixedE, AlwaysLoss)
		for i := range 200 {
			c.lost()
			c.lossEvent()
			c.acked(float64(i), rtts{}, true, true) // before the first round trip is measured
		}
		if c.window != minWindow || c.loss <= 0 || c.loss >= 1 {
			t.Errorf("%v: window %v, loss %v", cc, c.window, c.loss)
		}
		acks(c, 10000, 1e3, 50, 100, 100)
		if c.window < minWindow || c.window > plainLimit {
			t.Errorf("%v: window %v", cc, c.window)
		}
	}
}
