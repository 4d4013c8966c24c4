package rquic

import (
	"testing"

	"github.com/vqeval/vqeval/stream/transport"
)

func BenchmarkCubicAcked(b *testing.B) {
	b.ReportAllocs()
	c := newCubic(AdaptiveCubic, FixedE, AdaptiveLoss)
	for i := 0; b.Loop(); i++ {
		c.acked(float64(i)*.1, rtts{100, 101, 100}, i%100 == 0, true)
	}
}

// BenchmarkTracker: one packet sent and acknowledged with 300 in flight, over
// 32 ranges of acknowledged packets.
func BenchmarkTracker(b *testing.B) {
	b.ReportAllocs()
	tr := newTracker()
	ranges := make([]transport.Range, 32)
	for pn := int64(0); b.Loop(); pn++ {
		submit(tr, 0, uint16(pn%1000))
		tr.sent(pn, 1250, nil, []int{1000 + int(pn%1000)})
		if pn < 300 {
			continue
		}
		for i := range ranges {
			last := pn - 300 - int64(100*i)
			ranges[i] = transport.Range{Smallest: last - 99, Largest: last}
		}
		tr.ackedRanges(now(), ranges)
	}
}
