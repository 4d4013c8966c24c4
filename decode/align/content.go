package align

import "fmt"

// Bounds of the search. maxCells keeps it below about three seconds and 20 MB,
// however long the clips are: 2000 x 2000 frames are searched as a whole.
const (
	nearby   = 8       // frames on both sides of where the times point, for a first look
	maxCells = 4 << 20 // pairs of frames that are compared
)

// alignContent lets the pictures decide, with the times as a hint.
func alignContent(ref, got Clip) Result {
	m := newMatcher(ref, got)
	m.wide()
	return m.result(Content)
}

// alignAuto keeps the times unless the pictures contradict them.
func alignAuto(ref, got Clip) Result {
	m := newMatcher(ref, got)
	byTime := finish(ref, got, m.slots, m.timed)
	m.window(m.slots, nearby)
	m.search()
	if !m.confirms(byTime) {
		m.wide()
	}
	m.excuse()
	lost := m.agrees(byTime) && !m.supported() && !m.nearest() && m.ahead()
	if lost || !m.agrees(byTime) {
		r := m.result(Content)
		r.Notes = append([]string{m.contradiction(byTime, r)}, r.Notes...)
		return r
	}
	copy(m.path, m.slots)
	r := m.result(m.timed)
	note := "paired by %s; the pictures agree"
	if m.blind() {
		note, r.Ambiguous = "paired by %s; all pictures of the reference look alike, so they cannot confirm it", true
	} else if !m.supported() && !m.nearest() {
		note, r.Unsure = "paired by %s; the pictures are too unlike the reference to confirm it", true
	}
	r.Notes = append([]string{fmt.Sprintf(note, timeName(m.timed))}, r.Notes...)
	return r
}

// alignCoded takes the frames that were coded with the reference's bytes for
// what they are, and places the others, damaged ones, between them.
func alignCoded(ref, got Clip) Result {
	got.Twins = ascending(got.Twins)
	if ref.Sigs == nil || got.Sigs == nil {
		ref.Sigs, got.Sigs = make([]Signature, ref.Frames()), make([]Signature, got.Frames())
	}
	m := newMatcher(ref, got)
	m.wide()
	r := m.result(Coded)
	r.Notes = append([]string{"paired by coded pictures: the capture has the reference's own"}, r.Notes...)
	return r
}

// A matcher is one alignment by content at work.
type matcher struct {
	ref, got Clip
	like     *likeness
	timed    Method // what slots are made from: PTS or Index
	slots    []int  // per captured frame the reference frame at its time
	lo, hi   []int  // the window that was searched last
	path     []int  // what was found in it
	price    int    // of a change of pace, 0 = changeCost
	narrow   int    // half width of the window, 0 = all frames
}

func newMatcher(ref, got Clip) *matcher {
	m := &matcher{ref: ref, got: got, like: newLikeness(ref, got), timed: Index, slots: slots(ref, got)}
	if got.HasPTS && rising(got.PTS) && rising(ref.PTS) {
		m.timed = PTS
	}
	return m
}

// window sets the frames to look at: half of them on both sides of guide.
func (m *matcher) window(guide []int, half int) {
	n := m.ref.Frames()
	m.lo, m.hi = make([]int, len(guide)), make([]int, len(guide))
	lo, hi := 0, 0
	for j, g := range guide {
		lo = max(lo, min(g-half, n-1))
		hi = max(hi, min(g+half, n-1))
		m.lo[j], m.hi[j] = lo, hi
	}
}

// wide searches all pairs of frames, or as many as maxCells allows around the
// line on which a sample of the captured frames is found.
func (m *matcher) wide() {
	n, k := m.ref.Frames(), m.got.Frames()
	half := max(n, k)
	if k > 0 && n*k > maxCells {
		half = max(nearby, maxCells/k/2)
		m.narrow = half
	}
	guide := m.slots
	if m.narrow > 0 {
		guide = m.anchors()
	}
	m.window(guide, half)
	m.search()
	if typical := m.even(); typical < sure*3/4 {
		m.price = max(changeCost*typical/sure, 4*faint/3)
		m.search()
	}
}

// anchors looks for a sample of the captured frames in the whole reference and
// shifts the times by what it finds.
func (m *matcher) anchors() []int {
	const samples = 64
	guide, shift := make([]int, m.got.Frames()), 0
	every := max(1, len(guide)/samples)
	for j := range guide {
		if j%every == 0 {
			best, at := sure/2, -1
			for i := range m.ref.Sigs {
				if g := m.like.gain(i, j); g > best {
					best, at = g, i
				}
			}
			if at >= 0 {
				shift = at - m.slots[j]
			}
		}
		guide[j] = m.slots[j] + shift
	}
	return guide
}

// search finds the best path in the window.
func (m *matcher) search() {
	if m.ref.Frames() == 0 || m.got.Frames() == 0 {
		m.path = make([]int, m.got.Frames())
		for j := range m.path {
			m.path[j] = -1
		}
		return
	}
	s := search{like: m.like, step: make([]int, len(m.slots)), lo: m.lo, hi: m.hi, frames: m.ref.Frames(), first: m.slots[0], cost: changeCost}
	if m.price > 0 {
		s.cost = m.price
	}
	for j := 1; j < len(s.step); j++ {
		s.step[j] = max(0, m.slots[j]-m.slots[j-1])
	}
	m.path = s.run()
}

// ascending drops twins that would turn the order of frames round: what keeps
// most of them in order stays.
func ascending(twins []int) []int {
	kept := make([]int, len(twins))
	best, before := make([]int, len(twins)), make([]int, len(twins)) // longest ascending run that ends at j
	end := -1
	for j, t := range twins {
		kept[j], before[j] = -1, -1
		if t < 0 {
			continue
		}
		best[j] = 1
		for k := j - 1; k >= max(0, j-window); k-- {
			if twins[k] >= 0 && twins[k] < t && best[k]+1 > best[j] {
				best[j], before[j] = best[k]+1, k
			}
		}
		if end < 0 || best[j] > best[end] {
			end = j
		}
	}
	for j := end; j >= 0; j = before[j] {
		kept[j] = twins[j]
	}
	return kept
}

// window is how far back ascending looks for a frame in order.
const window = 256
