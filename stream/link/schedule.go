package link

import "time"

// A schedule holds values until their times, earliest first and, at one time,
// in the order in which they came. It is a binary heap that allocates no more
// once it has had its greatest length.
type schedule[T any] struct {
	heap []appointment[T]
	seq  uint64
}

type appointment[T any] struct {
	at    time.Time
	seq   uint64
	value T
}

func (a *appointment[T]) before(b *appointment[T]) bool {
	if c := a.at.Compare(b.at); c != 0 {
		return c < 0
	}
	return a.seq < b.seq
}

func (s *schedule[T]) len() int { return len(s.heap) }

// next returns the earliest time, zero when the schedule is empty.
func (s *schedule[T]) next() time.Time {
	if len(s.heap) == 0 {
		return time.Time{}
	}
	return s.heap[0].at
}

func (s *schedule[T]) push(at time.Time, value T) {
	s.heap = append(s.heap, appointment[T]{at, s.seq, value})
	s.seq++
	for i := len(s.heap) - 1; i > 0; {
		parent := (i - 1) / 2
		if !s.heap[i].before(&s.heap[parent]) {
			return
		}
		s.heap[i], s.heap[parent] = s.heap[parent], s.heap[i]
		i = parent
	}
}

// pop removes the earliest value if it is due by now.
func (s *schedule[T]) pop(now time.Time) (value T, at time.Time, ok bool) {
	if len(s.heap) == 0 || s.heap[0].at.After(now) {
		return value, at, false
	}
	first, last := s.heap[0], len(s.heap)-1
	s.heap[0] = s.heap[last]
	s.heap[last] = appointment[T]{}
	s.heap = s.heap[:last]
	s.sink()
	return first.value, first.at, true
}

func (s *schedule[T]) sink() {
	for i := 0; ; {
		child := 2*i + 1
		if child >= len(s.heap) {
			return
		}
		if child+1 < len(s.heap) && s.heap[child+1].before(&s.heap[child]) {
			child++
		}
		if !s.heap[child].before(&s.heap[i]) {
			return
		}
		s.heap[i], s.heap[child] = s.heap[child], s.heap[i]
		i = child
	}
}
