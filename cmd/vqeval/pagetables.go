package main

import (
	"fmt"

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

// A figure is a column of a table of cells: a measure in some unit.
type figure struct {
	head, name string
	unit       float64
	decimals   int
}

// cellTable has a line for each cell; where deadlines change nothing, for those
// of the first one only.
func cellTable(res lab.Results, title, note string, deadlines bool, figures []figure) report.Table {
	t := report.Table{Title: title, Note: note, Head: []string{"transport", "link"}}
	if deadlines {
		t.Head = append(t.Head, "deadline")
	}
	for _, f := range figures {
		t.Head = append(t.Head, f.head)
	}
	for _, c := range res.Cells {
		line := []string{c.Transport, c.Profile}
		if deadlines {
			line = append(line, c.Deadline.String())
		} else if c.Deadline != res.Cells[0].Deadline {
			continue
		}
		for _, f := range figures {
			line = append(line, scaled(c.Values[f.name], f.unit, f.decimals))
		}
		t.Rows = append(t.Rows, line)
	}
	lines := withoutConstant(append([][]string{t.Head}, t.Rows...), "link", "deadline")
	t.Head, t.Rows = lines[0], lines[1:]
	return t
}

func scaled(v lab.Interval, unit float64, decimals int) string {
	v.Mean, v.Low, v.High = v.Mean/unit, v.Low/unit, v.High/unit
	return interval(v, decimals)
}

func placesTable(res lab.Results) report.Table {
	return cellTable(res, "Where packets went", "Means over seeds. Each RTP packet is in exactly one column right of sent. Over QUIC, what the network loses for good is under transport.", false,
		[]figure{{"sent", "packets_sent", 1, 0}, {"received", "packets_received", 1, 0}, {"dropped by sender", "packets_unsent", 1, 0},
			{"link queue", "lost_queue", 1, 0}, {"random loss", "lost_random", 1, 0}, {"MTU", "lost_mtu", 1, 0},
			{"kernel buffer", "lost_kernel", 1, 0}, {"QUIC queue", "lost_quic_queue", 1, 0}, {"transport", "lost_transport", 1, 0}})
}

func playbackTable(res lab.Results) report.Table {
	return cellTable(res, "Delay, freezes, goodput", "Start: from the first frame sent to the first whole key frame. Complete, on time: shares of the frames all of which arrived, and did so before they were due. Delay: from capture to complete arrival. Variation: of the goodput from second to second, standard deviation over mean. Stalled: seconds below a tenth of the media's rate.", true,
		[]figure{{"start ms", "startup_ms", 1, 0}, {"complete", "complete", 1, 3}, {"on time", "on_time", 1, 3}, {"delay p50 ms", "delay_ms_p50", 1, 0}, {"p95 ms", "delay_ms_p95", 1, 0}, {"freezes", "freezes", 1, 1},
			{"frozen ms", "frozen_ms", 1, 0}, {"longest ms", "longest_freeze_ms", 1, 0}, {"Mbit/s", "goodput_mbps", 1, 2}, {"variation", "goodput_cv", 1, 3}, {"stalled s", "stalled_s", 1, 1}})
}

func wireTable(res lab.Results) report.Table {
	return cellTable(res, "What it took", "Wasted: RTP that arrived too late even for the decoder, or of frames that could not be shown.", true,
		[]figure{{"packets on the wire", "wire_packets", 1, 0}, {"MB", "wire_bytes", 1e6, 2}, {"packets back", "back_packets", 1, 0}, {"MB back", "back_bytes", 1e6, 2},
			{"sent again kB", "retransmitted_bytes", 1e3, 1}, {"wasted kB", "wasted_bytes", 1e3, 1}})
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
