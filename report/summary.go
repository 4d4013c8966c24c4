package report

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// summary is the summary table as text, with the columns that have values.
type summary struct {
	Head []string
	Rows []summaryRow
}

type summaryRow struct {
	Color     string
	Transport string
	Bars      []bar // the verdicts' shares of the frames
	Verdicts  string
	Columns   []cellText
}

// cellText is a table cell with a small line below.
type cellText struct{ Text, Small string }

// bar is a piece of a bar 100 units wide.
type bar struct {
	X, Width string
	Color    string
}

// column is an optional or fixed column of the table.
type column struct {
	head string
	show bool
	text func(Cell) cellText
}

func newSummary(cells []Cell) summary {
	var s summary
	columns := summaryColumns(cells)
	for _, c := range columns {
		if c.show {
			s.Head = append(s.Head, c.head)
		}
	}
	for _, c := range cells {
		row := summaryRow{Color: hexColor(Color(c.Transport)), Transport: c.Transport, Bars: bars(c.Counts), Verdicts: countsText(c.Counts)}
		for _, k := range columns {
			if k.show {
				row.Columns = append(row.Columns, k.text(c))
			}
		}
		s.Rows = append(s.Rows, row)
	}
	return s
}

func summaryColumns(cells []Cell) []column {
	is := func(f func(Cell) bool) bool {
		for _, c := range cells {
			if f(c) {
				return true
			}
		}
		return false
	}
	plain := func(f func(Cell) string) func(Cell) cellText {
		return func(c Cell) cellText { return cellText{Text: f(c)} }
	}
	return []column{
		{"profile", is(func(c Cell) bool { return c.Profile != "" }), plain(func(c Cell) string { return c.Profile })},
		{"deadline", is(func(c Cell) bool { return c.Deadline > 0 }), plain(func(c Cell) string { return deadlineText(c.Deadline) })},
		{"seeds", is(func(c Cell) bool { return c.Seeds > 0 }), plain(func(c Cell) string { return fmt.Sprint(c.Seeds) })},
		{"SSIM", true, func(c Cell) cellText { return c.SSIM.text(4) }},
		{"PSNR, dB", true, func(c Cell) cellText { return c.PSNR.text(2) }},
		{"MSE", true, func(c Cell) cellText { return c.MSE.text(2) }},
		{"delay p50, ms", is(func(c Cell) bool { return c.DelayP50 > 0 }), plain(func(c Cell) string { return fixedMillis(c.DelayP50) })},
		{"delay p95, ms", is(func(c Cell) bool { return c.DelayP95 > 0 }), plain(func(c Cell) string { return fixedMillis(c.DelayP95) })},
		{"goodput, Mbit/s", is(func(c Cell) bool { return c.GoodputMbps > 0 }), plain(func(c Cell) string { return fmt.Sprintf("%.2f", c.GoodputMbps) })},
		{"packets sent", is(func(c Cell) bool { return c.PacketsSent > 0 }), plain(func(c Cell) string { return fmt.Sprint(c.PacketsSent) })},
		{"lost", is(func(c Cell) bool { return c.PacketsSent > 0 }), lostText},
	}
}

func lostText(c Cell) cellText {
	if c.PacketsSent == 0 {
		return cellText{}
	}
	return cellText{fmt.Sprint(c.PacketsLost), fmt.Sprintf("%.2f %%", 100*float64(c.PacketsLost)/float64(c.PacketsSent))}
}

func deadlineText(d time.Duration) string {
	if d <= 0 {
		return "none"
	}
	return millis(d) + " ms"
}

func fixedMillis(d time.Duration) string {
	if d <= 0 {
		return ""
	}
	return fmt.Sprintf("%.1f", d.Seconds()*1e3)
}

// text prints the mean, and the interval below it where there is one.
func (i Interval) text(decimals int) cellText {
	if math.IsNaN(i.Mean) {
		return cellText{Text: "–"}
	}
	t := cellText{Text: fmt.Sprintf("%.*f", decimals, i.Mean)}
	if i.Low != i.High {
		t.Small = fmt.Sprintf("%.*f – %.*f", decimals, i.Low, decimals, i.High)
	}
	return t
}

// bars cuts 100 units into the verdicts' shares.
func bars(counts map[string]int) []bar {
	total := 0
	for _, n := range counts {
		total += n
	}
	var out []bar
	x := 0.0
	for _, v := range verdicts() {
		if n := counts[verdictName(v)]; n > 0 {
			w := 100 * float64(n) / float64(total)
			out = append(out, bar{X: fmt.Sprintf("%.2f", x), Width: fmt.Sprintf("%.2f", w), Color: hexColor(verdictColor(v))})
			x += w
		}
	}
	return out
}

// countsText says "362 ok, 13 damaged".
func countsText(counts map[string]int) string {
	var out []string
	for _, v := range verdicts() {
		if n := counts[verdictName(v)]; n > 0 {
			out = append(out, fmt.Sprintf("%d %s", n, verdictName(v)))
		}
	}
	return strings.Join(out, ", ")
}
