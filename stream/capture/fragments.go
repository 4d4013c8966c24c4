package capture

import (
	"net/netip"
	"slices"
	"time"
)

const (
	maxPartial = 64 // datagrams that wait for fragments; the oldest goes when one more comes

	// reassemblyTime is how long, in capture time, a datagram waits for its
	// fragments: RFC 8200 section 4.5 says 60 s, Linux waits 30 s.
	reassemblyTime = 30 * time.Second
)

// A defrag puts IP fragments together. It holds at most maxPartial datagrams
// of 64 KiB. The zero defrag is empty.
type defrag struct {
	parts []*partial // oldest first
}

// A partial is a datagram of which fragments are missing.
type partial struct {
	key    fragmentKey
	since  time.Time
	pieces []piece // by offset, without overlap
	size   int     // bytes of the whole, -1 until the last fragment came
	held   int     // bytes in pieces
}

type fragmentKey struct {
	src, dst netip.Addr
	id       uint32
}

type piece struct {
	offset int
	data   []byte
}

// add takes a fragment that arrived at at. It returns the whole packet when
// this one completed it, and how many others were given up.
func (d *defrag) add(p ipPacket, at time.Time) (whole ipPacket, evicted int, ok bool) {
	d.parts = slices.DeleteFunc(d.parts, func(q *partial) bool {
		old := at.Sub(q.since) > reassemblyTime
		if old {
			evicted++
		}
		return old
	})
	key := fragmentKey{p.src, p.dst, p.id}
	i := slices.IndexFunc(d.parts, func(q *partial) bool { return q.key == key })
	if i < 0 {
		if len(d.parts) == maxPartial {
			d.parts = slices.Delete(d.parts, 0, 1)
			evicted++
		}
		d.parts = append(d.parts, &partial{key: key, since: at, size: -1})
		i = len(d.parts) - 1
	}
	q := d.parts[i]
	q.insert(p)
	if q.held != q.size {
		return ipPacket{}, evicted, false
	}
	d.parts = slices.Delete(d.parts, i, i+1)
	p.payload, p.fragment, p.offset, p.more = q.join(), false, 0, false
	return p, evicted, true
}

// insert adds a fragment. One that overlaps what is there is a copy or an
// attack: the first to come is kept (RFC 5722 wants both dropped; for a
// measurement a copy is harmless).
func (q *partial) insert(p ipPacket) {
	end := p.offset + len(p.payload)
	if end > maxDatagram || len(p.payload) == 0 || p.more && len(p.payload)%8 != 0 {
		return
	}
	if q.size >= 0 && (end > q.size || !p.more && end != q.size) {
		return
	}
	i, _ := slices.BinarySearchFunc(q.pieces, p.offset, func(x piece, at int) int { return x.offset - at })
	if i > 0 && q.pieces[i-1].offset+len(q.pieces[i-1].data) > p.offset {
		return
	}
	if i < len(q.pieces) && end > q.pieces[i].offset {
		return
	}
	if !p.more {
		if i < len(q.pieces) {
			return // ends before something that is already there
		}
		q.size = end
	}
	q.pieces = slices.Insert(q.pieces, i, piece{p.offset, p.payload})
	q.held += len(p.payload)
}

func (q *partial) join() []byte {
	b := make([]byte, 0, q.size)
	for _, p := range q.pieces {
		b = append(b, p.data...)
	}
	return b
}

// pending returns how many datagrams wait for fragments.
func (d *defrag) pending() int { return len(d.parts) }
