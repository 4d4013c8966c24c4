package lab

import (
	"os"
	"testing"
	"time"

	"github.com/vqeval/vqeval/metrics"
	"github.com/vqeval/vqeval/stream/rquic"
)

// Over rQUIC the sender drops on purpose: that is booked, explained, and the
// sender's view of the path recorded.
func TestRQUIC(t *testing.T) {
	e := narrow(t)
	e.Transports = []Transport{
		{Name: "loose", Mode: "rquic", RQUIC: RQUIC{Reliable: rquic.NothingKept, Expire: Expiry(200 * time.Millisecond)}},
		{Name: "fast", Mode: "rquic", RQUIC: RQUIC{Reliable: rquic.AllKept, CC: rquic.Reno}},
	}
	e.Links[0].Set = "rate=1mbit,delay=2200ms" // nothing is lost; the first window is spent long before its acknowledgement comes
	r := mustRun(t, e, Options{})
	all := outcomes(t, r)
	loose, fast := all["loose-seed1"].Booking, all["fast-seed1"].Booking
	if loose.Check() != nil || loose.Unsent == 0 || fast.Check() != nil || fast.Received != fast.Sent {
		t.Errorf("loose %+v, fast %+v; want packets dropped on purpose, and none lost", loose, fast)
	}
	dropped, verdicts := 0, map[metrics.Verdict]int{}
	for i, row := range r.Scored[0].Series.Rows {
		verdicts[row.Verdict]++
		if row.Verdict == metrics.Expired {
			dropped += row.Cause.LostPackets
		}
		if row.Verdict == metrics.Expired && row.Cause.Where != "expired by sender" || row.Verdict != metrics.OK && row.Cause.Where == "" {
			t.Errorf("frame %d, %v: cause %+v", i, row.Verdict, row.Cause)
		}
	}
	if verdicts[metrics.Expired] == 0 || dropped > loose.Unsent {
		t.Errorf("verdicts %v, %d packets in causes, %d in the books", verdicts, dropped, loose.Unsent)
	}
	trace, err := SenderTrace(r, "loose-seed1")
	if err != nil || len(trace) < 20 || trace[len(trace)-1].Window <= 0 || trace[1].At-trace[0].At < 90*time.Millisecond {
		t.Errorf("%d samples, %v", len(trace), err)
	}
	if _, err := os.Stat(r.Path("runs", "fast-seed1", decisionsFile)); err != nil {
		t.Error(err)
	}
}

// Bulk traffic has no pictures: goodput, and packets in their places.
func TestBulk(t *testing.T) {
	e, err := ParseExperiment([]byte(`
transports: [{mode: quic-dgram}, {name: kept, mode: rquic, reliable: none, expire: none}]
links: [{set: "rate=1mbit,delay=5ms"}]
bulk: {length: 4s, skip: 1s}
seeds: 2
`))
	if err != nil {
		t.Fatal(err)
	}
	r := mustRun(t, e, Options{})
	if len(r.Rows) != 4 || len(r.Scored) != 0 || len(r.Cells) != 2 {
		t.Fatalf("%d rows, %d cells", len(r.Rows), len(r.Cells))
	}
	for _, row := range r.Rows {
		if row.GoodputMbps < .8 || row.GoodputMbps > 1 || row.Booking.Check() != nil || row.Booking.Received == 0 || row.Frames != 0 {
			t.Errorf("%s: %.3f Mbit/s of 1, %+v", row.Run, row.GoodputMbps, row.Booking)
		}
	}
	again, err := Open(r.Dir)
	if err != nil || len(again.Rows) != 4 {
		t.Errorf("opened again: %d rows, %v", len(again.Rows), err)
	}
	for _, text := range []string{"transports: [udp]\nbulk: {length: 2s}", "bulk: {length: 2500ms}", "transports: [quic]\nbulk: {length: 2s, skip: 2s}",
		"transports: [{mode: quic, cc: reno}]", "transports: [{mode: rquic, pmax: 3}]", "transports: [{mode: rquic, cc: bbr}]", "transports: [{mode: rquic, expire: soon}]"} {
		if _, err := ParseExperiment([]byte(text)); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
}
