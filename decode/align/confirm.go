package align

// confirms reports whether a first look around the times is enough: the best
// path is that of the times, and the pictures match so well, or are so clearly
// nearest to the reference frame of their time, that no other place needs to be
// looked at.
func (m *matcher) confirms(byTime Result) bool {
	return m.agrees(byTime) && (m.supported() || m.nearest())
}

// nearest reports whether most captured frames are less unlike the reference
// frame of their time than any other nearby, throughout the clip. A wrong place
// is the nearest one by chance once in 17 times.
func (m *matcher) nearest() bool {
	const stretch = 48 // frames, of which each lot must agree
	hits, seen, all := 0, 0, 0
	for j, i := range m.path {
		if i < 0 || i >= m.ref.Frames() || m.like.far[i] == 0 {
			continue
		}
		if m.isNearest(i, j) {
			hits++
		}
		all++
		if seen++; seen == stretch {
			if 2*hits < seen {
				return false
			}
			hits, seen = 0, 0
		}
	}
	return 2*hits >= seen && all >= stretch/2
}

func (m *matcher) isNearest(i, j int) bool {
	d := m.like.meter.distance(&m.ref.Sigs[i], &m.got.Sigs[j])
	for k := max(0, i-nearby); k <= min(i+nearby, m.ref.Frames()-1); k++ {
		if m.like.meter.distance(&m.ref.Sigs[k], &m.got.Sigs[j]) < d {
			return false
		}
	}
	return true
}

// supported reports whether the pairs of the path are alike on the whole, as far
// as the reference changes.
func (m *matcher) supported() bool {
	kept, a := m.support(0, len(m.path), true)
	left, b := m.support(0, len(m.path), false)
	return kept+left >= (a+b)*sure/2
}
