package rquic

import "time"

// takeLost returns the sequence numbers lost since the last call, as ranges.
func (t *tracker) takeLost() []seqRange {
	t.mu.Lock()
	lost := t.untold
	t.untold = nil
	t.mu.Unlock()
	var ranges []seqRange
	for _, seq := range lost {
		if n := len(ranges); n > 0 && ranges[n-1].first+ranges[n-1].count == seq {
			ranges[n-1].count++
		} else {
			ranges = append(ranges, seqRange{seq, 1})
		}
	}
	return ranges
}

// unresolved counts the datagrams that are neither acknowledged nor lost.
func (t *tracker) unresolved(now time.Time) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.forsake(now)
	n := len(t.fifo)
	for _, f := range t.flight {
		if !f.settled() {
			n += len(f.items)
		}
	}
	return n
}

// delivered says whether all stream data has been acknowledged.
func (t *tracker) delivered() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.forsake(time.Now())
	for _, f := range t.flight {
		if f.stream > 0 && !f.settled() {
			return false
		}
	}
	return t.lost == 0
}

// tally returns what became of unit's datagrams.
func (t *tracker) tally(unit int) tally {
	t.mu.Lock()
	defer t.mu.Unlock()
	if unit < len(t.tallies) {
		return t.tallies[unit]
	}
	return tally{}
}

// lastProgress returns when something new was last acknowledged.
func (t *tracker) lastProgress() time.Time {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.progress
}

// trackerState is what a Sample shows of a tracker.
type trackerState struct {
	metrics
	inFlight   int   // bytes
	queued     int   // datagrams inside QUIC and not in a packet
	lostStream int64 // bytes that wait to be sent again
	spurious   int64
}

func (t *tracker) state() trackerState {
	t.mu.Lock()
	defer t.mu.Unlock()
	return trackerState{t.metrics, t.inFlight, len(t.fifo), t.lost, t.spurious}
}
