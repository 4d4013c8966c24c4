package rquic

import "time"

// stalled is how long no stream data may leave before lost stream data no
// longer shuts the gate: the stream may have been reset.
const stalled = time.Second

// submit announces a datagram that is about to be given to QUIC.
func (t *tracker) submit(it item) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.fifo = append(t.fifo, it)
	for len(t.tallies) <= it.unit {
		t.tallies = append(t.tallies, tally{})
	}
}

// writing announces n bytes that are about to be written to the control stream.
func (t *tracker) writing(stream int64, n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.control = stream
	t.written += int64(n)
}

// open says whether a datagram may be given to QUIC, which packs them before
// all stream data: with fewer than limit inside, and when neither lost stream
// data nor control records wait. If not, look again when wake has a token, or
// after recheck if that is not zero.
func (t *tracker) open(now time.Time, limit int) (open bool, recheck time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.lost > 0 {
		recheck = stalled - now.Sub(t.lastData)
		if recheck <= 0 {
			t.lost, recheck = 0, 0
		}
	}
	return len(t.fifo) < limit && t.lost == 0 && (t.control < 0 || t.streamEnd[t.control] >= t.written), recheck
}
