package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/vqeval/vqeval/decode"
	"github.com/vqeval/vqeval/decode/align"
	"github.com/vqeval/vqeval/lab"
	"github.com/vqeval/vqeval/metrics"
	"github.com/vqeval/vqeval/stream/rtph264"
)

// runFlags is what `vqeval run` was asked for. Flags that were not given leave
// the experiment as its file, or the default, has it.
type runFlags struct {
	clips      []string
	transports []string
	link       linkFlags
	seeds      int
	seed       uint64
	deadlines  []string
	late       choice
	frame      int
	pace       float64
	real, qlog bool
	score      scoreFlags
	out        string
	jobs       int
	dry, check bool
	rquic      rquicFlags
}

func (a *app) runCommand() *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use:   "run [EXPERIMENT.yaml]",
		Short: "send, hinder, receive, decode, score and draw: the whole experiment",
		Long: `Sends a clip over each transport through an emulated link, records what arrives,
decodes and scores it frame by frame, and draws the result. Without a file it is
the source study's experiment: FullHD over UDP and QUIC through 5 Mbit/s.

Runs take place in virtual time: the real protocol stacks over a link in memory,
under a clock that jumps over idle time. --real uses sockets on this machine and
the wall clock. Run again in the same folder, it goes on where it stopped.

lab/README.md explains experiment files; lab/fullhd.yaml and its neighbours are
examples.`,
		Example: `  vqeval run
  vqeval run --transports udp,quic --rate 5mbit --frame 36
  vqeval run --clip talk.mp4 --transports udp,quic-dgram --loss 1% --seeds 10 --out out/loss
  vqeval run experiment.yaml --dry-run`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return a.run(c, args, f) },
	}
	fl := c.Flags()
	fl.StringSliceVar(&f.clips, "clip", nil, "`FILES` with H.264 video (default builtin:fullhd)")
	fl.StringSliceVar(&f.transports, "transports", nil, "`LIST` of "+strings.Join(lab.VirtualModes(), ", ")+" (default udp,quic)")
	f.link.add(c)
	fl.IntVar(&f.seeds, "seeds", 0, "repeat with `N` seeds, for intervals (default 1)")
	fl.Uint64Var(&f.seed, "seed", 0, "one run with this very `SEED`")
	fl.StringSliceVar(&f.deadlines, "deadline", nil, "playout `DELAYS` to score at, such as none,500ms (default none: everything that arrived counts)")
	choiceVar(c, &f.late, "late", "what late packets are good for: ref = later frames may refer to them, drop = nothing", "ref", "drop")
	fl.IntVar(&f.frame, "frame", 36, "`NUMBER` of the frame to show side by side")
	fl.Float64Var(&f.pace, "pace", .5, "spread a frame's UDP packets over this `SHARE` of its interval, 0..1")
	fl.BoolVar(&f.real, "real", false, "sockets and the wall clock instead of virtual time")
	fl.BoolVar(&f.qlog, "qlog", false, "keep a qlog file of each QUIC connection")
	f.score.add(c)
	fl.StringVarP(&f.out, "out", "o", "", "result `DIR` (default out/NAME)")
	fl.IntVarP(&f.jobs, "jobs", "j", 0, "processes and scoring threads (default one a processor)")
	f.rquic.add(c)
	fl.BoolVar(&f.check, "check", false, "hold the experiment's expectations against the results; exit code 3 if one fails")
	fl.BoolVar(&a.pdf, "pdf", false, "plots as PDF too, beside PNG and SVG")
	fl.BoolVar(&f.dry, "dry-run", false, "show the plan and an estimate, do nothing")
	return c
}

func (a *app) run(c *cobra.Command, args []string, f runFlags) error {
	e, err := f.experiment(c, args)
	if err != nil {
		return err
	}
	specs, err := e.Plan()
	if err != nil {
		return err
	}
	sizes, err := clipSizes(c.Context(), specs)
	if err != nil {
		return err
	}
	if f.dry {
		return a.printPlan(e, specs, sizes)
	}
	dir := f.out
	if dir == "" {
		dir = filepath.Join("out", e.Name)
	}
	a.note("%d runs into %s, %s time", len(specs), dir, map[bool]string{true: "real", false: "virtual"}[e.Real])
	res, err := a.carryOut(c.Context(), e, dir, f.jobs)
	if err != nil {
		return err
	}
	err = a.printResults(res)
	if f.check {
		return errors.Join(err, a.checkResults(res))
	}
	return err
}

