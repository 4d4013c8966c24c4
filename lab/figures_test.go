package lab

import (
	"encoding/csv"
	"math"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/vqeval/vqeval/metrics"
)

// tap is what can be read off link.csv with nothing but arithmetic.
type tap struct {
	packets, back  int64
	bytes          int64
	delivered      int     // media direction
	deliveredBytes float64 // with their headers, as the link has them
	last           float64 // ms
	perSecond      []float64
}

const headers = 28 // of IPv4 and UDP, which the link adds to each packet

func readTap(t *testing.T, path string) tap {
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
	var out tap
	var rtp []float64 // arrivals
	var sizes []float64
	base := math.Inf(1)
	for _, l := range lines[1:] {
		size, err := strconv.ParseFloat(l[2], 64)
		if err != nil {
			t.Fatal(err)
		}
		if l[1] == "up" {
			out.back++
			continue
		}
		out.packets++
		out.bytes += int64(size) + headers
		if l[3] != "delivered" {
			continue
		}
		at, err := strconv.ParseFloat(l[4], 64)
		if err != nil {
			t.Fatal(err)
		}
		out.delivered++
		out.deliveredBytes += size
		out.last = max(out.last, at)
		if l[7] != "" {
			ts, err := strconv.ParseFloat(l[7], 64)
			if err != nil {
				t.Fatal(err)
			}
			base = min(base, at-ts/90)
			rtp, sizes = append(rtp, at), append(sizes, size)
		}
	}
	out.perSecond = make([]float64, 4)
	for i, at := range rtp {
		if s := int((at - base) / 1000); s < len(out.perSecond) {
			out.perSecond[s] += sizes[i] * 8 / 1e6
		}
	}
	return out
}

// The figures of summary.csv against link.csv.
func TestFiguresAgreeWithTheLink(t *testing.T) {
	e := narrow(t, "udp", "quic")
	e.Deadlines = []Deadline{0, Deadline(300e6)}
	r := mustRun(t, e, Options{})
	for _, row := range r.Rows {
		l := readTap(t, r.Path("runs", row.Run, linkFile))
		if row.WirePackets != l.packets || row.WireBytes != l.bytes || row.BackPackets != l.back {
			t.Errorf("%s: %d packets, %d bytes, %d back; link.csv has %d, %d, %d", row.Run, row.WirePackets, row.WireBytes, row.BackPackets, l.packets, l.bytes, l.back)
		}
		if row.Complete < row.OnTime || row.Deadline == 0 && row.Complete != row.OnTime || row.Transport == "quic" && row.Complete != 1 {
			t.Errorf("%s, deadline %v: %v complete, %v on time", row.Run, row.Deadline, row.Complete, row.OnTime)
		}
		// No transport delivers faster than the link lets it.
		if row.GoodputMbps > .110 || row.GoodputMbps < .06 {
			t.Errorf("%s: %.4f Mbit/s through 0.110", row.Run, row.GoodputMbps)
		}
		if row.Transport == "udp" {
			checkUDP(t, r, row, l)
			continue
		}
		// What QUIC delivered is the media, what it repeated, and its own framing.
		media := float64(0)
		sent, err := readSent(r.Path("runs", row.Run))
		if err != nil {
			t.Fatal(err)
		}
		for _, u := range sent.Units {
			media += float64(u.Bytes)
		}
		if overhead := l.deliveredBytes - media; overhead < 0 || overhead > .35*media {
			t.Errorf("quic: %.0f bytes came out of the link for %.0f of media", l.deliveredBytes, media)
		}
		lost := outcomes(t, r)[row.Run].Link.Down.QueueDropBytes
		if row.RetransmittedBytes <= 0 || float64(row.RetransmittedBytes) > 1.3*float64(lost) {
			t.Errorf("quic: %d bytes repeated, %d lost", row.RetransmittedBytes, lost)
		}
	}
	ratios := r.Ratios()
	if len(ratios) != 2 || ratios[0].A != "quic" || ratios[0].B != "udp" {
		t.Fatalf("ratios %+v", ratios)
	}
	udp, quic := readTap(t, r.Path("runs/udp-seed1", linkFile)), readTap(t, r.Path("runs/quic-seed1", linkFile))
	if got, want := ratios[0].AOverB.Mean, float64(quic.packets)/float64(udp.packets); math.Abs(got-want) > 1e-9 {
		t.Errorf("packet ratio %v, want %v", got, want)
	}
}

func checkUDP(t *testing.T, r Results, row Row, l tap) {
	t.Helper()
	i := slices.IndexFunc(r.Scored, func(s Scored) bool { return s.Run.Name == row.Run && s.Deadline == row.Deadline })
	remarks, err := r.ReadRemarks(r.Scored[i])
	if err != nil {
		t.Fatal(err)
	}
	for s, got := range remarks.Goodput {
		if math.Abs(got-l.perSecond[s]) > 1e-9 {
			t.Errorf("udp, second %d: %.6f Mbit/s, link.csv has %.6f", s, got, l.perSecond[s])
		}
	}
	var frozen, freezes, longest, run int
	for _, f := range r.Scored[i].Series.Rows {
		if f.Verdict == metrics.Frozen || f.Verdict == metrics.Late || f.Verdict == metrics.Expired {
			frozen++
			if run++; run == 1 {
				freezes++
			}
			longest = max(longest, run)
		} else {
			run = 0
		}
	}
	if row.Freezes != freezes || math.Abs(row.FrozenMS-40*float64(frozen)) > .01 || math.Abs(row.LongestMS-40*float64(longest)) > .01 {
		t.Errorf("udp: %d freezes, %v ms, longest %v ms; want %d, %d, %d frames of 40 ms", row.Freezes, row.FrozenMS, row.LongestMS, freezes, frozen, longest)
	}
	// Nothing waits longer than the queue is long: 5000 bytes, and 20 ms of way.
	if most := 5100*8/110. + 20 + 120; row.DelayP95 > most || row.DelayP50 < 20 || row.StartupMS < 20 || row.StartupMS > most {
		t.Errorf("udp: delay p50 %v, p95 %v, start %v ms; want 20 to %v", row.DelayP50, row.DelayP95, row.StartupMS, most)
	}
	if row.RetransmittedBytes != 0 {
		t.Errorf("udp repeated %d bytes", row.RetransmittedBytes)
	}
}

// A deadline before anything arrives wastes all that was sent in vain.
func TestWastedBytes(t *testing.T) {
	e := narrow(t, "quic")
	e.Links[0].Set = "rate=70kbit,queue=5000"
	e.Deadlines = []Deadline{0, Deadline(100e6), Deadline(60e9)}
	e.Late = "drop"
	r := mustRun(t, e, Options{})
	media := outcomes(t, r)["quic-seed1"].Received.Bytes
	none, short, long := r.Rows[0].WastedBytes, r.Rows[1].WastedBytes, r.Rows[2].WastedBytes
	if none != 0 || long != 0 || short < media/2 || short > media {
		t.Errorf("of %d bytes: %d wasted without a deadline, %d at 100 ms, %d at a minute", media, none, short, long)
	}
}
