package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/vqeval/vqeval/decode"
	"github.com/vqeval/vqeval/lab"
	"github.com/vqeval/vqeval/lab/batch"
	"github.com/vqeval/vqeval/lab/score"
	"github.com/vqeval/vqeval/samples"
	"github.com/vqeval/vqeval/stream"
	"github.com/vqeval/vqeval/stream/capture"
)

// A scoring is a command line of score that was checked.
type scoring struct {
	plan   batch.Plan
	o      batch.Options
	limits []batch.Threshold
	made   batch.Made
	single bool // one capture: what is wrong with it is the command's error
}

// prepare checks the flags and finds out what is to be scored.
func (f fileFlags) prepare(args []string, stdin io.Reader) (scoring, error) {
	var s scoring
	if err := f.check(args); err != nil {
		return s, err
	}
	for _, t := range f.failUnder {
		limit, err := batch.ParseThreshold(t)
		if err != nil {
			return s, usagef("--fail-under %w", err)
		}
		s.limits = append(s.limits, limit)
	}
	deadlines, err := parseDeadlines(f.deadlines)
	if err != nil {
		return s, err
	}
	if err := f.options(&s.o); err != nil {
		return s, err
	}
	s.made = batch.Made{Tool: "vqeval", Version: version(), Settings: f.settings()}
	s.o.Score.Tool, s.o.Score.Version = s.made.Tool, s.made.Version
	if strings.HasPrefix(f.ref, samples.Prefix) {
		if f.ref, err = lab.ClipPath(f.ref); err != nil {
			return s, err
		}
	}
	if f.ref != "" {
		if err := readableFile(f.ref); err != nil {
			return s, fmt.Errorf("reference: %w", err)
		}
	}
	if f.manifest != "" {
		s.plan, err = readManifest(f.manifest, stdin, batch.Manifest{Reference: f.ref, Deadlines: deadlines, Resolve: builtins()})
		return s, err
	}
	s.plan = batch.NewPlan(f.ref, args, deadlines)
	s.single = len(args) == 1
	if s.single {
		err = readableFile(args[0])
	}
	return s, err
}

// mostJobs keeps the files that are open within what systems allow: each job has
// up to five.
const mostJobs = 256

func (f fileFlags) check(args []string) error {
	switch {
	case f.manifest != "" && len(args) > 0:
		return usagef("--manifest lists the captures: %q cannot be named as well", args)
	case f.manifest == "" && f.ref == "":
		return usagef("--ref is missing; hint: vqeval score --ref original.mp4 received.mp4")
	case f.manifest == "" && len(args) == 0:
		return usagef("no capture to score; hint: vqeval score --ref %s received.mp4", f.ref)
	case f.jobs < 0 || f.jobs > mostJobs:
		return usagef("--jobs %d: want 0 (one a processor) to %d", f.jobs, mostJobs)
	case f.worst < 0:
		return usagef("--worst %d is less than 0", f.worst)
	case f.out == "" && (f.formatSet || f.frames && f.perFrame):
		return usagef("the scores per frame need a place; hint: --out FILE, --out FOLDER, or --out - for stdout")
	}
	return nil
}

func parseDeadlines(list []string) ([]time.Duration, error) {
	var out []time.Duration
	for _, text := range list {
		var d lab.Deadline
		if err := d.UnmarshalText([]byte(text)); err != nil {
			return nil, usagef("--deadline: %w", err)
		}
		out = append(out, time.Duration(d))
	}
	return out, nil
}

// readableFile makes sure that an input is there, in words of its own.
func readableFile(path string) error {
	st, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("%s: no such file", path)
	case err != nil:
		return err
	case st.IsDir():
		return fmt.Errorf("%s: %w", path, decode.ErrDirectory)
	}
	return nil
}

