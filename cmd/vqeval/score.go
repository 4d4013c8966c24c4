package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/vqeval/vqeval/decode"
	"github.com/vqeval/vqeval/lab/batch"
)

// fileFlags is what `vqeval score` was asked for.
type fileFlags struct {
	score     scoreFlags
	ref       string
	manifest  string
	out       string
	format    batch.Format
	formatSet bool
	deadlines []string
	late      choice
	scale     choice
	convert   bool
	span      decode.Range
	raw       rawFlags
	stream    streamFlags
	jobs      int
	failUnder []string
	shown     bool
	perFrame  bool
	frames    bool // perFrame was given
	failFast  bool
	junit     string
	worst     int
	hash      bool
	force     bool
}

func (a *app) scoreCommand() *cobra.Command {
	var f fileFlags
	c := &cobra.Command{
		Use:   "score --ref REF CAPTURE...",
		Short: "score captured files against their reference",
		Long: `Compares captured video with its reference: MSE, PSNR and SSIM of every frame, and
for each frame of the reference one verdict: ok, damaged, frozen, late, expired
or missing. A capture is whatever libavformat opens, bare H.264, .y4m, .yuv (with
--size), or a recording of RTP packets (.pcapng, .pcap).

Means are over all frames of the reference: what did not arrive was still sat
through, and is compared with what was shown in its place. --skip-frozen gives
the mean over frames that were shown themselves.

--out FILE (.csv, .json, .parquet, .log) holds the scores of one capture. Any other
--out is a folder: summary.csv with a row for each capture, scores/NAME.csv per
frame. Run again in the same folder, it scores only what is missing or changed.`,
		Example: `  vqeval score --ref original.mp4 received.mp4
  vqeval score --ref original.mp4 received.mp4 --out received.csv
  vqeval score --ref original.mp4 run*/capture.pcapng --out out/scores --fail-under psnr_y=35,ssim_y=.95
  vqeval score --ref original.mp4 capture.pcapng --deadline none,100ms,200ms,500ms --out out/latency
  vqeval score --manifest pairs.csv --jobs 2 --out out/batch --junit out/junit.xml`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			f.formatSet, f.frames = c.Flags().Changed("format"), c.Flags().Changed("per-frame")
			return a.score(c.Context(), f, args)
		},
	}
	f.add(c)
	return c
}

func (f *fileFlags) add(c *cobra.Command) {
	fl := c.Flags()
	fl.StringVarP(&f.ref, "ref", "r", "", "reference `FILE`")
	fl.StringVar(&f.manifest, "manifest", "", "`FILE.csv` with the columns reference, captured (patterns allowed) and any labels; a line that begins with # is a comment")
	fl.StringVarP(&f.out, "out", "o", "", "`FILE` of one capture's scores, - for stdout, or a folder")
	fl.Var(textFlag{&f.format, strings.Join(batch.Formats(), "|")}, "format", "form of the scores per frame (default by --out's ending, else csv)")
	fl.StringSliceVar(&f.deadlines, "deadline", nil, "playout `DELAYS` to score recordings at, such as none,200ms")
	choiceVar(c, &f.late, "late", "what late packets are good for: ref = later frames may refer to them, drop = nothing", "ref", "drop")
	f.score.add(c)
	choiceVar(c, &f.scale, "scale", "scale captures of another size to that of the reference", "none", "bicubic")
	fl.BoolVar(&f.convert, "convert", false, "convert captures of another pixel format or bit depth to that of the reference")
	fl.Var(textFlag{&f.span, "limited|full"}, "range", "convert both to this sample range")
	f.raw.add(c)
	f.stream.add(c)
	fl.IntVarP(&f.jobs, "jobs", "j", 0, "groups of captures scored at a time (default one a processor)")
	fl.StringSliceVar(&f.failUnder, "fail-under", nil, "exit with 3 unless each capture reaches these `MEANS`, such as psnr_y=35,ssim_y=.95")
	fl.BoolVar(&f.shown, "skip-frozen", false, "means over frames that were shown themselves only")
	fl.BoolVar(&f.perFrame, "per-frame", false, "keep scores and a page of each capture in the folder (default for captures named here, not for --manifest)")
	fl.IntVar(&f.worst, "worst", 5, "draw the `N` worst captures of a folder")
	fl.BoolVar(&f.failFast, "fail-fast", false, "end with the first capture that cannot be scored")
	fl.StringVar(&f.junit, "junit", "", "write a JUnit XML `FILE` for continuous integration")
	fl.BoolVar(&f.hash, "hash", false, "tell changed files by their content instead of size and time of change")
	fl.BoolVarP(&f.force, "force", "f", false, "overwrite FILE; in a folder, score everything again")
}

func (a *app) score(ctx context.Context, f fileFlags, args []string) error {
	s, err := f.prepare(args, a.stdin)
	if err != nil {
		return err
	}
	out, err := a.openScores(ctx, f, s)
	if err != nil {
		return err
	}
	defer out.close()
	err = a.scoreAll(ctx, s, out)
	early := errors.Is(err, context.Canceled) || errors.Is(err, batch.ErrFailFast)
	switch {
	case err != nil && !early:
		return err
	case s.single && out.failure != nil:
		out.abandon()
		return out.failure
	}
	if ferr := a.finishScores(ctx, f, s, out, !early); ferr != nil {
		return ferr
	}
	if err != nil {
		return err
	}
	return s.verdict(out.done())
}

// scoreAll scores what is not there yet, with progress.
func (a *app) scoreAll(ctx context.Context, s scoring, out *scoreOutput) error {
	todo := out.todo()
	if n := len(s.plan.Items) - len(todo); n > 0 {
		a.note("%d of %d captures are scored already, and have not changed", n, len(s.plan.Items))
	}
	if len(todo) == 0 {
		return nil
	}
	tell := a.tellScoring(len(todo))
	defer tell.end()
	o := s.o
	o.Save, o.Done, o.Progress = out.save, out.keep, tell.update
	return batch.Score(ctx, s.plan, todo, o)
}

// verdict is the command's error once all is scored and written.
func (s scoring) verdict(rows []batch.Row) error {
	failed, missed := 0, 0
	var list strings.Builder
	for _, r := range rows {
		if r.Failed() {
			failed++
		}
		misses := batch.Misses(r, s.limits)
		for _, m := range misses {
			fmt.Fprintf(&list, "\n  %s: %s", printable(r.Item.Captured), m)
		}
		if len(misses) > 0 {
			missed++
		}
	}
	var err error
	if missed > 0 {
		err = thresholdError{fmt.Errorf("%d of %d captures miss a threshold:%s", missed, len(rows), list.String())}
	}
	if failed > 0 { // the stronger of the two
		text := fmt.Sprintf("%d of %d captures could not be scored", failed, len(rows))
		if err != nil {
			return fmt.Errorf("%s, and %s", text, err)
		}
		return errors.New(text)
	}
	return err
}
