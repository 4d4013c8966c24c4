package lab

import (
	"encoding/csv"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/vqeval/vqeval/metrics"
)

// wire is what link.csv says about the packets of one RTP timestamp. It is
// computed here without the code under test: by timestamp, not by number.
type wire struct {
	lost    map[string]int
	packets int
	arrived float64 // ms
}

func wires(t *testing.T, path string) map[int64]*wire {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	out := map[int64]*wire{}
	for _, l := range lines[1:] {
		if l[7] == "" {
			continue
		}
		ts, err := strconv.ParseInt(l[7], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		if out[ts] == nil {
			out[ts] = &wire{lost: map[string]int{}}
		}
		w := out[ts]
		w.packets++
		if l[3] != "delivered" {
			w.lost[l[3]]++
			continue
		}
		at, err := strconv.ParseFloat(l[4], 64)
		if err != nil {
			t.Fatal(err)
		}
		w.arrived = max(w.arrived, at)
	}
	return out
}

func TestCausesOverUDP(t *testing.T) {
	e := narrow(t, "udp")
	e.Links[0].Set += ",loss=3%"
	r := mustRun(t, e, Options{})
	sent, err := readSent(r.Path("runs", "udp-seed1"))
	if err != nil {
		t.Fatal(err)
	}
	key := map[int64]bool{}
	shift := 0.0
	for _, u := range sent.Units {
		key[u.PTS] = u.Key
		shift = min(shift, float64(u.DTS-u.PTS)/90)
	}
	link := wires(t, r.Path("runs", "udp-seed1", linkFile))
	rows := r.Scored[0].Series.Rows
	places := map[string]bool{}
	for i, row := range rows {
		pts := int64(math.Round(row.PTS.Seconds() * 90000))
		w := link[pts]
		if w == nil {
			t.Fatalf("frame %d, timestamp %d, was never sent", i, pts)
		}
		queue, random := w.lost["dropped-queue"], w.lost["lost-random"]
		if queue+random == 0 {
			if want := w.arrived - float64(pts)/90 - shift; math.Abs(row.DelayMS-want) > .001 {
				t.Errorf("frame %d: delay %v ms, want %v", i, row.DelayMS, want)
			}
		} else if row.DelayMS != -1 {
			t.Errorf("frame %d lost packets and arrived completely after %v ms", i, row.DelayMS)
		}
		if row.Verdict == metrics.OK {
			if row.Cause != (metrics.Cause{HealedAt: -1}) {
				t.Errorf("frame %d is as sent, cause %+v", i, row.Cause)
			}
			continue
		}
		c := row.Cause
		if c.LostPackets != queue+random {
			t.Errorf("frame %d: %d lost packets, link.csv has %v", i, c.LostPackets, w.lost)
		}
		places[c.Where] = true
		checkPlace(t, i, rows, c, queue, random)
		checkHealed(t, i, rows, key)
	}
	if !places["link queue"] || !places["random loss"] {
		t.Errorf("places %v; want both the queue and chance, or the test shows nothing", places)
	}
}

func checkPlace(t *testing.T, i int, rows []metrics.Row, c metrics.Cause, queue, random int) {
	t.Helper()
	if (queue > 0 || random > 0) && (strings.Contains(c.Where, "link queue") != (queue > 0) || strings.Contains(c.Where, "random loss") != (random > 0)) {
		t.Errorf("frame %d: %q, want queue %d, random %d", i, c.Where, queue, random)
	}
	if queue+random > 0 {
		return
	}
	_, number, ok := strings.Cut(c.Where, " at frame ")
	from, err := strconv.Atoi(number)
	if !ok || err != nil || from >= len(rows) || rows[from].Cause.LostPackets == 0 || rows[from].Verdict == metrics.OK {
		t.Errorf("frame %d, %v, lost nothing itself: cause %q", i, rows[i].Verdict, c.Where)
	}
}

// checkHealed wants the next key frame that is as it was sent.
func checkHealed(t *testing.T, i int, rows []metrics.Row, key map[int64]bool) {
	t.Helper()
	want := -1
	for n := i + 1; n < len(rows) && want < 0; n++ {
		if rows[n].Verdict == metrics.OK && key[int64(math.Round(rows[n].PTS.Seconds()*90000))] {
			want = n
		}
	}
	if got := rows[i].Cause.HealedAt; got != want {
		t.Errorf("frame %d: healed at %d, want %d", i, got, want)
	}
}

// Over QUIC the link's only way of losing packets names the place; what came
// too late is a cause of its own.
func TestCausesOverQUIC(t *testing.T) {
	e := narrow(t, "quic-dgram", "quic")
	e.Links[0].Set = "rate=90kbit,queue=5000"
	e.Deadlines = []Deadline{Deadline(400 * time.Millisecond)}
	r := mustRun(t, e, Options{})
	for _, s := range r.Scored {
		where := map[string]int{}
		lost := 0
		for i, row := range s.Series.Rows {
			if row.Verdict != metrics.OK && row.Cause.Where == "" {
				t.Errorf("%s, frame %d, %v: no cause", s.Transport, i, row.Verdict)
			}
			if row.Verdict == metrics.Late && (row.Cause.Where != "late" || row.Cause.LostPackets == 0) && s.Transport == "quic" {
				t.Errorf("%s, frame %d: %+v, want that it came late", s.Transport, i, row.Cause)
			}
			where[row.Cause.Where]++
			lost += row.Cause.LostPackets
		}
		if want := map[string]string{"quic-dgram": "link queue", "quic": "late"}[s.Transport]; where[want] == 0 {
			t.Errorf("%s: causes %v, want %q among them", s.Transport, where, want)
		}
		if b := outcomes(t, r)[s.Run.Name].Booking; s.Transport == "quic-dgram" && lost < b.Lost() {
			t.Errorf("quic-dgram: %d packets in causes, %d in the books", lost, b.Lost())
		}
	}
}
