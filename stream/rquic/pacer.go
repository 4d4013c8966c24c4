package rquic

import "time"

const (
	paceStart  = 2    // of the window per round trip, in slow start
	paceCruise = 1.25 // and after it
	burst      = 4    // packets that may leave at once: fewer than quic-go's 10, so that the own burst is no queue

	minPause   = time.Millisecond     // quic-go's shortest pacing delay
	burstPause = 2 * time.Millisecond // what must fit into a burst at high rates, for timers that are late
)

// A pacer is a token bucket of bytes. Times are durations on any one clock.
type pacer struct {
	budget float64       // bytes at last
	last   time.Duration // latest packet
	begun  bool          // there was one
}

// pace returns the rate in bytes per second of a window in bytes.
func pace(window float64, srtt time.Duration, slowStart bool) float64 {
	rate := window / max(srtt, time.Millisecond).Seconds()
	if slowStart {
		return paceStart * rate
	}
	return paceCruise * rate
}

// at returns the bytes that may leave at now.
func (p *pacer) at(now time.Duration, rate, packet float64) float64 {
	most := max(burst*packet, rate*burstPause.Seconds())
	if !p.begun {
		return most
	}
	return min(most, p.budget+rate*max(0, now-p.last).Seconds())
}

// sent takes n bytes out of the bucket.
func (p *pacer) sent(now time.Duration, n, rate, packet float64) {
	p.budget = max(0, p.at(now, rate, packet)-n)
	p.last, p.begun = now, true
}

// next returns when a packet may leave, now if one may at once. It is rounded
// up: with a deadline at which the bucket is still a hair too empty the sender
// would spin at one instant for ever where time does not pass by itself.
func (p *pacer) next(rate, packet float64) (at time.Duration, now bool) {
	if !p.begun || p.budget >= packet {
		return 0, true
	}
	pause := time.Duration((packet-p.budget)/rate*float64(time.Second)) + 2
	return p.last + max(minPause, pause), false
}
