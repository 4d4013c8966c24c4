package score

import (
	"sync"
	"time"

	"github.com/vqeval/vqeval/decode/align"
	"github.com/vqeval/vqeval/metrics"
)

// A lane pairs the frames of one capture with the reference as both go by.
type lane struct {
	c    *captured
	feed *feed
	head *shared // next captured frame, not yet placed
	last *shared // shown last
	over bool    // the feed has ended

	indexed bool  // frames are counted, times do not matter
	pairs   []int // captured frame of each reference frame, if known
	used    []int // the pairs that were made
	before  int64 // time of the reference frame before

	rows   [][]metrics.Row // in blocks, which do not move
	mu     sync.Mutex
	failed error
}

// block is how many rows are allocated at once.
const block = 256

// row returns the row of the next reference frame.
func (l *lane) row(i int, pts int64) *metrics.Row {
	if n := len(l.rows); n == 0 || len(l.rows[n-1]) == block {
		l.rows = append(l.rows, make([]metrics.Row, 0, block))
	}
	last := &l.rows[len(l.rows)-1]
	*last = append(*last, metrics.Row{
		Frame: i, PTS: duration(pts), Shown: -1, DelayMS: -1, Cause: metrics.Cause{HealedAt: -1},
	})
	return &(*last)[len(*last)-1]
}

// duration converts 90 kHz ticks.
func duration(ticks int64) time.Duration {
	return time.Duration(ticks/90*int64(time.Millisecond) + ticks%90*int64(time.Millisecond)/90)
}

// peek returns the next captured frame, nil at the end.
func (l *lane) peek() *shared {
	for l.head == nil && !l.over {
		s, ok := <-l.feed.frames
		if !ok {
			l.over = true
			break
		}
		if l.c.hides(s.Unit) {
			s.release() // it is in the decoder's books, but was not there in time
			continue
		}
		l.head = s
	}
	return l.head
}

func (l *lane) drop() {
	l.head.release()
	l.head = nil
}

// pick returns the captured frame that answers reference frame i, shown from t
// until next, and shows it; nil if there is none.
func (l *lane) pick(i int, t, next int64) *shared {
	for h := l.peek(); h != nil; h = l.peek() {
		switch l.place(h, i, t, next) {
		case earlier:
			l.drop()
		case here:
			if l.last != nil {
				l.last.release()
			}
			l.last, l.head = h, nil
			l.before = t
			l.used = append(l.used, h.Number)
			return h
		default:
			l.before = t
			l.used = append(l.used, -1)
			return nil
		}
	}
	l.used = append(l.used, -1)
	return nil
}

// Where a captured frame belongs, as seen from a reference frame.
type where int

const (
	earlier where = iota
	here
	later
)

func (l *lane) place(h *shared, i int, t, next int64) where {
	before := l.before
	if i == 0 { // in front of the first there may be pictures that the reference hides
		before = t - (next - t)
	}
	switch {
	case l.pairs != nil:
		return order(h.Number, l.pairs[i], l.pairs[i] < 0)
	case l.indexed:
		return order(h.Number, i, false)
	case align.Near(h.PTS, before, t):
		return earlier
	case align.Near(h.PTS, t, next):
		return here
	}
	return later
}

func order(number, want int, none bool) where {
	switch {
	case none || number > want:
		return later
	case number < want:
		return earlier
	}
	return here
}

// fail keeps the first error of the lane.
func (l *lane) fail(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.failed == nil {
		l.failed = err
	}
}

// dead reports whether nothing can come of the lane any more.
func (l *lane) dead() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.failed != nil || l.over && (l.feed.unsteady || l.feed.err != nil)
}

// close lets go of all frames. The feed must be about to end.
func (l *lane) close() {
	if l.head != nil {
		l.drop()
	}
	if l.last != nil {
		l.last.release()
		l.last = nil
	}
	l.feed.drain()
}

// flat returns the rows in one piece.
func (l *lane) flat() []metrics.Row {
	var rows []metrics.Row
	for _, b := range l.rows {
		rows = append(rows, b...)
	}
	return rows
}
