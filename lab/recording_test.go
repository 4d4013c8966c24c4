package lab

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/vqeval/vqeval/stream/link"
)

// Packets of one instant are logged in one order, whichever end woke first, and
// those of a direction stay in the order in which the link took them.
func TestLinkLogOrder(t *testing.T) {
	began := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	at := func(ms int, up bool, size int) link.Event {
		return link.Event{At: began.Add(time.Duration(ms) * time.Millisecond), Up: up, Size: size, Verdict: link.LostRandom}
	}
	const want = `t_ms,direction,bytes,verdict,deliver_ms,queue_bytes,rtp_seq,rtp_timestamp
0.000000,down,1,lost-random,,0,,
5.000000,down,2,lost-random,,0,,
5.000000,down,3,lost-random,,0,,
5.000000,up,4,lost-random,,0,,
5.000000,up,5,lost-random,,0,,
9.000000,up,6,lost-random,,0,,
`
	for name, events := range map[string][]link.Event{
		"down first": {at(0, false, 1), at(5, false, 2), at(5, false, 3), at(5, true, 4), at(5, true, 5), at(9, true, 6)},
		"up first":   {at(0, false, 1), at(5, true, 4), at(5, true, 5), at(5, false, 2), at(5, false, 3), at(9, true, 6)},
		"by turns":   {at(0, false, 1), at(5, true, 4), at(5, false, 2), at(5, true, 5), at(5, false, 3), at(9, true, 6)},
	} {
		dir := t.TempDir()
		r, err := newRecording(dir, Spec{})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range events {
			r.event(e)
		}
		if err := r.close(); err != nil {
			t.Fatal(err)
		}
		if got := readFile(t, filepath.Join(dir, linkFile)); got != want {
			t.Errorf("%s: got\n%swant\n%s", name, got, want)
		}
	}
}
