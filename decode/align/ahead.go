package align

// Bounds of looking ahead.
const (
	maxAhead = 64 // frames that pictures may be ahead of their times
	leapCost = 3  // frames that must tell more for it than against it before a leap is believed
	fewHits  = 5  // frames that a stretch must have on its side
)

// ahead looks for frames that are missing in a capture so coarse that no picture
// matches: coding, or another brightness, has changed all of it. Behind a gap whose
// times were closed up, the pictures are those of a later time, and so less unlike
// the reference frame there than any other. Damage never has that effect: what a
// lost picture leaves behind looks like the past. It returns whether the path was
// changed.
func (m *matcher) ahead() bool {
	leads := m.leads()
	path := rise(leads)
	hits, seen := 0, 0
	for from := 0; from < len(path); {
		to, own, all := from, 0, 0
		for ; to < len(path) && path[to] == path[from]; to++ {
			if leads[to] == unknown {
				continue
			}
			all++
			if leads[to] == path[to] {
				own++
			}
		}
		if path[from] > 0 && own < fewHits || 2*own < all {
			return false
		}
		hits, seen, from = hits+own, seen+all, to
	}
	if seen == 0 || 10*hits < 7*seen || path[len(path)-1] == 0 {
		return false
	}
	for j, lead := range path {
		m.path[j] = m.slots[j] + lead
	}
	return true
}

// unknown is the lead of a frame of which nothing can be told.
const unknown = -1 << 30

// leads finds for each captured frame by how many frames the reference frame that it
// is least unlike is ahead of its time.
func (m *matcher) leads() []int {
	out := make([]int, len(m.slots))
	for j, at := range m.slots {
		out[j] = unknown
		best := -1.0
		for i := max(0, at-nearby); i <= min(at+maxAhead, m.ref.Frames()-1); i++ {
			if d := m.like.meter.distance(&m.ref.Sigs[i], &m.got.Sigs[j]); best < 0 || d < best {
				best, out[j] = d, i-at
			}
		}
		if i := at + out[j]; best >= 0 && m.like.far[i] == 0 {
			out[j] = unknown
		}
	}
	return out
}

// rise returns the leads, from 0 to maxAhead and never falling, that agree with most
// of what was found, less leapCost for each rise.
func rise(found []int) []int {
	var best [maxAhead + 1]int
	from := make([][maxAhead + 1]int8, len(found))
	for o := range best {
		best[o] = -leapCost * min(o, 1)
	}
	for j, lead := range found {
		top := 0
		now := best
		for o := range now {
			from[j][o] = int8(o)
			if v := best[top] - leapCost; o > 0 && v > best[o] {
				now[o], from[j][o] = v, int8(top)
			}
			if best[o] > best[top] {
				top = o
			}
			if o == lead {
				now[o]++
			}
		}
		best = now
	}
	at := 0
	for o := range best {
		if best[o] > best[at] {
			at = o
		}
	}
	out := make([]int, len(found))
	for j := len(found) - 1; j >= 0; j-- {
		out[j] = at
		at = int(from[j][at])
	}
	return out
}
