package rquic

import (
	"context"
	"time"

	"github.com/vqeval/vqeval/stream/transport"
)

// run is the scheduler: it takes the units in the order of Send, so that none
// overtakes another at the sender, and ends the flow after the last one.
func (s *Sender) run() {
	defer close(s.drained)
	for {
		j, ok := s.backlog.pop(s.line.done())
		if !ok {
			break
		}
		s.carry(j)
	}
	if s.line.cause() == nil {
		s.end()
	}
}

// carry sends or drops one unit and tells the receiver which.
func (s *Sender) carry(j job) {
	taken := time.Since(s.start)
	if j.repeat && s.dropper.fresh(time.Since(j.captured)) {
		j = j.onStream(s.c.flow())
	}
	var status Status
	var sent int
	if j.reliable {
		status, sent = s.reliably(j)
	} else {
		status, sent = s.inDatagrams(j)
	}
	d := s.ledger.settle(j.index, outcome{status, sent, j.reliable}, taken, time.Since(s.start))
	s.mu.Lock()
	s.count.PacketsSent += int64(sent)
	s.count.BytesSent += j.bytes(sent)
	if status == StatusSent {
		s.count.UnitsSent++
	}
	s.mu.Unlock()
	if s.control != nil && status != StatusUnsent {
		s.control.put(auEnd{
			index: uint32(j.index), timestamp: d.Timestamp, firstSeq: d.FirstSeq, packets: uint16(d.Packets),
			sent: uint16(sent), status: status, reliable: j.reliable,
		}, j.ssrc)
	}
}

// reliably sends j on a stream of its own. It never drops it.
func (s *Sender) reliably(j job) (Status, int) {
	str, err := s.line.conn.OpenUniStreamSync(context.Background()) // ends with the connection
	if err != nil {
		return StatusUnsent, 0
	}
	n, err := str.Write(j.frame)
	if err != nil {
		return StatusUnsent, j.whole(n)
	}
	str.Close()
	return StatusSent, len(j.ends)
}

// inDatagrams sends j packet by packet, and none once it is too old.
func (s *Sender) inDatagrams(j job) (Status, int) {
	if !s.gate() {
		return StatusUnsent, 0
	}
	if status := s.dropper.decide(j.index, time.Since(j.captured)); status != StatusSent {
		return status, 0
	}
	for i := range j.ends {
		if !s.gate() {
			return StatusUnsent, i
		}
		if s.dropper.expired(time.Since(j.captured)) {
			return StatusCut, i
		}
		b := j.part(i)
		s.line.tracker.submit(item{unit: j.index, seq: j.seqs[i], size: len(b)})
		if err := s.line.conn.SendDatagram(b); err != nil {
			return StatusUnsent, i
		}
	}
	return StatusSent, len(j.ends)
}

// gate waits until a datagram may be given to QUIC; it returns false when the
// connection has ended.
func (s *Sender) gate() bool {
	for s.line.cause() == nil {
		open, recheck := s.line.tracker.open(time.Now(), s.c.gate())
		if open || s.c.Gate < 0 {
			return true
		}
		s.pause(recheck)
	}
	return false
}

// pause waits for news of the connection, for no longer than d unless d is zero.
func (s *Sender) pause(d time.Duration) {
	var again <-chan time.Time
	if d > 0 {
		timer := time.NewTimer(d)
		defer timer.Stop()
		again = timer.C
	}
	select {
	case <-s.line.tracker.wake:
	case <-again:
	case <-s.line.done():
	}
}

// end waits until it is known of every datagram whether it arrived, so that the
// receiver learns of all losses, and ends the flow.
func (s *Sender) end() {
	if s.control == nil {
		s.ending.Store(true)
		s.endMark()
		return
	}
	for s.line.tracker.unresolved(time.Now()) > 0 && s.line.cause() == nil {
		s.pause(s.line.rtt() + minPause)
	}
	s.ending.Store(true)
	s.control.finish(s.ledger.end())
}

// endMark opens an empty stream of the media's flow: the end for a plain receiver.
func (s *Sender) endMark() {
	str, err := s.line.conn.OpenUniStreamSync(context.Background())
	if err != nil {
		return
	}
	if _, err := str.Write(transport.AppendFlow(nil, s.c.flow())); err == nil {
		str.Close()
	}
}
