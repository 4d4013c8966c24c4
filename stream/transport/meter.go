package transport

import (
	"sync"
	"time"
)

// A Span is the part of a stream in one QUIC packet.
type Span struct {
	Stream, Offset, Length int64 // stream id; bytes
}

// A Range is a range of packet numbers, both ends included.
type Range struct{ Smallest, Largest int64 }

// A Meter counts what a QUIC connection sends, from the events of its tracer:
// stream data sent and sent again, and whether all of it has been acknowledged.
// It knows only packets of the application space (1-RTT). The zero value is
// ready; its methods may be called from several goroutines and never block.
type Meter struct {
	mu        sync.Mutex
	end       map[int64]int64 // bytes sent of each stream, from its beginning
	flight    map[int64]int64 // stream bytes of packets that are neither acknowledged nor lost
	low, next int64           // packet numbers below low are settled, those from next not sent
	lost      int64           // stream bytes lost and not yet sent again
	progress  time.Time
	total     MeterStats
	heard     bool
}

// MeterStats is what a Meter has counted.
type MeterStats struct {
	StreamBytes   int64 // stream data sent, repeats included
	Retransmitted int64 // stream data sent again
	Datagrams     int64 // DATAGRAM frames sent
	QueueDrops    int64 // datagrams dropped at the connection's receive queue
	Discarded     int64 // packets that arrived and were not used
	Overflowed    int64 // packets that arrived and found the connection's queue of 256 full
	SendDrops     int64 // datagrams dropped unsent because they fitted no packet
}

// Sent notes packet pn with its stream data and its number of datagrams.
func (m *Meter) Sent(pn int64, spans []Span, datagrams int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.total.Datagrams += int64(datagrams)
	if m.end == nil {
		m.end, m.flight = map[int64]int64{}, map[int64]int64{}
	}
	var length int64
	for _, s := range spans {
		old, now := m.end[s.Stream], s.Offset+s.Length
		again := max(0, min(now, old)-s.Offset)
		length += s.Length
		m.total.Retransmitted += again
		m.lost = max(0, m.lost-again)
		m.end[s.Stream] = max(old, now)
	}
	m.total.StreamBytes += length
	if len(spans) > 0 {
		m.flight[pn] = length
	}
	m.next = max(m.next, pn+1)
}

// Lost notes that the connection has given up packet pn and will repeat its
// stream data in another one.
func (m *Meter) Lost(pn int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.lost += m.flight[pn]
	delete(m.flight, pn)
	m.settle()
}

// Acked notes an acknowledgement that arrived at the moment at.
func (m *Meter) Acked(at time.Time, ranges ...Range) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, r := range ranges {
		// Ranges may reach back to the first packet: skip what is settled.
		for pn := max(r.Smallest, m.low); pn <= min(r.Largest, m.next-1); pn++ {
			if _, ok := m.flight[pn]; ok {
				delete(m.flight, pn)
				m.progress = at
			}
		}
	}
	m.settle()
}

func (m *Meter) settle() {
	for m.low < m.next {
		if _, ok := m.flight[m.low]; ok {
			return
		}
		m.low++
	}
}

// Settled reports whether all stream data sent so far has been acknowledged,
// and when the last acknowledgement of some came.
func (m *Meter) Settled() (all bool, progress time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.flight) == 0 && m.lost == 0, m.progress
}

// Hear notes that a packet of the peer has arrived.
func (m *Meter) Hear() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.heard = true
}

// Heard reports whether any packet of the peer has arrived.
func (m *Meter) Heard() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.heard
}

// Dropped notes a datagram that the connection dropped, at its receive queue or
// before sending it.
func (m *Meter) Dropped(receiving bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if receiving {
		m.total.QueueDrops++
	} else {
		m.total.SendDrops++
	}
}

// Discarded notes a packet that arrived and was not used. quic-go does that to
// what arrives more than about a round trip late: it has forgotten that number
// by then and takes the packet for a duplicate.
func (m *Meter) Discarded() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.total.Discarded++
}

// Overflowed notes a packet that arrived faster than the connection took them.
func (m *Meter) Overflowed() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.total.Overflowed++
}

// Stats returns the counts so far.
func (m *Meter) Stats() MeterStats {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.total
}
