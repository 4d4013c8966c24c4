package link

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestHistogram(t *testing.T) {
	var h histogram
	for i := range 1000 {
		h.add(time.Duration(i) * time.Microsecond)
	}
	h.add(-1)
	got := h.lateness()
	for _, q := range []struct {
		name      string
		got, want time.Duration
	}{
		{"p50", got.P50, 499 * time.Microsecond}, {"p90", got.P90, 899 * time.Microsecond}, {"p99", got.P99, 989 * time.Microsecond},
	} {
		if q.got < q.want || q.got > q.want+q.want/steps+1 {
			t.Errorf("%s: got %v, want %v and at most 1/16 more", q.name, q.got, q.want)
		}
	}
	if got.Packets != 1001 || got.Max != 999*time.Microsecond || got.Excessive() {
		t.Errorf("got %+v", got)
	}
	for range 20 {
		h.add(2 * ms)
	}
	if got := h.lateness(); !got.Excessive() || got.P99 != 2*ms {
		t.Errorf("got %+v, want it to be excessive", got)
	}
	if got := new(histogram).lateness(); got != (Lateness{}) {
		t.Errorf("empty: got %+v", got)
	}
}

func TestBuckets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := time.Duration(rapid.Int64Range(0, 1<<63-1).Draw(t, "d"))
		i := bucket(d)
		if i >= buckets || d > edge(i) || (i > 0 && d <= edge(i-1)) {
			t.Errorf("%d is in bucket %d, which ends at %d", d, i, edge(i))
		}
	})
}
