package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/vqeval/vqeval/lab"
)

// printDifferences prints paired differences over seeds; what noise explains
// is marked with ~.
func printDifferences(w io.Writer, ds []lab.Difference) {
	lines := differenceLines(ds)
	if len(lines) > 1 {
		fmt.Fprintln(w, "\npaired differences over seeds (~ = noise explains it):")
		printTable(w, lines, words(lines[0]))
	}
}

// words counts the leading columns that are set to the left.
func words(head []string) int {
	n := 1
	for n < len(head) && (head[n] == "link" || head[n] == "clip") {
		n++
	}
	return n
}

// differenceLines makes a table with a line for each two transports at each link
// and deadline; empty without at least two seeds.
func differenceLines(ds []lab.Difference) [][]string {
	type where struct {
		clip, link, a, b string
		deadline         lab.Deadline
	}
	columns := []struct {
		metric, head string
		decimals     int
	}{{"ssim_y_mean", "SSIM Y", 4}, {"psnr_y_mean", "PSNR Y dB", 2}, {"on_time", "on time", 3}, {"goodput_mbps", "Mbit/s", 2}}
	lines := [][]string{{"difference", "link", "deadline"}}
	for _, c := range columns {
		lines[0] = append(lines[0], c.head)
	}
	at := map[where]int{}
	deadlines := slices.ContainsFunc(ds, func(d lab.Difference) bool { return d.Deadline != 0 })
	for _, d := range ds {
		if d.AMinusB.N < 2 {
			continue
		}
		k := where{d.Clip, d.Profile, d.A, d.B, d.Deadline}
		if at[k] == 0 {
			at[k] = len(lines)
			lines = append(lines, []string{d.A + " - " + d.B, d.Profile, d.Deadline.String(), "-", "-", "-", "-"})
		}
		for i, c := range columns {
			timeless := c.metric == "on_time" && !deadlines
			if c.metric == d.Metric && !timeless {
				lines[at[k]][3+i] = difference(d, c.decimals)
			}
		}
	}
	return withoutEmpty(withoutConstant(lines, "link", "deadline"))
}

// withoutEmpty drops the columns that have no value in any line.
func withoutEmpty(lines [][]string) [][]string {
	for i := len(lines[0]) - 1; i > 0 && len(lines) > 1; i-- {
		if slices.ContainsFunc(lines[1:], func(l []string) bool { return l[i] != "-" }) {
			continue
		}
		for k := range lines {
			lines[k] = slices.Delete(lines[k], i, i+1)
		}
	}
	return lines
}

// withoutConstant drops the columns with these heads that say the same in every
// line.
func withoutConstant(lines [][]string, heads ...string) [][]string {
	for _, h := range heads {
		i := slices.Index(lines[0], h)
		if i < 0 || len(lines) < 2 || slices.ContainsFunc(lines[1:], func(l []string) bool { return l[i] != lines[1][i] }) {
			continue
		}
		for k := range lines {
			lines[k] = slices.Delete(lines[k], i, i+1)
		}
	}
	return lines
}

// printRatios prints how much more one transport put on the wire than another.
func printRatios(w io.Writer, rs []lab.Ratio) {
	lines := ratioLines(rs)
	if len(lines) > 1 {
		fmt.Fprintln(w, "\non the wire, media direction, acknowledgements and repeats included:")
		printTable(w, lines, words(lines[0]))
	}
}

// ratioLines makes a table of the ratios to the first transport.
func ratioLines(rs []lab.Ratio) [][]string {
	lines := [][]string{{"ratio", "link", "packets", "bytes"}}
	for _, r := range rs {
		if r.B != rs[0].B || r.AOverB.N == 0 {
			continue
		}
		name, text := r.A+" / "+r.B, interval(r.AOverB, 3)
		if n := len(lines) - 1; r.Metric == "wire_bytes" && lines[n][0] == name && lines[n][1] == r.Profile {
			lines[n][3] = text
			continue
		}
		lines = append(lines, []string{name, r.Profile, text, "-"})
	}
	return withoutConstant(lines, "link")
}

func difference(d lab.Difference, decimals int) string {
	if d.Unclear {
		return "~ " + interval(d.AMinusB, decimals)
	}
	return interval(d.AMinusB, decimals)
}
