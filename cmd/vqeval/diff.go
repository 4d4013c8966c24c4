package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/vqeval/vqeval/metrics"
)

// diffFlags is what `vqeval diff` was asked for.
type diffFlags struct {
	tolerance float64
	only      []string
}

func (a *app) diffCommand() *cobra.Command {
	var f diffFlags
	c := &cobra.Command{
		Use:   "diff A B",
		Short: "say where two files of scores part",
		Long: `Compares two files of scores per frame, by frame number: CSV, JSON or Parquet of
vqeval, libvmaf's JSON, the stats files of ffmpeg's psnr and ssim filters, in any
combination. Metrics that only one of them has are named and not compared, nor are
verdicts with a file of another program, which has none.

Exit code 0: the same frames, verdicts and values; 3: they differ.`,
		Example: `  vqeval diff out/a/scores/udp.csv out/b/scores/udp.csv
  vqeval diff --tolerance .005 ours.csv psnr.log      # ffmpeg prints two digits
  vqeval diff --metric psnr_y,ssim_y ours.json vmaf.json`,
		Args: exactArgs(2, "two files of scores"),
		RunE: func(_ *cobra.Command, args []string) error { return a.diff(f, args[0], args[1]) },
	}
	c.Flags().Float64Var(&f.tolerance, "tolerance", 0, "values no further apart than this are equal")
	c.Flags().StringSliceVar(&f.only, "metric", nil, "compare these `METRICS` only, such as psnr_y,ssim_y")
	return c
}

// diffResult is what diff --json prints.
type diffResult struct {
	A    string `json:"a"`
	B    string `json:"b"`
	Same bool   `json:"same"`
	metrics.Difference
}

func (a *app) diff(f diffFlags, pathA, pathB string) error {
	if !(f.tolerance >= 0) {
		return usagef("--tolerance %v is not 0 or more", f.tolerance)
	}
	for _, m := range f.only {
		if !slices.Contains(metrics.Metrics(), m) {
			return usagef("--metric %q: want some of %s", m, strings.Join(metrics.Metrics(), ", "))
		}
	}
	x, err := readScores(pathA)
	if err != nil {
		return err
	}
	y, err := readScores(pathB)
	if err != nil {
		return err
	}
	r := diffResult{A: pathA, B: pathB, Difference: metrics.Diff(x, y, f.tolerance)}
	if foreign(x) || foreign(y) {
		r.Verdicts = nil
	}
	r.judge(f.only)
	if a.json {
		err = printJSON(a.stdout, r)
	} else {
		err = a.printDiff(r)
	}
	if err == nil && !r.Same {
		err = thresholdError{errors.New("the scores differ")}
	}
	return err
}

// foreign reports whether scores are of a program that has no verdicts.
func foreign(s metrics.Series) bool { return s.Tool == "ffmpeg" || s.Tool == "libvmaf" }

// judge leaves out all metrics but the wanted ones, none = all are wanted, and
// finds out where the files part.
func (r *diffResult) judge(only []string) {
	unwanted := func(name string) bool { return len(only) > 0 && !slices.Contains(only, name) }
	maps.DeleteFunc(r.Metrics, func(name string, _ metrics.MetricDifference) bool { return unwanted(name) })
	maps.DeleteFunc(r.MissingIn, func(name, _ string) bool { return unwanted(name) })
	r.First = -1
	part := func(frame int) {
		if frame >= 0 && (r.First < 0 || frame < r.First) {
			r.First = frame
		}
	}
	for _, m := range r.Metrics {
		part(m.First)
	}
	for _, frame := range r.Verdicts {
		part(frame)
	}
	r.Same = r.First < 0 && len(r.OnlyA) == 0 && len(r.OnlyB) == 0 && len(r.Metrics) > 0
}

// printDiff prints where the files part, and how far each metric is apart.
func (a *app) printDiff(r diffResult) error {
	var b strings.Builder
	fmt.Fprintf(&b, "A %s\nB %s\n", r.A, r.B)
	fmt.Fprintf(&b, "%d frames in both%s%s\n", r.Frames, onlyIn("A", r.OnlyA), onlyIn("B", r.OnlyB))
	switch {
	case len(r.Metrics) == 0:
		b.WriteString("no metric is in both\n")
	case r.First >= 0:
		fmt.Fprintf(&b, "they part at frame %d\n", r.First)
	default:
		b.WriteString("no frame differs\n")
	}
	if len(r.Verdicts) > 0 {
		fmt.Fprintf(&b, "verdicts differ in %d frames: %s\n", len(r.Verdicts), frameList(r.Verdicts))
	}
	if len(r.Metrics) > 0 {
		fmt.Fprintf(&b, "\n%-9s %14s %14s %8s %6s %14s %6s\n", "metric", "mean A", "mean B", "differ", "first", "largest", "at")
	}
	for _, name := range metrics.Metrics() {
		if m, ok := r.Metrics[name]; ok {
			fmt.Fprintf(&b, "%-9s %14.6f %14.6f %8d %6s %14.6g %6s\n", name, m.MeanA, m.MeanB, m.Frames, frameText(m.First), m.Largest, frameText(m.At))
		}
	}
	if _, err := io.WriteString(a.stdout, b.String()); err != nil {
		return fmt.Errorf("stdout: %w", err)
	}
	for _, name := range metrics.Metrics() {
		if in, ok := r.MissingIn[name]; ok {
			a.note("%s has no %s", strings.ToUpper(in), name)
		}
	}
	if r.Dialects {
		a.note("warning: the dialects of SSIM differ, so that SSIM cannot agree")
	}
	return nil
}

func onlyIn(name string, frames []int) string {
	if len(frames) == 0 {
		return ""
	}
	return fmt.Sprintf(", %d only in %s: %s", len(frames), name, frameList(frames))
}

func frameText(i int) string {
	if i < 0 {
		return "-"
	}
	return fmt.Sprint(i)
}

// frameList writes ascending numbers as 3, 5-9, and no more than ten stretches.
func frameList(frames []int) string {
	var parts []string
	for i := 0; i < len(frames); {
		j := i
		for j+1 < len(frames) && frames[j+1] == frames[j]+1 {
			j++
		}
		if len(parts) == 10 {
			return strings.Join(append(parts, "…"), ", ")
		}
		if i == j {
			parts = append(parts, fmt.Sprint(frames[i]))
		} else {
			parts = append(parts, fmt.Sprintf("%d-%d", frames[i], frames[j]))
		}
		i = j + 1
	}
	return strings.Join(parts, ", ")
}

func readScores(path string) (metrics.Series, error) {
	file, err := os.Open(path)
	if err != nil {
		return metrics.Series{}, fmt.Errorf("scores: %w", err)
	}
	defer file.Close()
	s, err := metrics.Read(file)
	if err != nil {
		return s, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}
