package link

import (
	"sync"
	"time"
)

// maxFlight bounds the bytes that one lane holds; what the path delivers
// beyond it is dropped and counted, as a host out of memory would.
const maxFlight = 256 << 20

// defaultInbox is the room for packets that have arrived and are not read yet,
// bytes, until SetReadBuffer says otherwise.
const defaultInbox = 64 << 20

// A lane is one direction of a Pipe: the path, the packets in flight, and the
// inbox of the end that reads. Nothing moves by itself: settle, called with
// the present time by reader and writer, brings the lane up to date.
type lane struct {
	up       bool
	observer *observer
	wake     chan struct{} // holds a token when the earliest arrival may have changed

	mu       sync.Mutex
	path     *Path
	flight   schedule[[]byte] // not yet arrived
	inFlight int              // bytes
	inbox    fifo             // arrived, not yet read
	limit    int              // bytes in the inbox
	dropped  int64            // packets the inbox had no room for
	closed   bool             // nobody reads any more
	spare    [][]byte         // buffers to use again
}

func newLane(d Direction, up bool, o *observer) *lane {
	l := &lane{up: up, observer: o, wake: make(chan struct{}, 1), path: NewPath(d), limit: defaultInbox}
	l.path.Begin(time.Now())
	return l
}

// send hands the datagram b to the path. It does not keep b.
func (l *lane) send(b []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	e := l.path.send(time.Now(), len(b))
	e.Up, e.Data = l.up, b
	l.observer.see(e)
	if e.Verdict == Delivered {
		l.launch(e.Deliver, b)
	}
	if !e.Duplicate.IsZero() {
		l.launch(e.Duplicate, b)
	}
	l.settle(e.At)
}

func (l *lane) launch(at time.Time, b []byte) {
	if l.closed || l.inFlight+len(b) > maxFlight {
		l.dropped++
		return
	}
	first := l.flight.len() == 0 || at.Before(l.flight.next())
	l.flight.push(at, append(l.buffer(len(b)), b...))
	l.inFlight += len(b)
	if first {
		signal(l.wake)
	}
}

// settle moves what has arrived by now into the inbox, as far as it has room.
func (l *lane) settle(now time.Time) {
	for {
		b, _, ok := l.flight.pop(now)
		if !ok {
			return
		}
		l.inFlight -= len(b)
		if l.inbox.bytes+len(b) > l.limit {
			l.dropped++
			l.recycle(b)
			continue
		}
		l.inbox.push(b)
	}
}

// receive copies the oldest datagram that has arrived by now into b, cutting
// off what does not fit. Without one it returns when the next arrives, zero
// for none in flight.
func (l *lane) receive(b []byte, now time.Time) (n int, next time.Time, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.settle(now)
	data, ok := l.inbox.pop()
	if !ok {
		return 0, l.flight.next(), false
	}
	n = copy(b, data)
	l.recycle(data)
	return n, time.Time{}, true
}

// close drops what is on its way and all that will come.
func (l *lane) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.settle(time.Now())
	l.dropped += int64(l.flight.len() + l.inbox.len())
	l.closed, l.flight, l.inFlight, l.inbox, l.spare = true, schedule[[]byte]{}, 0, fifo{}, nil
}

// maxSpare bounds the buffers that are kept for later packets.
const maxSpare = 1024

func (l *lane) recycle(b []byte) {
	if len(l.spare) < maxSpare {
		l.spare = append(l.spare, b[:0])
	}
}

// buffer returns an empty slice with room for n bytes, or more as append will.
func (l *lane) buffer(n int) []byte {
	if last := len(l.spare) - 1; last >= 0 {
		b := l.spare[last]
		l.spare = l.spare[:last]
		return b
	}
	return make([]byte, 0, max(n, 2048))
}

// signal leaves a token in c unless one lies there already.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// An observer passes events on one at a time.
type observer struct {
	mu sync.Mutex
	f  func(Event) // nil = nobody looks
}

func (o *observer) see(e Event) {
	if o.f == nil {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.f(e)
}

// A fifo is a queue of datagrams in a slice whose front is reused.
type fifo struct {
	items [][]byte
	head  int
	bytes int
}

func (q *fifo) len() int { return len(q.items) - q.head }

func (q *fifo) push(b []byte) {
	if len(q.items) == cap(q.items) && q.head > len(q.items)/2 {
		n := copy(q.items, q.items[q.head:])
		clear(q.items[n:])
		q.items, q.head = q.items[:n], 0
	}
	q.items = append(q.items, b)
	q.bytes += len(b)
}

func (q *fifo) pop() ([]byte, bool) {
	if q.head == len(q.items) {
		return nil, false
	}
	b := q.items[q.head]
	q.items[q.head] = nil
	q.bytes -= len(b)
	if q.head++; q.head == len(q.items) {
		q.items, q.head = q.items[:0], 0
	}
	return b, true
}
