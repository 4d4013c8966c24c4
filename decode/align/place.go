package align

import "slices"

// faint is a gain that tells nothing.
const faint = sure / 32

// place moves each gap to where it fits best among frames that match nothing
// well, between which the search could not tell. In a capture that is exact on
// the whole such frames are damaged, and damage follows a loss: the gap goes in
// front of them. In a coarse one, the distances of the pictures decide.
func (m *matcher) place() {
	exact := 2*m.exact() >= len(m.path)
	for j := 1; j < len(m.path); j++ {
		if m.gap(j) == 0 {
			continue
		}
		from, to := m.faintAround(j)
		best := from
		if !exact {
			best = m.cheapest(from, j, to)
		}
		for k := j - 1; k >= best; k-- {
			m.path[k] = m.path[k+1] - (m.slots[k+1] - m.slots[k])
		}
		for k := j; k < best; k++ {
			m.path[k] = m.path[k-1] + (m.slots[k] - m.slots[k-1])
		}
		j = max(j, to-1)
	}
}

// exact counts frames that are their reference frame to the last sample.
func (m *matcher) exact() (n int) {
	for j, i := range m.path {
		if i >= 0 && i < m.ref.Frames() && m.ref.Sigs[i] == m.got.Sigs[j] {
			n++
		}
	}
	return n
}

// gap is how many more reference frames lie between captured frame j and the one
// before than the times say; 0 also where one of them is unpaired.
func (m *matcher) gap(j int) int {
	i, before, step := m.path[j], m.path[j-1], m.slots[j]-m.slots[j-1]
	if i < 0 || before < 0 || step <= 0 || i-before <= step {
		return 0
	}
	return i - before - step
}

// faintAround finds the captured frames from..to-1 around a gap in front of j
// that follow each other as the times say and match nothing well on either side
// of it: the gap may stand in front of any of them, or behind the last.
func (m *matcher) faintAround(j int) (from, to int) {
	gap := m.gap(j)
	for from = j; from > 0 && m.faint(from-1, gap) && (from == j || m.gap(from) == 0 && m.path[from] > m.path[from-1]); from-- {
		if m.path[from-1] < 0 {
			break
		}
	}
	for to = j; to < len(m.path) && m.faint(to, -gap) && (to == j || m.gap(to) == 0 && m.path[to] > m.path[to-1]); to++ {
		if m.path[to] < 0 {
			break
		}
	}
	return from, to
}

// faint reports whether captured frame j tells nothing about whether it belongs
// where it is or shift frames away.
func (m *matcher) faint(j, shift int) bool {
	i := m.path[j]
	if i < 0 || i+shift < 0 || i+shift >= m.ref.Frames() || m.like.near[i] == 0 {
		return false
	}
	return m.like.gain(i, j) < faint && m.like.gain(i+shift, j) < faint
}

// cheapest returns the place from..to of the gap, now in front of j, at which the
// frames in between are least unlike their reference frames.
func (m *matcher) cheapest(from, j, to int) int {
	gap := m.gap(j)
	best, least, sum := from, 0.0, 0.0
	for k := from; k < to; k++ {
		left, right := m.path[k], m.path[k]+gap
		if k >= j {
			left, right = m.path[k]-gap, m.path[k]
		}
		sum += m.unlike(left, k) - m.unlike(right, k)
		if sum < least {
			best, least = k+1, sum
		}
	}
	return best
}

func (m *matcher) unlike(i, j int) float64 {
	return m.like.meter.distance(&m.ref.Sigs[i], &m.got.Sigs[j])
}

// even returns the typical gain of a capture that is equally coarse throughout,
// and sure for any other: one that is exact, or damaged in places.
func (m *matcher) even() int {
	var gains []int
	for j, i := range m.path {
		if i >= 0 && i < m.ref.Frames() && m.like.far[i] > 0 {
			gains = append(gains, m.like.gain(i, j))
		}
	}
	if len(gains) == 0 {
		return sure
	}
	slices.Sort(gains)
	low, middle := gains[len(gains)/10], gains[len(gains)/2]
	if 3*low < middle {
		return sure
	}
	return middle
}