// carryOut runs the experiment with progress and draws what it came to.
func (a *app) carryOut(ctx context.Context, e lab.Experiment, dir string, jobs int) (lab.Results, error) {
	drawn := newGallery(e)
	bar := a.progress("sending", 0, "frames")
	phase := "sending"
	res, err := lab.Run(ctx, e, dir, lab.Options{
		Version: version(), Libraries: decode.Versions(), Command: os.Args, Workers: jobs,
		Progress: func(p lab.Progress) {
			if p.Phase != phase {
				phase = p.Phase
				bar.rename(phase)
			}
			bar.set(p.Done, p.Total, p.Label)
		},
		Picture: drawn.take,
	})
	a.endProgress(bar)
	if err != nil {
		return res, err
	}
	for _, f := range res.Failures {
		a.note("warning: run %s: %s", f.Run, f.Err)
	}
	return res, a.draw(ctx, res, drawn, res.Path("report.html"))
}

// experiment is the file's, or the default one, changed by the flags given.
func (f runFlags) experiment(c *cobra.Command, args []string) (lab.Experiment, error) {
	e := lab.DefaultExperiment()
	if len(args) == 1 {
		text, err := os.ReadFile(args[0])
		if err != nil {
			return e, fmt.Errorf("experiment: %w", err)
		}
		if e, err = lab.ParseExperiment(text); err != nil {
			return e, fmt.Errorf("experiment %s: %w", args[0], err)
		}
		e = e.From(filepath.Dir(args[0]))
		if e.Name == "" {
			e.Name = strings.TrimSuffix(filepath.Base(args[0]), filepath.Ext(args[0]))
		}
	}
	if err := f.apply(c, &e); err != nil {
		return e, err
	}
	if err := e.Check(); err != nil {
		return e, usagef("%w", err)
	}
	if f.check && len(e.Expect) == 0 {
		return e, usagef("--check: the experiment has no expectations; hint: a list expect: in its file")
	}
	return e, nil
}

func (f runFlags) apply(c *cobra.Command, e *lab.Experiment) error {
	fl := c.Flags()
	if fl.Changed("clip") {
		e.Clips = f.clips
	}
	if fl.Changed("transports") {
		e.Transports = nil
		for _, t := range f.transports {
			e.Transports = append(e.Transports, lab.Transport{Mode: t})
		}
	}
	if changed(fl, "profile", "rate", "delay", "loss", "queue", "down", "up") {
		l, err := f.link.link()
		if err != nil {
			return err
		}
		e.Links = []lab.Link{l}
	}
	switch {
	case fl.Changed("seeds") && fl.Changed("seed"):
		return usagef("--seeds and --seed exclude each other")
	case fl.Changed("seeds"):
		if f.seeds < 1 || f.seeds > 10000 {
			return usagef("--seeds %d is not in 1..10000", f.seeds)
		}
		e.Seeds = lab.SeedRange(f.seeds)
	case fl.Changed("seed"):
		e.Seeds = lab.Seeds{f.seed}
	}
	if fl.Changed("deadline") {
		e.Deadlines = nil
		for _, s := range f.deadlines {
			var d lab.Deadline
			if err := d.UnmarshalText([]byte(s)); err != nil {
				return usagef("--deadline: %w", err)
			}
			e.Deadlines = append(e.Deadlines, d)
		}
	}
	f.applyScalars(c, e)
	return f.rquic.apply(c, e)
}

func (f runFlags) applyScalars(c *cobra.Command, e *lab.Experiment) {
	fl := c.Flags()
	set := func(name string, assign func()) {
		if fl.Changed(name) {
			assign()
		}
	}
	set("late", func() { e.Late = f.late.value })
	set("frame", func() { e.Frame = f.frame })
	set("pace", func() { e.Pace = f.pace })
	set("real", func() { e.Real = f.real })
	set("qlog", func() { e.QLog = f.qlog })
	set("ssim", func() { e.Score.SSIM = f.score.ssim })
	set("ms-ssim", func() { e.Score.MSSSIM = f.score.msssim })
	set("broken-nal", func() { e.Score.BrokenNAL = f.score.policy })
	set("align", func() { e.Score.Align = f.score.align })
	set("luma", func() { e.Score.LumaOnly = f.score.luma })
}

// scoreFlags say how pictures are measured; run and score share them.
type scoreFlags struct {
	ssim   metrics.Dialect
	msssim bool
	policy rtph264.Policy
	align  align.Method
	luma   bool
}

func (s *scoreFlags) add(c *cobra.Command) {
	f := c.Flags()
	f.Var(textFlag{&s.ssim, "ffmpeg|precise|fast|wang"}, "ssim", "`DIALECT` of SSIM: ffmpeg, precise, fast or wang")
	f.BoolVar(&s.msssim, "ms-ssim", false, "MS-SSIM as well")
	f.Var(textFlag{&s.policy, "keep-prefix|drop|wait-idr"}, "broken-nal", "`WHAT` becomes of a NAL unit with a lost packet: keep-prefix, drop or wait-idr")
	f.Var(textFlag{&s.align, strings.Join(align.Methods(), "|")}, "align", "`METHOD` of pairing frames: "+strings.Join(align.Methods(), ", "))
	f.BoolVar(&s.luma, "luma", false, "measure luma only")
}
