package stream

import (
	"math"
	"time"
)

// stalled is the part of the media's rate below which a second is a stall.
const stalled = 0.1

// Goodput returns how many bits per second of RTP, headers included and copies
// left out, arrived in each second. Seconds count from the moment at which the
// first picture would arrive on the fastest way; they go on for span, or until
// the last packet if that is later. A rest of less than a second is left out,
// unless it is all there is.
func (r *Recording) Goodput(span time.Duration) []float64 {
	begin, end := r.base, r.base.Add(span)
	for _, u := range r.units {
		if u.Last.After(end) {
			end = u.Last
		}
	}
	length := end.Sub(begin)
	rates := make([]float64, max(1, int(length/time.Second)))
	for i, p := range r.packets {
		if p.unit < 0 || p.copy {
			continue
		}
		at := r.records[i].At
		if second := int(at.Sub(begin) / time.Second); !at.Before(begin) && second < len(rates) {
			rates[second] += 8 * float64(len(r.records[i].Packet))
		}
	}
	if length > 0 && length < time.Second {
		rates[0] /= length.Seconds()
	}
	return rates
}

// MeanGoodput returns the bits per second of RTP that arrived between the
// moment at which the first picture would arrive and the last packet.
func (r *Recording) MeanGoodput() float64 {
	bits, last := 0.0, r.base
	for i, p := range r.packets {
		if p.unit < 0 || p.copy || r.records[i].At.Before(r.base) {
			continue
		}
		bits += 8 * float64(len(r.records[i].Packet))
		if at := r.records[i].At; at.After(last) {
			last = at
		}
	}
	if !last.After(r.base) {
		return 0
	}
	return bits / last.Sub(r.base).Seconds()
}

// Variation returns the coefficient of variation of a series: its population
// standard deviation divided by its mean, and 0 where the mean is 0.
func Variation(series []float64) float64 {
	mean := 0.0
	for _, x := range series {
		mean += x / float64(len(series))
	}
	if mean == 0 {
		return 0
	}
	variance := 0.0
	for _, x := range series {
		variance += (x - mean) * (x - mean) / float64(len(series))
	}
	return math.Sqrt(variance) / mean
}

// Stalls returns how many seconds of a series stay below a tenth of the media's
// mean rate, in bits per second.
func Stalls(series []float64, mediaRate float64) int {
	n := 0
	for _, x := range series {
		if x < stalled*mediaRate {
			n++
		}
	}
	return n
}
