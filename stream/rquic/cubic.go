package rquic

import "math"

// Constants of adaptive CUBIC: windows in packets, times in milliseconds.
const (
	beta = .7 // what a cut leaves of the window, RFC 9438 4.6
	cubC = .4 // RFC 9438 4.1, packets / s^3

	initialWindow = 32 // quic-go's
	minWindow     = 2
	plainLimit    = 10000 // quic-go's

	firstLimit = 300 // MaxCwnd of the paper
	limitStep  = 100

	lastSRTT = .85 // equations (7) and (8): RTTlast = .85 SRTT + .15 RTT

	minE, maxE   = .5, 4
	shrinkE      = .8
	growE        = 2
	relaxE       = .1  // of the distance to 1, per round trip without a queue
	nearlyOne    = .01 // e this close to 1 is 1
	maxIncrement = .5  // packets per acknowledgement

	randomDiff = 2        // packets in the queue below which a loss is random (Veno's rule)
	lossLimit  = .2       // loss rate above which none is
	lossGain   = 1. / 128 // of the loss rate's moving average, per packet

	nearlyFull = .9 // of a full packet's size: one that gives a smallest round trip

	startSamples        = 8  // HyStart++, RFC 9406 4.2: samples of a round trip
	startWindow         = 16 // and the window from which it looks
	minStartThreshold   = 4
	maxStartThreshold   = 16
	startThresholdShare = 1. / 8
)

// A cubic is the window of adaptive CUBIC, or of CUBIC if plain: events in,
// window out. It reads no clock and holds packets and milliseconds only.
type cubic struct {
	plain      bool
	printed    bool // PrintedE
	alwaysLoss bool // AlwaysLoss

	window    float64
	threshold float64 // of slow start
	limit     float64 // MaxCwnd
	e         float64 // the paper's step
	last      float64 // RTTlast
	diff      float64 // DIFF: packets in the path's queue
	loss      float64 // moving average of the loss rate

	// Of the cubic curve, RFC 9438 4.1 and 4.2.
	inEpoch    bool
	active     float64 // time with a full window in this epoch
	at         float64 // of the latest acknowledgement
	max, prior float64 // W_max, cwnd_prior
	k, est     float64 // K, W_est

	// Of HyStart++.
	samples int
	fastest float64 // round trip of this round
}

func newCubic(cc Congestion, e ERule, l LossRule) *cubic {
	return &cubic{
		plain: cc == Cubic, printed: e == PrintedE, alwaysLoss: l == AlwaysLoss,
		window: initialWindow, threshold: math.Inf(1), limit: firstLimit, e: 1,
	}
}

// rtts is what is known of the round trip.
type rtts struct{ smoothed, latest, min float64 }

func (c *cubic) slowStart() bool { return c.window < c.threshold }

// status computes RTTlast and DIFF, equations (7) to (11): DIFF is the expected
// less the actual rate, times the smallest round trip.
func (c *cubic) status(r rtts) {
	c.last = max(lastSRTT*r.smoothed+(1-lastSRTT)*r.latest, r.min)
	c.diff = c.window * (1 - r.min/c.last)
}

// recover notes an acknowledgement during recovery, which changes no window.
func (c *cubic) recovering() { c.loss -= c.loss * lossGain }

// acked takes one acknowledged packet at the time at. round: it is the first of
// a round trip; limited: the sender had used up the window.
func (c *cubic) acked(at float64, r rtts, round, limited bool) {
	c.loss -= c.loss * lossGain
	elapsed := at - c.at
	c.at = at
	if r.min <= 0 || r.smoothed <= 0 {
		return
	}
	c.status(r)
	if c.slowStart() && c.hystart(r, round) {
		c.threshold = c.window
	}
	if !c.slowStart() && round && !c.plain {
		c.updateE(r.smoothed)
	}
	if limited {
		c.grow(elapsed, r.min, round)
	}
}

// updateE is line 7 of Algorithm 1, once a round trip.
func (c *cubic) updateE(smoothed float64) {
	if c.e >= c.diff {
		c.e += (1 - c.e) * relaxE
		if math.Abs(c.e-1) < nearlyOne {
			c.e = 1
		}
		return
	}
	rising := smoothed < c.last
	if c.printed {
		rising = smoothed > c.last
	}
	if rising {
		c.e = max(minE, shrinkE*c.e)
	} else {
		c.e = min(maxE, growE*c.e)
	}
}

// grow is lines 3 to 18 of Algorithm 1, for a window that was used up.
func (c *cubic) grow(elapsed, minRTT float64, round bool) {
	limit, congested := float64(plainLimit), false
	if !c.plain {
		congested = c.e <= c.diff
		if c.window >= c.limit {
			if congested || !round {
				return
			}
			c.limit += limitStep
		}
		limit = c.limit
	}
	if c.slowStart() {
		c.window = min(c.window+1, limit)
		return
	}
	if congested {
		return
	}
	c.active += elapsed
	c.window = max(minWindow, min(limit, c.window+c.step(minRTT)))
}

// step is line 16: what one acknowledgement adds to the window.
func (c *cubic) step(minRTT float64) float64 {
	switch {
	case c.plain || c.e == 1:
		return c.increment(minRTT)
	case c.e > 1:
		return min(maxIncrement, c.e*c.increment(minRTT))
	}
	return -(1 - c.e) / c.window
}

// increment is CUBIC's, RFC 9438 4.2 to 4.5.
func (c *cubic) increment(minRTT float64) float64 {
	if !c.inEpoch {
		c.inEpoch, c.active, c.est = true, 0, c.window
		if c.window < c.max {
			c.k = math.Cbrt((c.max - c.window) / cubC)
		} else {
			c.k, c.max = 0, c.window
		}
	}
	x := (c.active+minRTT)/1000 - c.k
	target := max(c.window, min(cubC*x*x*x+c.max, 1.5*c.window))
	alpha := 1.
	if c.est < c.prior {
		alpha = 3 * (1 - beta) / (1 + beta)
	}
	c.est += alpha / c.window
	inc := (target - c.window) / c.window
	if c.est > c.window+inc { // the Reno-friendly region
		inc = min(maxIncrement, c.est-c.window)
	}
	return inc
}

// hystart says whether slow start should end: the fastest of the first samples
// of a round trip was clearly slower than the path can be.
func (c *cubic) hystart(r rtts, round bool) bool {
	if round {
		c.samples = 0
	}
	if c.samples >= startSamples {
		return false
	}
	if c.samples == 0 {
		c.fastest = math.Inf(1)
	}
	c.samples++
	c.fastest = min(c.fastest, r.latest)
	slower := max(minStartThreshold, min(maxStartThreshold, r.min*startThresholdShare))
	return c.samples == startSamples && c.window >= startWindow && c.fastest >= r.min+slower
}

// lost counts one lost packet.
func (c *cubic) lost() { c.loss += (1 - c.loss) * lossGain }

// lossEvent takes the first loss since a recovery and says whether it began
// another, with a smaller window. Losses without a queue are random.
func (c *cubic) lossEvent() bool {
	if !c.plain && !c.alwaysLoss && c.diff < randomDiff && c.loss <= lossLimit {
		return false
	}
	c.cut()
	return true
}

// cut answers congestion, RFC 9438 4.6 and 4.7.
func (c *cubic) cut() {
	c.prior = c.window
	if c.window < c.max {
		c.max = c.window * (1 + beta) / 2
	} else {
		c.max = c.window
	}
	c.window = max(minWindow, beta*c.window)
	c.threshold = c.window
	c.inEpoch = false
}
