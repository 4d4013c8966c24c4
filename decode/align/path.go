package align

// A search looks for the order-preserving assignment of captured frames to
// reference frames with the largest sum of gains, less a cost for each place
// where the distance between neighbours is another than their times say.
//
// It is a Viterbi search over two layers. In layer M captured frame j is
// reference frame i; in layer X it is one frame too many, and i is the last
// reference frame before it, -1 in front of all. Only i within lo[j]..hi[j] are
// looked at.
type search struct {
	like   *likeness
	step   []int // per captured frame: reference frames since the one before, by the times
	lo, hi []int // both rise with j
	frames int   // of the reference
	first  int   // reference frame of the first captured one, by the times
	cost   int   // of a change

	at    []int   // per j: where its part of the next two begins
	fromM []int32 // at at[j]+i-lo[j]: the state before, see layer
	fromX []bool  // at at[j]+j+i-lo[j]+1: the state before was M; only i = -1 is in front of all
}

// changeCost is what evidence must amount to before the times are thought wrong:
// less than one frame that is equal to its reference and unlike its neighbours,
// more than a few that are a little like them. In a capture that is coarse
// throughout it is as much less as its frames tell less.
const changeCost = sure * 2 / 5

// paired is for every pair: where pictures tell nothing, more pairs are better.
const paired = 1

// A state before: a reference frame in layer M, or x(i) for layer X, or start.
const start = -1

func x(i int) int32 { return int32(-3 - i) } // x(-1) = -2
func layer(code int32) (i int, inX bool) {
	if code < start {
		return int(-3 - code), true
	}
	return int(code), false
}

// A row holds the best sums of one captured frame.
type row struct {
	lo   int
	m, x []int // m[k] is for i = lo+k, x[k] for i = lo-1+k
}

// never is the sum of a state that cannot be reached.
const never = -1 << 60

func (r *row) atM(i int) int { return at(r.m, i-r.lo) }
func (r *row) atX(i int) int { return at(r.x, i-r.lo+1) }

func at(v []int, k int) int {
	if k < 0 || k >= len(v) {
		return never
	}
	return v[k]
}

// run returns the reference frame of each captured one, -1 for one too many.
func (s *search) run() []int {
	n, cells := len(s.step), 0
	s.at = make([]int, n)
	for j := range n {
		s.at[j] = cells
		cells += s.hi[j] - s.lo[j] + 1
	}
	s.fromM, s.fromX = make([]int32, cells), make([]bool, cells+n)
	var old, now row
	for j := range n {
		width := s.hi[j] - s.lo[j] + 1
		now.lo = s.lo[j]
		now.m, now.x = resize(now.m, width), resize(now.x, width+1)
		if j == 0 {
			s.begin(&now)
		} else {
			s.advance(&old, &now, j)
		}
		old, now = now, old
	}
	return s.trace(&old)
}

func resize(v []int, n int) []int {
	if cap(v) < n {
		v = make([]int, n)
	}
	return v[:n]
}

// begin fills the row of the first captured frame.
func (s *search) begin(now *row) {
	for k := range now.m {
		i := now.lo + k
		cost := s.cost
		if i == 0 || i == s.first {
			cost = 0
		}
		now.m[k] = s.like.gain(i, 0) + paired - cost
		s.fromM[k] = start
	}
	for k := range now.x {
		now.x[k] = never
	}
	if now.lo == 0 {
		now.x[0] = 0
	}
}

// advance fills the row of captured frame j from that of the one before.
func (s *search) advance(old, now *row, j int) {
	top, topFrom := never, int32(start) // the best state from which a change may lead to i
	scan := old.lo - 1
	for k := range now.m {
		i := now.lo + k
		for ; scan < i; scan++ {
			if v := old.atM(scan); v > top {
				top, topFrom = v, int32(scan)
			}
			if v := old.atX(scan); v > top {
				top, topFrom = v, x(scan)
			}
		}
		best, from := never, int32(start)
		if s.step[j] > 0 {
			best, from = old.atM(i-s.step[j]), int32(i-s.step[j])
		}
		if v := old.atX(i - 1); v > best {
			best, from = v, x(i-1)
		}
		if v := top - s.cost; v > best {
			best, from = v, topFrom
		}
		if best > never {
			best += s.like.gain(i, j) + paired
		}
		now.m[k], s.fromM[s.at[j]+k] = best, from
	}
	s.surplus(old, now, j)
}

// surplus fills layer X: frame j is one too many. That is free where the times
// say so, and behind the last reference frame.
func (s *search) surplus(old, now *row, j int) {
	for k := range now.x {
		i := now.lo - 1 + k
		now.x[k] = old.atX(i)
		cost := s.cost
		if s.step[j] == 0 || i == s.frames-1 {
			cost = 0
		}
		if v := old.atM(i) - cost; v > now.x[k] {
			now.x[k], s.fromX[s.at[j]+j+k] = v, true
		}
	}
}

// trace walks back from the best state of the last row.
func (s *search) trace(last *row) []int {
	best, inX, at := never, false, -1
	for k, v := range last.m {
		if v > best {
			best, at, inX = v, last.lo+k, false
		}
	}
	for k, v := range last.x {
		if v > best {
			best, at, inX = v, last.lo-1+k, true
		}
	}
	path := make([]int, len(s.step))
	for j := len(path) - 1; j >= 0; j-- {
		if inX {
			path[j] = -1
			inX = !s.fromX[s.at[j]+j+at-s.lo[j]+1]
			continue
		}
		path[j] = at
		at, inX = layer(s.fromM[s.at[j]+at-s.lo[j]])
	}
	return path
}
