package rtph264

import (
	"slices"
	"time"
)

// A clock unwraps RTP timestamps of 32 bits, and carries them on when a sender
// restarts with another base.
type clock struct {
	started   bool
	restarted bool
	last      uint32    // of the unit before
	at        time.Time // its arrival
	value     int64     // the same unwrapped
	origin    instant   // the first unit since the last restart or leap
	highest   int64
	recent    []int64 // unwrapped, of the last units, at most recentUnits
	epoch     int     // restarts and leaps so far
	leaps     int     // of them, those without a restart
}

// An instant is a unit's timestamp, unwrapped, and arrival.
type instant struct {
	value int64
	at    time.Time
}

const (
	recentUnits = 32
	// usualInterval is assumed where fewer than two units came: 25 frames/s.
	usualInterval = 90000 / 25
)

// unwrap returns the timestamp of the next unit, in sequence order, that began
// to arrive at a time: the value nearest to that of the unit before. The first
// unit after a restart or a leap comes one frame interval after the latest before.
func (c *clock) unwrap(ts uint32, at time.Time) int64 {
	leap := c.started && !c.restarted && c.leapt(ts, at)
	switch {
	case !c.started:
		c.value, c.highest = int64(ts), int64(ts)
	case c.restarted || leap:
		c.value = c.highest + c.interval()
		c.recent = c.recent[:0]
		c.epoch++
	default:
		c.value += int64(int32(ts - c.last))
	}
	if leap {
		c.leaps++
	}
	if len(c.recent) == 0 {
		c.origin = instant{c.value, at}
	}
	c.started, c.restarted, c.last, c.at = true, false, ts, at
	c.highest = max(c.highest, c.value)
	if len(c.recent) == recentUnits {
		c.recent = slices.Delete(c.recent, 0, 1)
	}
	c.recent = append(c.recent, c.value)
	return c.value
}

// leapt reports whether the sender set its clock: a timestamp further back than
// B pictures reach; or one far ahead of the one before that arrives long before
// its time. A pause of the sender arrives late, too; what was sent faster than in
// real time may have pauses of up to longTime.
func (c *clock) leapt(ts uint32, at time.Time) bool {
	ticks := int64(int32(ts - c.last))
	switch {
	case ticks < backTime:
		return ticks < -8*c.interval()
	case ticks > longTime || ticks > pause && c.live():
		// Not against the unit before: that may have waited in a queue as long.
		early := span(c.value+ticks-c.origin.value) - at.Sub(c.origin.at)
		return early > span(ticks)*3/4
	}
	return false
}

// pause is how far ahead a live sender's timestamp is suspicious.
const pause = 10 * 9e4

// live reports whether the units so far came about in real time.
func (c *clock) live() bool {
	media := span(c.value - c.origin.value)
	return media > time.Second && c.at.Sub(c.origin.at) > media/2
}

// span converts ticks of 90 kHz.
func span(ticks int64) time.Duration { return time.Duration(ticks) * time.Second / 90000 }

func (c *clock) restart() { c.restarted = c.started }

// interval returns the frame interval in ticks: the median distance between
// recent timestamps, sorted, so that neither lost units nor B pictures matter.
func (c *clock) interval() int64 {
	sorted := slices.Clone(c.recent)
	slices.Sort(sorted)
	sorted = slices.Compact(sorted)
	if len(sorted) < 2 {
		return usualInterval
	}
	steps := make([]int64, len(sorted)-1)
	for i := range steps {
		steps[i] = sorted[i+1] - sorted[i]
	}
	slices.Sort(steps)
	return steps[len(steps)/2]
}
