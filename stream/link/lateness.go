package link

import (
	"math/bits"
	"time"
)

// Lateness says how much later than the model asked for packets were sent: a
// loaded machine's share in the delays. Quantiles are exact to 1/16 upwards.
type Lateness struct {
	Packets int64         `json:"packets"`
	P50     time.Duration `json:"p50_ns"`
	P90     time.Duration `json:"p90_ns"`
	P99     time.Duration `json:"p99_ns"`
	Max     time.Duration `json:"max_ns"`
}

// Excessive reports whether one packet in a hundred was more than 1 ms late:
// a result measured through such an emulator tells about the emulator.
func (l Lateness) Excessive() bool { return l.P99 > time.Millisecond }

// Buckets of a histogram: below 16 ns one each, then 16 for every octave.
const (
	steps   = 16
	buckets = steps * 61
)

// A histogram counts durations in buckets that grow with them.
type histogram struct {
	count   [buckets]int64
	total   int64
	longest time.Duration
}

func (h *histogram) add(d time.Duration) {
	d = max(d, 0)
	h.count[bucket(d)]++
	h.total++
	h.longest = max(h.longest, d)
}

func bucket(d time.Duration) int {
	if d < steps {
		return int(d)
	}
	octave := bits.Len64(uint64(d)) - 5 // so that d>>octave is in [16, 32)
	return octave*steps + int(d>>octave)
}

// quantile returns the upper edge of the bucket that holds the q-th part.
func (h *histogram) quantile(q float64) time.Duration {
	rank, sum := int64(q*float64(h.total)), int64(0)
	for i, n := range h.count {
		if sum += n; sum > rank || sum == h.total {
			return min(h.longest, edge(i))
		}
	}
	return 0
}

// edge returns the longest duration that falls into bucket i.
func edge(i int) time.Duration {
	if i < 2*steps {
		return time.Duration(i)
	}
	octave := i/steps - 1
	return time.Duration(i-octave*steps+1)<<octave - 1
}

func (h *histogram) lateness() Lateness {
	return Lateness{Packets: h.total, P50: h.quantile(.5), P90: h.quantile(.9), P99: h.quantile(.99), Max: h.longest}
}