// options translates the flags that say how to score.
func (f fileFlags) options(o *batch.Options) error {
	raw, err := f.raw.raw()
	if err != nil {
		return err
	}
	load, params, err := f.stream.load()
	if err != nil {
		return err
	}
	o.Jobs, o.FailFast, o.Shown = f.jobs, f.failFast, f.shown
	o.Score = score.Options{Align: f.score.align, Scale: f.scale.value == "bicubic", Convert: f.convert, Range: f.span}
	o.Score.Metrics.SSIM, o.Score.Metrics.MSSSIM, o.Score.Metrics.LumaOnly = f.score.ssim, f.score.msssim, f.score.luma
	o.Template = score.Capture{Raw: raw, Load: load, Params: params, Policy: f.score.policy, Late: stream.LatePolicy(f.late.value)}
	return nil
}

// settings lists every flag that numbers depend on.
func (f fileFlags) settings() map[string]string {
	s := map[string]string{
		"align": f.score.align.String(), "ssim": f.score.ssim.String(), "ms_ssim": strconv.FormatBool(f.score.msssim),
		"luma": strconv.FormatBool(f.score.luma), "broken_nal": f.score.policy.String(), "late": f.late.value,
		"scale": f.scale.value, "convert": strconv.FormatBool(f.convert), "range": f.span.String(),
		"skip_frozen": strconv.FormatBool(f.shown),
	}
	maps.Copy(s, map[string]string{"size": f.raw.size, "pix_fmt": f.raw.format, "rate": f.raw.rate,
		"port": strconv.Itoa(int(f.stream.port)), "ssrc": f.stream.ssrc, "sdp": f.stream.sdp})
	return s
}

// rawFlags say how files of bare pictures are laid out.
type rawFlags struct{ size, format, rate string }

func (r *rawFlags) add(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&r.size, "size", "", "`WxH` of bare pictures (.yuv)")
	f.StringVar(&r.format, "pix-fmt", "", "pixel `FORMAT` of bare pictures, as libav calls it (default yuv420p)")
	f.StringVar(&r.rate, "rate", "", "frames/s of bare pictures, such as 25 or 30000/1001")
}

func (r rawFlags) raw() (score.Raw, error) {
	out := score.Raw{Format: r.format}
	if r.size != "" {
		w, h, ok := strings.Cut(strings.ToLower(r.size), "x")
		width, errW := strconv.Atoi(w)
		height, errH := strconv.Atoi(h)
		if !ok || errW != nil || errH != nil || width < 1 || height < 1 {
			return out, usagef("--size %q: want WxH, such as 1920x1080", r.size)
		}
		out.Size = decode.Size{Width: width, Height: height}
	}
	if r.rate != "" {
		n, d, fraction := strings.Cut(r.rate, "/")
		if !fraction {
			d = "1"
		}
		num, errN := strconv.Atoi(n)
		den, errD := strconv.Atoi(d)
		if errN != nil || errD != nil || num < 1 || den < 1 {
			return out, usagef("--rate %q: want frames/s, such as 25 or 30000/1001", r.rate)
		}
		out.Rate = decode.Rate{Num: num, Den: den}
	}
	return out, nil
}

// streamFlags say which stream of a recording is meant.
type streamFlags struct {
	port uint16
	ssrc string
	sdp  string
}

func (s *streamFlags) add(c *cobra.Command) {
	f := c.Flags()
	f.Uint16Var(&s.port, "port", 0, "UDP `PORT` that the stream of a recording went to")
	f.StringVar(&s.ssrc, "ssrc", "", "`SSRC` of the stream of a recording, such as 0x1234abcd")
	f.StringVar(&s.sdp, "sdp", "", "session description `FILE` with parameter sets that a recording lacks")
}

func (s streamFlags) load() (o stream.LoadOptions, params [][]byte, err error) {
	o.Filter = capture.Filter{Port: s.port}
	if s.ssrc != "" {
		n, err := strconv.ParseUint(s.ssrc, 0, 32)
		if err != nil {
			return o, nil, usagef("--ssrc %q: want a number of 32 bits, such as 0x1234abcd", s.ssrc)
		}
		o.Filter.SSRC, o.Filter.HasSSRC = uint32(n), true
	}
	if s.sdp != "" {
		d, err := readSDP(s.sdp)
		if err != nil {
			return o, nil, err
		}
		params = d.Params
	}
	return o, params, nil
}
