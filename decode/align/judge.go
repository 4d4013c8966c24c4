package align

import "fmt"

// agrees reports whether the path pairs frames as the times do, but for frames
// that have no counterpart in one of them and equal pictures.
func (m *matcher) agrees(byTime Result) bool {
	r := finish(m.ref, m.got, m.path, Content)
	for i, j := range byTime.Pair {
		k := r.Pair[i]
		if j != k && (j < 0 || k < 0 || !same(m.got.Sigs, j, k)) {
			return false
		}
	}
	return true
}

// excuse undoes detours: stretches that leave the times although their frames
// match much less well than those that keep them. Damaged frames look like those
// before them, and that is no reason to think that they are.
func (m *matcher) excuse() {
	kept, keeping := m.support(0, len(m.path), true)
	if m.timed != PTS || 4*keeping < len(m.path) {
		return
	}
	for from := 0; from < len(m.path); {
		to := from + 1
		for to < len(m.path) && m.keeps(to) == m.keeps(from) {
			to++
		}
		if gain, n := m.support(from, to, false); !m.keeps(from) && 2*gain*keeping < kept*n {
			copy(m.path[from:to], m.slots[from:to])
		}
		from = to
	}
}

// keeps reports whether captured frame j is where the times say.
func (m *matcher) keeps(j int) bool { return m.path[j] == m.slots[j] }

// support adds the gains of the frames of a stretch whose reference changes, of
// those only that keep the times, or only of those that do not; and counts them.
func (m *matcher) support(from, to int, keeping bool) (gain, n int) {
	for j := from; j < to; j++ {
		i := m.path[j]
		if i >= 0 && i < m.ref.Frames() && m.like.far[i] > 0 && m.keeps(j) == keeping {
			gain += m.like.gain(i, j)
			n++
		}
	}
	return gain, n
}

// blind reports whether the reference never changes.
func (m *matcher) blind() bool {
	for _, d := range m.like.far {
		if d > 0 {
			return false
		}
	}
	return true
}

// contradiction says where the pictures part from the times.
func (m *matcher) contradiction(byTime, r Result) string {
	for i, j := range byTime.Pair {
		if k := r.Pair[i]; j != k {
			return fmt.Sprintf("paired by content: by %s the pictures do not match from reference frame %d on", timeName(m.timed), i)
		}
	}
	return "paired by content"
}

func timeName(m Method) string {
	switch m {
	case PTS:
		return "presentation time"
	case RTP:
		return "RTP timestamp"
	}
	return "the order of frames"
}

// result turns the path into a Result.
func (m *matcher) result(method Method) Result {
	if method == Content {
		m.place()
		m.trim()
	}
	if method != Coded {
		m.freeze()
	}
	r := finish(m.ref, m.got, m.path, method)
	if method == Content {
		if m.narrow > 0 {
			r.Notes = append(r.Notes, fmt.Sprintf("only frames within %d of the time line were looked at", m.narrow))
		}
		if note := m.doubt(); note != "" {
			r.Notes, r.Ambiguous = append(r.Notes, note), true
		}
	}
	return r
}

// trim takes away flat frames that were only counted along in front of the first
// frame that matches and behind the last: black around the content.
func (m *matcher) trim() {
	for j := 0; j < len(m.path) && m.idle(j); j++ {
		m.path[j] = -1
	}
	for j := len(m.path) - 1; j >= 0 && m.idle(j); j-- {
		m.path[j] = -1
	}
}

// idle reports whether captured frame j is unpaired, or flat where the reference
// is not.
func (m *matcher) idle(j int) bool {
	i := m.path[j]
	return i < 0 || m.got.Sigs[j].flat() && !m.ref.Sigs[i].flat()
}

// freeze looks at stretches in which the capture repeats one picture. That can
// answer one picture of the reference only, the one it is most like; where the
// reference goes on, what was shown was a repetition.
func (m *matcher) freeze() {
	for from := 0; from < len(m.path); {
		to := from + 1
		for to < len(m.path) && same(m.got.Sigs, from, to) {
			to++
		}
		if to-from > 1 {
			m.thaw(from, to)
		}
		from = to
	}
}

// thaw unpairs the repetitions in a stretch of one picture.
func (m *matcher) thaw(from, to int) {
	most, model := -1, -1 // gain and reference frame of the best pair
	for j := from; j < to; j++ {
		if i := m.path[j]; i >= 0 && i < m.ref.Frames() {
			if g := m.like.gain(i, j); g > most {
				most, model = g, i
			}
		}
	}
	for j := from; j < to && model >= 0; j++ {
		if i := m.path[j]; i >= 0 && i < m.ref.Frames() && !same(m.ref.Sigs, i, model) {
			m.path[j] = -1
		}
	}
}

// doubt names gaps that could as well be elsewhere.
func (m *matcher) doubt() string {
	if m.blind() {
		return "all pictures of the reference look alike: the order of frames was kept"
	}
	places, first := 0, -1
	if len(m.path) > 0 && m.path[0] > 0 && m.path[0] < m.ref.Frames() && same(m.ref.Sigs, m.path[0]-1, m.path[0]) {
		places, first = 1, 0 // what is missing in front may be missing further on
	}
	for j := 1; j < len(m.path); j++ {
		i, before := m.path[j], m.path[j-1]
		step := max(1, m.slots[j]-m.slots[j-1])
		if i < 0 || before < 0 || i-before <= step {
			continue
		}
		later := m.like.gain(before+step, j)+faint >= m.like.gain(i, j)
		earlier := m.like.gain(i-step, j-1)+faint >= m.like.gain(before, j-1)
		if later || earlier {
			if places++; first < 0 {
				first = before + 1
			}
		}
	}
	if places == 0 {
		return ""
	}
	if places == 1 {
		return fmt.Sprintf("pictures too alike to tell which are missing near reference frame %d", first)
	}
	return fmt.Sprintf("pictures too alike to tell which are missing at %d places, the first near reference frame %d", places, first)
}
