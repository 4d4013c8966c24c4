// Package link emulates a network path: a bottleneck with a finite buffer,
// propagation delay, jitter, random loss, reordering and duplication.
//
// The model, Path, is a pure function of time: it reads no clock, starts no
// goroutine and does no I/O, so that its tests are tables. Two drivers put it
// under programs: Pipe joins two conns in memory, in real time or in a
// testing/synctest bubble, and Relay stands between unmodified UDP peers.
package link

import "time"

// A Path holds the state of one direction. It is not safe for concurrent use.
//
// A packet passes, in this order: the MTU; the bottleneck's buffer, which
// drops at the tail, counts the packet in service and takes any packet while
// it is empty; serialisation; loss, so that lost packets still used the
// capacity; delay and jitter, which keep the order; reordering; duplication.
type Path struct {
	direction Direction
	overhead  int
	neck      bottleneck
	medium    medium

	begun bool
	epoch time.Time // time 0 of the fields below
	now   int64     // latest time seen, ns
	last  int64     // latest delivery in order, ns
	copy  time.Time // delivery of the last packet's copy; zero = none
	stats Stats
}

// NewPath returns an empty path. What Direction.Check refuses has no meaning.
func NewPath(d Direction) *Path {
	return &Path{direction: d, overhead: d.overhead(), neck: newBottleneck(d), medium: newMedium(d)}
}

// Begin fixes the moment at which a Trace begins; without it that is the
// first packet's. It does nothing once the path has begun.
func (p *Path) Begin(now time.Time) {
	if !p.begun {
		p.begun, p.epoch = true, now
	}
}

// Send hands a packet of size bytes to the path at time now and reports when
// it leaves the far end; the time is zero unless the verdict is Delivered.
// A now earlier than a former one counts as the former. It never allocates
// once the queue has had its greatest length.
func (p *Path) Send(now time.Time, size int) (at time.Time, v Verdict) {
	p.Begin(now)
	p.now = max(p.now, int64(now.Sub(p.epoch)))
	p.copy = time.Time{}
	wire := max(size, 0) + p.overhead
	ns, f, v := p.decide(wire)
	p.stats.count(v, int64(wire))
	if v != Delivered {
		return time.Time{}, v
	}
	if f.held {
		p.stats.Reordered++
	}
	if f.duplicate {
		p.stats.Duplicated++
		p.copy = p.time(ns + int64(p.direction.Duplicate.Delay))
	}
	return p.time(ns), v
}

// decide passes a packet of wire bytes through all stages. The chances are
// drawn first, for dropped packets too: packet n has a fate of its own.
func (p *Path) decide(wire int) (at int64, f fate, v Verdict) {
	f = p.medium.draw()
	if wire > maxPacket || (p.direction.MTU > 0 && wire > p.direction.MTU) {
		return 0, f, TooBig
	}
	dep, ok := p.neck.admit(p.now, wire)
	if !ok {
		return 0, f, DroppedQueue
	}
	p.stats.MaxQueue = max(p.stats.MaxQueue, p.neck.waiting.bytes)
	p.stats.MaxWait = max(p.stats.MaxWait, time.Duration(dep-p.now))
	p.stats.TotalWait += time.Duration(dep - p.now)
	at = p.propagate(dep, f)
	if f.lost {
		return 0, f, LostRandom
	}
	return at, f, Delivered
}

// propagate adds delay and jitter in order; a packet that is held back lets
// later ones pass. Lost packets pass too, so that loss moves no other packet.
func (p *Path) propagate(dep int64, f fate) int64 {
	at := max(dep, dep+int64(p.direction.Delay)+f.jitter, p.last)
	if f.held {
		return at + int64(p.direction.Reorder.Delay)
	}
	p.last = at
	return at
}

func (p *Path) time(ns int64) time.Time { return p.epoch.Add(time.Duration(ns)) }

// Duplicate reports when a copy of the packet last sent leaves the far end,
// and whether there is one.
func (p *Path) Duplicate() (at time.Time, ok bool) { return p.copy, !p.copy.IsZero() }

// Queue returns the bytes in the bottleneck, the packet in service included,
// right after the last Send.
func (p *Path) Queue() int { return p.neck.waiting.bytes }

// Stats returns what the path has done so far.
func (p *Path) Stats() Stats { return p.stats }

// send is Send told as an Event without its data.
func (p *Path) send(now time.Time, size int) Event {
	at, v := p.Send(now, size)
	return Event{At: p.time(p.now), Size: size, Verdict: v, Deliver: at, Duplicate: p.copy, Queue: p.Queue()}
}
