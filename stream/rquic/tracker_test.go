package rquic

import (
	"reflect"
	"testing"
	"time"

	"github.com/vqeval/vqeval/stream/transport"
)

// now is a fixed moment.
func now() time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) }

func submit(t *tracker, unit int, seqs ...uint16) {
	for _, s := range seqs {
		t.submit(item{unit: unit, seq: s, size: 1000 + int(s)})
	}
}

func TestTrackerDatagrams(t *testing.T) {
	tr := newTracker()
	submit(tr, 0, 10, 11)
	submit(tr, 1, 12, 13, 14, 15)
	tr.sent(1, 1250, nil, []int{1010})
	tr.sent(2, 1250, nil, []int{1011, 1012})
	tr.sent(3, 1250, nil, []int{1013})
	tr.sent(4, 1250, nil, []int{1015}) // QUIC gave 14 up
	tr.sent(5, 40, nil, nil)           // an acknowledgement
	if n := tr.unresolved(time.Now()); n != 5 {
		t.Errorf("%d datagrams are unresolved, want 5", n)
	}
	tr.ackedRanges(now(), []transport.Range{{Smallest: 1, Largest: 1}})
	tr.declaredLost(2)
	tr.declaredLost(2)
	tr.declaredLost(3)
	tr.declaredLost(77)
	if got, want := tr.takeLost(), []seqRange{{11, 3}}; !reflect.DeepEqual(got, want) {
		t.Errorf("losses %v, want %v", got, want)
	}
	tr.ackedRanges(now(), []transport.Range{{Smallest: 3, Largest: 9}, {Smallest: 0, Largest: 1}}) // 3 only came late
	if got := tr.takeLost(); got != nil {
		t.Errorf("losses again: %v", got)
	}
	if a, b := tr.tally(0), tr.tally(1); a != (tally{acked: 1, lost: 1}) || b != (tally{acked: 2, lost: 1, given: 1}) {
		t.Errorf("tallies %+v, %+v", a, b)
	}
	st := tr.state()
	if tr.unresolved(time.Now()) != 0 || st.inFlight != 0 || st.spurious != 1 || !tr.lastProgress().Equal(now()) {
		t.Errorf("unresolved %d, state %+v", tr.unresolved(time.Now()), st)
	}
	if tr.tally(9) != (tally{}) {
		t.Error("a unit that was never sent has a tally")
	}
	tr.sent(6, 1250, nil, []int{5}) // not ours
	tr.sent(7, 1250, nil, []int{1013})
}

// TestForsaken: of a packet that QUIC repeats after a probe timeout no event
// tells. It is lost once a later one was acknowledged and two round trips are over.
func TestForsaken(t *testing.T) {
	tr := newTracker()
	tr.measured(metrics{smoothed: 100 * time.Millisecond, latest: 120 * time.Millisecond})
	submit(tr, 0, 1, 2)
	tr.sent(1, 1000, []transport.Span{{Stream: 2, Length: 30}}, []int{1001})
	tr.sent(2, 1000, nil, []int{1002})
	if n := tr.unresolved(time.Now().Add(time.Minute)); n != 2 {
		t.Errorf("%d datagrams are unresolved, want 2: no later packet is acknowledged", n)
	}
	tr.ackedRanges(time.Now(), []transport.Range{{Smallest: 2, Largest: 2}})
	if n := tr.unresolved(time.Now().Add(200 * time.Millisecond)); n != 1 || tr.delivered() {
		t.Errorf("%d datagrams are unresolved, want 1: it may be under way; delivered %v", n, tr.delivered())
	}
	if n := tr.unresolved(time.Now().Add(400 * time.Millisecond)); n != 0 || !tr.delivered() || tr.tally(0) != (tally{acked: 1, lost: 1}) {
		t.Errorf("%d datagrams are unresolved, %+v", n, tr.tally(0))
	}
	if got := tr.takeLost(); len(got) != 1 || got[0] != (seqRange{1, 1}) {
		t.Errorf("losses %v", got)
	}
}

func TestTrackerPurge(t *testing.T) {
	tr := newTracker()
	for pn := range int64(4) {
		submit(tr, 0, uint16(pn))
		tr.sent(pn, 1000, nil, []int{1000 + int(pn)})
	}
	tr.declaredLost(0)
	tr.ackedRanges(time.Now(), []transport.Range{{Smallest: 1, Largest: 2}})
	if len(tr.flight) != 4 {
		t.Errorf("%d packets kept, want all: the first may still come", len(tr.flight))
	}
	tr.ackedRanges(time.Now().Add(time.Minute), []transport.Range{{Smallest: 1, Largest: 2}})
	if len(tr.flight) != 1 || tr.flight[0].pn != 3 {
		t.Errorf("kept %+v, want packet 3", tr.flight)
	}
}

func TestGate(t *testing.T) {
	tr := newTracker()
	open := func(at time.Time, limit int, want bool) {
		t.Helper()
		if got, recheck := tr.open(at, limit); got != want || recheck < 0 || recheck > stalled {
			t.Errorf("open %v, recheck %v; want %v", got, recheck, want)
		}
	}
	span := func(offset, n int64) []transport.Span {
		return []transport.Span{{Stream: 2, Offset: offset, Length: n}}
	}
	open(now(), 1, true)
	submit(tr, 0, 1, 2)
	open(now(), 2, false)
	open(now(), 3, true)
	tr.sent(1, 1250, nil, []int{1001})
	open(now(), 2, true)

	tr.writing(2, 100) // control records wait
	open(now(), 2, false)
	tr.sent(2, 200, span(0, 60), nil)
	open(now(), 2, false)
	tr.sent(3, 200, span(60, 40), nil)
	open(now(), 2, true)

	tr.declaredLost(2)
	open(time.Now(), 2, false)
	tr.sent(4, 200, span(0, 60), nil)
	open(time.Now(), 2, true)

	tr.declaredLost(3) // and its stream is reset
	open(time.Now(), 2, false)
	open(time.Now().Add(stalled), 2, true)
	if st := tr.state(); st.lostStream != 0 {
		t.Errorf("state %+v", st)
	}
}

func TestMetrics(t *testing.T) {
	tr := newTracker()
	tr.measured(metrics{smoothed: 5, latest: 6, min: 4, deviation: 1, window: 1000})
	tr.measured(metrics{latest: 7})
	if got, want := tr.state().metrics, (metrics{5, 7, 4, 1, 1000}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
