package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vqeval/vqeval/lab"
)

// printResults prints the table of cells, what differs, and where the files are.
func (a *app) printResults(res lab.Results) error {
	if a.json {
		return printJSON(a.stdout, res.Summary())
	}
	printCells(a.stdout, res.Cells)
	printDifferences(a.stdout, res.Differences())
	printRatios(a.stdout, res.Ratios())
	fmt.Fprintln(a.stdout)
	for _, f := range res.Files() {
		fmt.Fprintln(a.stdout, f)
	}
	tenths := func(d time.Duration) time.Duration { return d.Round(100 * time.Millisecond) }
	a.note("%d runs sent in %v, scored in %v, drawn in %v%s", len(res.Manifest.Runs)-res.Resumed, tenths(res.Sending), tenths(res.Scoring), tenths(a.drawing),
		resumedText(res.Resumed))
	if n := len(res.Failures); n > 0 {
		return fmt.Errorf("%d of %d runs failed", n, len(res.Manifest.Runs))
	}
	return nil
}

func resumedText(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("; %d runs were there already", n)
}

// tableColumn is one column of the table of cells.
type tableColumn struct {
	head string
	text func(lab.Cell) string
	left bool
}

func tableColumns(cells []lab.Cell) []tableColumn {
	cols := []tableColumn{{"transport", func(c lab.Cell) string { return c.Transport }, true}}
	vary := func(f func(lab.Cell) string, head string, left bool) {
		for _, c := range cells {
			if f(c) != f(cells[0]) {
				cols = append(cols, tableColumn{head, f, left})
				return
			}
		}
	}
	vary(func(c lab.Cell) string { return c.Clip }, "clip", true)
	vary(func(c lab.Cell) string { return c.Profile }, "link", true)
	vary(func(c lab.Cell) string { return c.Deadline.String() }, "deadline", false)
	num := func(head, name string, decimals int) {
		if !slices.ContainsFunc(cells, func(c lab.Cell) bool { return c.Values[name].N > 0 }) {
			return
		}
		cols = append(cols, tableColumn{head, func(c lab.Cell) string { return interval(c.Values[name], decimals) }, false})
	}
	pictures := slices.ContainsFunc(cells, func(c lab.Cell) bool { return c.Values["psnr_y_mean"].N > 0 })
	for _, v := range []string{"ok", "damaged", "frozen", "late", "expired", "missing"} {
		if pictures {
			num(v, v, 0)
		}
	}
	if slices.ContainsFunc(cells, func(c lab.Cell) bool { return c.Deadline != 0 }) {
		num("on time", "on_time", 3)
	}
	num("SSIM Y", "ssim_y_mean", 4)
	num("PSNR Y dB", "psnr_y_mean", 2)
	num("MSE Y", "mse_y_mean", 2)
	num("delay p50 ms", "delay_ms_p50", 0)
	num("p95 ms", "delay_ms_p95", 0)
	num("Mbit/s", "goodput_mbps", 2)
	num("lost packets", "packets_lost", 0)
	return cols
}

// interval writes a mean, with its interval where the seeds make it differ in
// the decimals shown.
func interval(i lab.Interval, decimals int) string {
	if i.N == 0 {
		return "-"
	}
	mean, low, high := rounded(i.Mean, decimals), rounded(i.Low, decimals), rounded(i.High, decimals)
	if i.N == 1 || low == mean && high == mean {
		return mean
	}
	return fmt.Sprintf("%s [%s %s]", mean, low, high)
}

// rounded writes v with so many decimals, and never a zero with a minus.
func rounded(v float64, decimals int) string {
	s := strconv.FormatFloat(v, 'f', decimals, 64)
	if strings.Trim(s, "-0.") == "" {
		s = strings.TrimPrefix(s, "-")
	}
	return s
}

func printCells(w io.Writer, cells []lab.Cell) {
	if len(cells) == 0 {
		return
	}
	cols := tableColumns(cells)
	lines := make([][]string, len(cells)+1)
	for _, c := range cols {
		lines[0] = append(lines[0], c.head)
	}
	for i, cell := range cells {
		for _, c := range cols {
			lines[i+1] = append(lines[i+1], c.text(cell))
		}
	}
	left := 0
	for left < len(cols) && cols[left].left {
		left++
	}
	printTable(w, lines, left)
}

// printTable prints lines in columns, the first few of which are words and set
// to the left.
func printTable(w io.Writer, lines [][]string, left int) {
	for i := range lines[0] {
		width := 0
		for _, l := range lines {
			width = max(width, len([]rune(l[i])))
		}
		for _, l := range lines {
			pad := strings.Repeat(" ", width-len([]rune(l[i])))
			if i < left {
				l[i] += pad
			} else {
				l[i] = pad + l[i]
			}
		}
	}
	for _, l := range lines {
		fmt.Fprintln(w, strings.TrimRight(strings.Join(l, "  "), " "))
	}
}
