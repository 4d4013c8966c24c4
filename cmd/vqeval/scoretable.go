package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/vqeval/vqeval/lab/batch"
)

// longTable is how many captures the table lists one by one; of more, it shows
// the worst and those without scores.
const longTable = 60

// printScores prints the table and the remarks below it. Rows that are JSON lines
// were printed as they came.
func (a *app) printScores(f fileFlags, s scoring, o *scoreOutput, rows []batch.Row) error {
	if o.lines == nil && !o.stdout {
		if err := a.printTable(f, s, rows); err != nil {
			return fmt.Errorf("stdout: %w", err)
		}
	}
	if o.lines == nil || a.verbose {
		a.printRemarks(rows)
	}
	return nil
}

// printTable lists the rows, or the worst and the failed ones where they are many.
func (a *app) printTable(f fileFlags, s scoring, rows []batch.Row) error {
	if len(rows) <= longTable {
		return printScoreTable(a.stdout, s.plan, rows)
	}
	listed := batch.Worst(rows, f.worst)
	left := len(rows) - len(listed)
	grouped := slices.DeleteFunc(slices.Clone(listed), func(r batch.Row) bool { return !r.Failed() })
	if len(grouped) > longTable {
		listed = slices.DeleteFunc(listed, batch.Row.Failed)
	} else {
		grouped = nil
	}
	if len(listed) > 0 {
		if err := printScoreTable(a.stdout, s.plan, listed); err != nil {
			return err
		}
	}
	if err := printReasons(a.stdout, grouped); err != nil {
		return err
	}
	if left > 0 {
		a.note("the worst of %d captures, and those without scores; %d more are in %s", len(rows), left, place(f.out))
	}
	return nil
}

func place(out string) string {
	if out == "" {
		return "no file: --out FOLDER keeps them"
	}
	return out
}

// A scoreColumn is a column of the table.
type scoreColumn struct {
	head string
	text func(batch.Row) string
	left bool
}

// scoreColumns are the columns for rows: those in which there is something.
func scoreColumns(p batch.Plan, rows []batch.Row) []scoreColumn {
	cols := []scoreColumn{{"capture", func(r batch.Row) string { return printable(r.Item.Captured) }, true}}
	some := func(f func(batch.Row) bool) bool {
		for _, r := range rows {
			if f(r) {
				return true
			}
		}
		return false
	}
	if some(func(r batch.Row) bool { return r.Item.Reference != p.Items[0].Reference }) {
		cols = append(cols, scoreColumn{"reference", func(r batch.Row) string { return printable(r.Item.Reference) }, true})
	}
	if some(func(r batch.Row) bool { return r.Item.Deadline > 0 }) {
		cols = append(cols, scoreColumn{"deadline", deadlineText, false})
	}
	num := func(head, name string, decimals int, always bool) {
		if always || some(func(r batch.Row) bool { return !math.IsNaN(r.Number(name)) }) {
			cols = append(cols, scoreColumn{head, func(r batch.Row) string { return fixed(r.Number(name), decimals) }, false})
		}
	}
	for _, n := range []string{"frames", "ok", "damaged", "frozen", "late", "expired", "missing"} {
		num(n, n, 0, true)
	}
	dialect, pooled := "", "mean"
	for _, r := range rows {
		if r.Dialect != "" {
			dialect = " (" + r.Dialect + ")"
		}
		if r.Pooled == "shown" {
			pooled = "mean over shown"
		}
	}
	num("PSNR Y dB "+pooled, "psnr_y_mean", 2, true)
	num("PSNR Y dB total", "psnr_y_total", 2, true)
	num("SSIM Y"+dialect+" "+pooled, "ssim_y_mean", 4, true)
	num("MSE Y "+pooled, "mse_y_mean", 2, true)
	num("MS-SSIM "+pooled, "ms_ssim_mean", 4, false)
	num("delay p50 ms", "delay_ms_p50", 0, false)
	num("p95 ms", "delay_ms_p95", 0, false)
	num("Mbit/s", "goodput_mbps", 2, false)
	num("lost packets", "packets_lost", 0, false)
	if some(batch.Row.Failed) {
		cols = append(cols, scoreColumn{"", func(r batch.Row) string { return printable(r.Reason()) }, true})
	}
	return cols
}

func deadlineText(r batch.Row) string {
	if r.Item.Deadline == 0 {
		return "none"
	}
	return r.Item.Deadline.String()
}

// fixed writes a number with so many decimals. One that is not 0 does not read
// as 0.
func fixed(v float64, decimals int) string {
	if math.IsNaN(v) {
		return "-"
	}
	text := strconv.FormatFloat(v, 'f', decimals, 64)
	if v != 0 && decimals > 0 && strings.Trim(text, "-0.") == "" {
		return strconv.FormatFloat(v, 'g', 3, 64)
	}
	return text
}

func printScoreTable(w io.Writer, p batch.Plan, rows []batch.Row) error {
	cols := scoreColumns(p, rows)
	lines := make([][]string, len(rows)+1)
	for _, c := range cols {
		lines[0] = append(lines[0], c.head)
		for i, r := range rows {
			lines[i+1] = append(lines[i+1], c.text(r))
		}
	}
	for i, c := range cols {
		width := 0
		for _, l := range lines {
			width = max(width, utf8.RuneCountInString(l[i]))
		}
		for _, l := range lines {
			pad := strings.Repeat(" ", width-utf8.RuneCountInString(l[i]))
			if c.left {
				l[i] += pad
			} else {
				l[i] = pad + l[i]
			}
		}
	}
	for _, l := range lines {
		if _, err := fmt.Fprintln(w, strings.TrimRight(strings.Join(l, "  "), " ")); err != nil {
			return err
		}
	}
	return nil
}
