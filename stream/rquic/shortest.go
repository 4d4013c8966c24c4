package rquic

import "time"

// shortest is the smallest round trip of full packets. A short packet, such as
// one with a control record alone, crosses a slow link faster than a full one
// ever can; measured against its round trip, DIFF would take a full packet's own
// time of transmission for a queue. Times are durations on any one clock.
type shortest struct {
	flight []departure // full packets, in the order of their numbers
	min    time.Duration
}

type departure struct {
	pn int64
	at time.Duration
}

// sent takes packet pn of n bytes, full those of a full packet.
func (s *shortest) sent(pn int64, at time.Duration, n, full float64) {
	if n >= nearlyFull*full {
		s.flight = append(s.flight, departure{pn, at})
	}
}

// acked takes the acknowledgement of packet pn. What was sent before it and is
// acknowledged later gives no sample.
func (s *shortest) acked(pn int64, at time.Duration) {
	n := 0
	for n < len(s.flight) && s.flight[n].pn < pn {
		n++
	}
	if n < len(s.flight) && s.flight[n].pn == pn {
		if rtt := at - s.flight[n].at; s.min == 0 || rtt < s.min {
			s.min = rtt
		}
		n++
	}
	s.flight = s.flight[n:]
}
