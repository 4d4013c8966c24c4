package main

import (
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/vbauerster/mpb/v8"
)

// app is what the commands share: where they write, and how much they say.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	quiet, verbose bool
	json           bool
	pdf            bool          // plots as PDF too
	drawing        time.Duration // what drawing took
	profiles       profiles
	bars           *mpb.Progress // stands on the terminal, if any; text goes above it
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "vqeval",
		Short: "measure what a transport does to video",
		Long: `vqeval sends an H.264 clip over UDP or QUIC through a limited link and says,
frame by frame, what the viewer got: SSIM, MSE, PSNR, and why.`,
		Example: `  vqeval run                                   # UDP against QUIC at 5 Mbit/s, built-in clip
  vqeval run --clip talk.mp4 --rate 2mbit --seeds 10
  vqeval score --ref original.mp4 received.mp4 # score files you already have
  vqeval doctor                                # what this machine can do`,
		Version:            version(),
		SilenceErrors:      true,
		SilenceUsage:       true,
		Args:               cobra.ArbitraryArgs,
		RunE:               a.unknown,
		PersistentPreRunE:  func(*cobra.Command, []string) error { return a.profiles.start() },
		PersistentPostRunE: func(*cobra.Command, []string) error { return a.profiles.stop() },
	}
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.SetFlagErrorFunc(flagError)
	root.SetUsageTemplate(usageTemplate)
	p := root.PersistentFlags()
	p.BoolVarP(&a.quiet, "quiet", "q", false, "no progress and no remarks, only results and errors")
	p.BoolVarP(&a.verbose, "verbose", "v", false, "say more about what is done")
	p.BoolVar(&a.json, "json", false, "print the result as JSON")
	a.profiles.flags(p)
	root.AddCommand(a.runCommand(), a.scoreCommand(), a.reportCommand(), a.sendCommand(), a.recvCommand(),
		a.linkCommand(), a.replayCommand(), a.diffCommand(), a.sampleCommand(), a.doctorCommand())
	root.InitDefaultHelpCmd()
	a.replaceHelp(root)
	root.CompletionOptions.HiddenDefaultCmd = false
	root.InitDefaultCompletionCmd()
	a.strictCompletion(root)
	return root
}

// replaceHelp makes an unknown command after help a usage error, as it is
// everywhere else.
func (a *app) replaceHelp(root *cobra.Command) {
	for _, c := range root.Commands() {
		if c.Name() != "help" {
			continue
		}
		c.Run = nil
		c.RunE = func(_ *cobra.Command, args []string) error {
			sub, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return a.unknown(sub, rest)
			}
			return sub.Help()
		}
	}
}

// strictCompletion makes an unknown shell after completion a usage error, and
// an argument after a known one.
func (a *app) strictCompletion(root *cobra.Command) {
	for _, c := range root.Commands() {
		if c.Name() != "completion" {
			continue
		}
		c.Args, c.RunE = cobra.ArbitraryArgs, a.unknown
		for _, shell := range c.Commands() {
			shell.Args = exactArgs(0, "")
		}
	}
}

// version is the module's version, or the commit it was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return s.Value[:12]
		}
	}
	return "devel"
}

// exactArgs makes a wrong number of arguments a usage error that says what is
// wanted instead.
func exactArgs(n int, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) == n {
			return nil
		}
		if n == 0 {
			return usagef("%s takes no arguments, got %s; hint: %s --help", c.Name(), quoted(args), c.CommandPath())
		}
		return usagef("%s wants %s, got %s; hint: %s --help", c.Name(), what, quoted(args), c.CommandPath())
	}
}

// quoted lists arguments for a message.
func quoted(args []string) string {
	if len(args) == 0 {
		return "nothing"
	}
	text := make([]string, len(args))
	for i, s := range args {
		text[i] = strconv.Quote(s)
	}
	return strings.Join(text, " ")
}

// minArgs is exactArgs for n or more.

// note prints a remark to stderr unless --quiet.
func (a *app) note(format string, args ...any) {
	if !a.quiet {
		a.say(format, args...)
	}
}

// detail prints a remark to stderr only with --verbose.
func (a *app) detail(format string, args ...any) {
	if a.verbose && !a.quiet {
		a.say(format, args...)
	}
}

// say prints a line to stderr, above the progress bar where one stands.
func (a *app) say(format string, args ...any) {
	var w io.Writer = a.stderr
	if a.bars != nil {
		w = a.bars
	}
	fmt.Fprintf(w, format+"\n", args...)
}

// terminal reports whether w is a terminal that a person watches.
func terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}

// changed reports whether the user gave any of the named flags.
func changed(f *pflag.FlagSet, names ...string) bool {
	for _, n := range names {
		if f.Changed(n) {
			return true
		}
	}
	return false
}
