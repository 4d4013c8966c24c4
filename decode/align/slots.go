package align

import "sort"

// ticks25 is the frame interval that is assumed where nothing tells another:
// 25 frames/s in 90 kHz ticks.
const ticks25 = 3600

// Near reports whether time t belongs to the frame at time a rather than to the
// one at b behind it. The middle belongs to a.
func Near(t, a, b int64) bool { return t-a <= b-t }

// slots finds for each captured frame the reference frame nearest in time. It
// counts on behind the last reference frame at the last interval, and below 0 in
// front of the first at the first one: pictures that the reference hides. Without
// times that rise, frames are counted.
func slots(ref, got Clip) []int {
	timed := got.RTP || got.HasPTS && rising(got.PTS)
	if !timed || !rising(ref.PTS) || ref.Frames() == 0 {
		return indexSlots(ref, got)
	}
	at := make([]int, got.Frames())
	for j, t := range got.PTS {
		at[j] = slot(ref.PTS, t)
	}
	return at
}

// slot is slots of one time.
func slot(pts []int64, t int64) int {
	if t < pts[0] {
		step := lastInterval(pts[:min(2, len(pts))])
		return -int((2*(pts[0]-t) + step) / (2 * step))
	}
	last := len(pts) - 1
	i := sort.Search(last, func(i int) bool { return Near(t, pts[i], pts[i+1]) })
	if i < last {
		return i
	}
	step := lastInterval(pts)
	return last + max(0, int((2*(t-pts[last])+step-1)/(2*step)))
}

// indexSlots counts frames.
func indexSlots(_, got Clip) []int {
	at := make([]int, got.Frames())
	for j := range at {
		at[j] = j
	}
	return at
}

func rising(pts []int64) bool {
	for i := 1; i < len(pts); i++ {
		if pts[i] <= pts[i-1] {
			return false
		}
	}
	return true
}

func lastInterval(pts []int64) int64 {
	if n := len(pts); n > 1 && pts[n-1] > pts[n-2] {
		return pts[n-1] - pts[n-2]
	}
	return ticks25
}
