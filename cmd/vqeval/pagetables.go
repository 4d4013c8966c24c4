package main

import (
	"fmt"
	"math"

	"github.com/vqeval/vqeval/lab"
	"github.com/vqeval/vqeval/report"
)

// pageTables are what the summary has no room for: losses by place, delays and
// freezes, the wire, differences and expectations.
func pageTables(res lab.Results) []report.Table {
	tables := []report.Table{placesTable(res), playbackTable(res), wireTable(res)}
	if lines := ratioLines(res.Ratios()); len(lines) > 1 {
		tables = append(tables, report.Table{Title: "Packets and bytes on the wire, as ratios", Head: lines[0], Rows: lines[1:],
			Note: "Media direction, acknowledgements and repeats included."})
	}
	if lines := differenceLines(res.Differences()); len(lines) > 1 {
		tables = append(tables, report.Table{Title: "Paired differences over seeds", Head: lines[0], Rows: lines[1:],
			Note: "With 95 % bootstrap intervals. ~: noise explains the difference."})
	}
	if checked := res.Check(); len(checked) > 0 {
		tables = append(tables, checkedTable(checked))
	}
	return tables
}

// placesTable books every packet of every run; deadlines change nothing in it.
func placesTable(res lab.Results) report.Table {
	t := report.Table{Title: "Where packets went", Head: []string{"run", "sent", "received", "dropped by sender", "link queue", "random loss", "MTU",
		"kernel buffer", "QUIC queue", "transport"}, Note: "Each RTP packet is in exactly one column right of sent. Over QUIC, what the network loses for good is under transport."}
	seen := map[string]bool{}
	for _, r := range res.Rows {
		if seen[r.Run] {
			continue
		}
		seen[r.Run] = true
		b, line := r.Booking, []string{r.Run}
		for _, n := range []int{b.Sent, b.Received, b.Unsent, b.LostQueue, b.LostRandom, b.LostMTU, b.LostKernel, b.LostQUICQueue, b.LostTransport} {
			line = append(line, fmt.Sprint(n))
		}
		t.Rows = append(t.Rows, line)
	}
	return t
}

func playbackTable(res lab.Results) report.Table {
	t := report.Table{Title: "Delay, freezes, goodput", Head: []string{"run", "deadline", "start ms", "delay p50 ms", "p95 ms", "freezes", "frozen ms",
		"longest ms", "Mbit/s", "variation", "stalled s"},
		Note: "Start: from the first frame sent to the first whole key frame. Delay: from capture to complete arrival. Variation: of the goodput from second to second, standard deviation over mean. Stalled: seconds below a tenth of the media's rate."}
	for _, r := range res.Rows {
		t.Rows = append(t.Rows, []string{r.Run, r.Deadline.String(), decimal(r.StartupMS, 0), decimal(r.DelayP50, 0), decimal(r.DelayP95, 0),
			fmt.Sprint(r.Freezes), decimal(r.FrozenMS, 0), decimal(r.LongestMS, 0), decimal(r.GoodputMbps, 2), decimal(r.GoodputCV, 3), fmt.Sprint(r.Stalls)})
	}
	return t
}

func wireTable(res lab.Results) report.Table {
	t := report.Table{Title: "What it took", Head: []string{"run", "deadline", "packets on the wire", "MB", "packets back", "MB back", "sent again kB", "wasted kB"},
		Note: "Wasted: RTP that arrived too late even for the decoder, or of frames that could not be shown."}
	for _, r := range res.Rows {
		t.Rows = append(t.Rows, []string{r.Run, r.Deadline.String(), fmt.Sprint(r.WirePackets), decimal(float64(r.WireBytes)/1e6, 2),
			fmt.Sprint(r.BackPackets), decimal(float64(r.BackBytes)/1e6, 2), decimal(float64(r.RetransmittedBytes)/1e3, 1), decimal(float64(r.WastedBytes)/1e3, 1)})
	}
	return t
}

func checkedTable(checked []lab.Checked) report.Table {
	t := report.Table{Title: "Expectations", Head: []string{"expectation (medians over seeds)", "link", "deadline", "got", "verdict"}}
	for _, c := range checked {
		verdict := "fails"
		if c.OK {
			verdict = "ok"
		} else if c.Why != "" {
			verdict = c.Why
		}
		t.Rows = append(t.Rows, []string{c.String(), c.Over, c.At.String(), fmt.Sprintf("%.4g", c.Got), verdict})
	}
	return t
}

// decimal writes a number with fixed decimals, - where there is none.
func decimal(v float64, decimals int) string {
	if math.IsNaN(v) {
		return "-"
	}
	return fmt.Sprintf("%.*f", decimals, v)
}
