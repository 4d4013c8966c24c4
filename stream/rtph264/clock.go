package rtph264

import "slices"

// A clock unwraps RTP timestamps of 32 bits, and carries them on when a sender
// restarts with another base.
type clock struct {
	started   bool
	restarted bool
	last      uint32 // of the unit before
	value     int64  // the same unwrapped
	highest   int64
	recent    []int64 // unwrapped, of the last units, at most recentUnits
}

const (
	recentUnits = 32
	// usualInterval is assumed where fewer than two units came: 25 frames/s.
	usualInterval = 90000 / 25
)

// unwrap returns the timestamp of the next unit, in sequence order: the value
// nearest to that of the unit before. The first unit after a restart comes one
// frame interval after the latest before.
func (c *clock) unwrap(ts uint32) int64 {
	switch {
	case !c.started:
		c.value, c.highest = int64(ts), int64(ts)
	case c.restarted:
		c.value = c.highest + c.interval()
		c.recent = c.recent[:0]
	default:
		c.value += int64(int32(ts - c.last))
	}
	c.started, c.restarted, c.last = true, false, ts
	c.highest = max(c.highest, c.value)
	if len(c.recent) == recentUnits {
		c.recent = slices.Delete(c.recent, 0, 1)
	}
	c.recent = append(c.recent, c.value)
	return c.value
}

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
