package link

import (
	"math/bits"
	"slices"
	"time"
)

// maxPacket is more than any packet has, bytes: what is larger is TooBig, so
// that no sum of the bottleneck overflows.
const maxPacket = 1 << 24

// A bottleneck sends one packet after the other and drops what finds its
// buffer full. Times are nanoseconds since the path began and never decrease.
type bottleneck struct {
	rate    int64   // bit/s; 0 = unlimited or opening
	opening *cursor // of a trace; nil = none
	limit   int     // bytes

	free    int64 // when the last packet will have been sent, rounded down
	rest    int64 // the remainder of free, in units of 1/rate ns
	waiting backlog
}

func newBottleneck(d Direction) bottleneck {
	b := bottleneck{rate: int64(d.Rate), limit: d.queue()}
	if d.Trace.Loaded() {
		b.rate, b.opening = 0, newCursor(d.Trace)
	}
	return b
}

// admit returns when the last bit of a packet of n bytes leaves, or ok ==
// false when the buffer has no room for it. An idle bottleneck takes any size.
func (b *bottleneck) admit(now int64, n int) (dep int64, ok bool) {
	if b.rate <= 0 && b.opening == nil {
		return now, true
	}
	b.waiting.drain(now)
	if b.waiting.bytes > 0 && b.waiting.bytes+n > b.limit {
		return 0, false
	}
	if b.opening != nil {
		dep = b.opening.send(now, n)
	} else {
		dep = b.serialise(now, n)
	}
	b.waiting.push(dep, n)
	return dep, true
}

// serialise appends n bytes to what the bottleneck has to send. The exact
// time is kept with its remainder, so that rounding never adds up.
func (b *bottleneck) serialise(now int64, n int) int64 {
	if now > b.free {
		b.free, b.rest = now, 0
	}
	whole, rest := airtime(int64(n), b.rest, b.rate)
	b.free, b.rest = b.free+whole, rest
	if rest > 0 {
		return b.free + 1
	}
	return b.free
}

// airtime returns how many ns n bytes take at rate, as a whole number and a
// remainder in units of 1/rate ns; rest is the remainder from before.
func airtime(n, rest, rate int64) (whole, remainder int64) {
	hi, lo := bits.Mul64(uint64(n)*8, uint64(time.Second))
	lo, carry := bits.Add64(lo, uint64(rest), 0)
	if hi += carry; hi >= uint64(rate) {
		return 1<<63 - 1, 0 // longer than an int64 can say
	}
	q, r := bits.Div64(hi, lo, uint64(rate))
	return int64(min(q, 1<<63-1)), int64(r)
}

// A backlog holds the packets that have not left yet, oldest first, in a ring
// that grows to the longest queue seen and allocates no more after that.
type backlog struct {
	ring  []departure
	head  int
	count int
	bytes int
}

type departure struct {
	at    int64
	bytes int
}

func (q *backlog) push(at int64, n int) {
	if q.count == len(q.ring) {
		grown := make([]departure, max(64, 2*len(q.ring)))
		copy(grown[copy(grown, q.ring[q.head:]):], q.ring[:q.head])
		q.ring, q.head = grown, 0
	}
	q.ring[(q.head+q.count)&(len(q.ring)-1)] = departure{at, n}
	q.count++
	q.bytes += n
}

// drain forgets the packets that have left by now.
func (q *backlog) drain(now int64) {
	for q.count > 0 && q.ring[q.head].at <= now {
		q.bytes -= q.ring[q.head].bytes
		q.head = (q.head + 1) & (len(q.ring) - 1)
		q.count--
	}
}

// A cursor walks through the opportunities of a trace.
type cursor struct {
	at   []time.Duration
	base int64 // when the current period began
	next int   // index of the current opportunity
	left int   // bytes it can still carry
}

func newCursor(t *Trace) *cursor { return &cursor{at: t.at, left: opportunity} }

func (c *cursor) time() int64   { return c.base + int64(c.at[c.next]) }
func (c *cursor) period() int64 { return int64(c.at[len(c.at)-1]) }

// send spends opportunities after now on n bytes and returns the last one's
// time. A packet may be cut over several, and several may share one.
func (c *cursor) send(now int64, n int) int64 {
	if c.time() <= now {
		c.skip(now)
	}
	for {
		if c.left == 0 {
			c.advance()
		}
		used := min(n, c.left)
		n -= used
		c.left -= used
		if n == 0 {
			return c.time()
		}
	}
}

func (c *cursor) advance() {
	c.left = opportunity
	if c.next++; c.next == len(c.at) {
		c.next = 0
		c.base += c.period()
	}
}

// skip moves to the first opportunity after now.
func (c *cursor) skip(now int64) {
	c.base += (now - c.base) / c.period() * c.period()
	c.next, _ = slices.BinarySearch(c.at, time.Duration(now-c.base+1))
	c.left = opportunity
	if c.next == len(c.at) {
		c.next = 0
		c.base += c.period()
	}
}
