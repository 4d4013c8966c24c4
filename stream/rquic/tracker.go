package rquic

import (
	"sync"
	"time"

	"github.com/vqeval/vqeval/stream/transport"
)

// An item is one packet of the media on its way as a datagram.
type item struct {
	unit int // index of its access unit
	seq  uint16
	size int // of the datagram, bytes
}

// A tally counts what became of an access unit's datagrams.
type tally struct {
	acked, lost int // lost: declared and not found since
	given       int // that QUIC gave up before sending
}

// flying is a packet of QUIC that is not acknowledged, or that may still turn
// out not to be lost.
type flying struct {
	pn     int64
	size   int // bytes
	items  []item
	stream int64 // bytes of stream data
	sentAt time.Time
	acked  bool
	lostAt time.Time // zero: not lost
}

// settled says whether it is known what became of f.
func (f *flying) settled() bool { return f.acked || !f.lostAt.IsZero() }

// A tracker follows what the connection does with datagrams and stream data,
// from its events. Its methods never block; all but the event methods may be
// called from several goroutines.
//
// Datagrams are known by their order: the connection sends them first in,
// first out, and one that it gave up is found missing by the next one's size.
type tracker struct {
	meter  transport.Meter // stream data and what was heard
	wake   chan struct{}   // cap 1: the gate may have opened
	losses chan struct{}   // cap 1: there are losses to tell

	mu        sync.Mutex
	fifo      []item // given to QUIC and not in a packet yet
	flight    []flying
	inFlight  int             // bytes of flight, less what is acknowledged or lost
	tallies   []tally         // by unit
	streamEnd map[int64]int64 // bytes sent of each stream
	lost      int64           // stream bytes lost and not sent again
	lastData  time.Time       // stream data left, or was declared lost
	control   int64           // stream of control records, -1 = none
	written   int64           // bytes written to it
	untold    []uint16        // sequence numbers lost since the last takeLost
	largest   int64           // largest packet number acknowledged, -1 = none
	progress  time.Time       // last acknowledgement of something new
	spurious  int64           // datagrams declared lost and then acknowledged
	metrics   metrics
}

// metrics is what the connection last said about itself.
type metrics struct {
	smoothed, latest, min, deviation time.Duration
	window                           int // bytes
}

func newTracker() *tracker {
	return &tracker{wake: make(chan struct{}, 1), losses: make(chan struct{}, 1), streamEnd: map[int64]int64{}, control: -1, largest: -1}
}

// signal leaves a token in c, a channel of capacity 1.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// sent is the event of packet pn of size bytes with its stream data and its
// datagrams' sizes.
func (t *tracker) sent(pn int64, size int, spans []transport.Span, datagrams []int) {
	t.meter.Sent(pn, spans, len(datagrams))
	if len(spans) == 0 && len(datagrams) == 0 {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	f := flying{pn: pn, size: size, sentAt: time.Now()}
	t.inFlight += size
	for _, n := range datagrams {
		if it, ok := t.pop(n); ok {
			f.items = append(f.items, it)
		}
	}
	for _, s := range spans {
		f.stream += s.Length
		old := t.streamEnd[s.Stream]
		end := s.Offset + s.Length
		t.lost = max(0, t.lost-max(0, min(end, old)-s.Offset))
		t.streamEnd[s.Stream] = max(old, end)
		t.lastData = f.sentAt
	}
	t.flight = append(t.flight, f)
	signal(t.wake)
}

// pop takes the next datagram of that size from the fifo, and gives up those before it.
func (t *tracker) pop(size int) (item, bool) {
	for len(t.fifo) > 0 {
		it := t.fifo[0]
		t.fifo = t.fifo[1:]
		if it.size == size {
			return it, true
		}
		t.tallies[it.unit].given++
		t.meter.Dropped(false)
	}
	return item{}, false
}

// declaredLost is the event of packet pn being given up.
func (t *tracker) declaredLost(pn int64) {
	t.meter.Lost(pn)
	t.mu.Lock()
	defer t.mu.Unlock()
	for i := range t.flight {
		f := &t.flight[i]
		if f.pn != pn || f.settled() {
			continue
		}
		t.lose(f, time.Now())
		if f.stream > 0 {
			t.lost += f.stream
			t.lastData = f.lostAt
		}
	}
	signal(t.wake)
}

// lose books f as lost.
func (t *tracker) lose(f *flying, now time.Time) {
	f.lostAt = now
	t.inFlight -= f.size
	for _, it := range f.items {
		t.tallies[it.unit].lost++
		t.untold = append(t.untold, it.seq)
		signal(t.losses)
	}
}

// forsake books as lost what QUIC has silently given up: the packets that it
// repeats after a probe timeout, of which no event tells. By the time given
// here it would have declared any other lost (RFC 9002 6.1.2: 9/8 of a round
// trip, once a later packet is acknowledged).
func (t *tracker) forsake(now time.Time) {
	patience := 2*max(t.metrics.smoothed, t.metrics.latest) + 50*time.Millisecond
	for i := range t.flight {
		f := &t.flight[i]
		if f.pn >= t.largest || now.Sub(f.sentAt) <= patience {
			return
		}
		if !f.settled() {
			t.lose(f, now)
		}
	}
}

// ackedRanges is the event of an acknowledgement, with the highest range first.
// The ranges may reach back to the first packet, so the packets in flight are
// looked up in them.
func (t *tracker) ackedRanges(now time.Time, ranges []transport.Range) {
	t.meter.Acked(now, ranges...)
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(ranges) - 1
	if n >= 0 {
		t.largest = max(t.largest, ranges[0].Largest)
	}
	for i := range t.flight {
		f := &t.flight[i]
		for n >= 0 && ranges[n].Largest < f.pn {
			n--
		}
		if n < 0 {
			break
		}
		if f.acked || f.pn < ranges[n].Smallest {
			continue
		}
		f.acked, t.progress = true, now
		if f.lostAt.IsZero() {
			t.inFlight -= f.size
		}
		for _, it := range f.items {
			n := &t.tallies[it.unit]
			n.acked++
			if !f.lostAt.IsZero() {
				n.lost--
				t.spurious++
			}
		}
	}
	t.forsake(now)
	t.purge(now)
	signal(t.wake)
}

// purge forgets the oldest packets that are acknowledged, or lost for so long
// that QUIC itself has forgotten them: three probe timeouts, RFC 9002 6.2.1.
func (t *tracker) purge(now time.Time) {
	pto := t.metrics.smoothed + max(4*t.metrics.deviation, time.Millisecond) + 25*time.Millisecond
	n := 0
	for n < len(t.flight) && (t.flight[n].acked || !t.flight[n].lostAt.IsZero() && now.Sub(t.flight[n].lostAt) > 3*pto) {
		n++
	}
	t.flight = t.flight[n:]
}

// measured is the event of new metrics; what has not changed is zero in it.
func (t *tracker) measured(m metrics) {
	t.mu.Lock()
	defer t.mu.Unlock()
	old := t.metrics
	t.metrics = metrics{
		or(m.smoothed, old.smoothed), or(m.latest, old.latest), or(m.min, old.min), or(m.deviation, old.deviation),
		or(m.window, old.window),
	}
}
