package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/vqeval/vqeval/decode"
	"github.com/vqeval/vqeval/lab"
)

func (a *app) replayCommand() *cobra.Command {
	var out string
	var jobs int
	c := &cobra.Command{
		Use:   "replay DIR/manifest.json",
		Short: "run an experiment again from its manifest, and say how equal it came out",
		Long: `Carries out the experiment that a manifest describes, from nothing but the
manifest, and compares what each run received with the recordings beside it. Over
UDP in virtual time the received bitstreams must be identical; a QUIC run in some
hundred takes another turn. Nothing is scored: vqeval run does that in the new
folder.`,
		Example: `  vqeval replay out/fullhd/manifest.json
  vqeval replay out/fullhd/manifest.json --out out/again --json`,
		Args: exactArgs(1, "a manifest.json"),
		RunE: func(c *cobra.Command, args []string) error {
			return a.replay(c.Context(), args[0], out, jobs)
		},
	}
	c.Flags().StringVarP(&out, "out", "o", "", "folder of the new runs, a `DIR` (default DIR-replay)")
	c.Flags().IntVarP(&jobs, "jobs", "j", 0, "worker processes (default one a processor)")
	return c
}

func (a *app) replay(ctx context.Context, manifest, out string, jobs int) error {
	if st, err := os.Stat(manifest); err == nil && st.IsDir() {
		manifest = filepath.Join(manifest, "manifest.json")
	}
	if out == "" {
		home, err := filepath.Abs(filepath.Dir(manifest))
		if err != nil {
			return err
		}
		out = home + "-replay"
	}
	bar := a.progress("sending", 0, "frames")
	runs, err := lab.Replay(ctx, manifest, out, lab.Options{Version: version(), Libraries: decode.Versions(), Command: os.Args, Workers: jobs,
		Progress: func(p lab.Progress) { bar.set(p.Done, p.Total, p.Label) }})
	a.endProgress(bar)
	if err != nil {
		return err
	}
	if a.json {
		if err := printJSON(a.stdout, runs); err != nil {
			return err
		}
	} else {
		printReplay(a.stdout, runs)
	}
	return replayError(runs)
}

func printReplay(w io.Writer, runs []lab.Replayed) {
	lines := [][]string{{"run", "bitstream", "frames alike", "packets", "before", "largest shift ms", "sha256"}}
	for _, r := range runs {
		verdict := "differs"
		switch {
		case r.Err != "":
			verdict = "failed: " + r.Err
		case r.Before == "":
			verdict = "nothing to compare with"
		case r.Exact:
			verdict = "identical"
		}
		lines = append(lines, []string{r.Run, verdict, fmt.Sprintf("%d/%d", r.Same, r.Frames), fmt.Sprint(r.Packets), fmt.Sprint(r.PacketsBefore),
			fmt.Sprintf("%.3f", r.WorstMS), r.SHA256[:min(12, len(r.SHA256))]})
	}
	printTable(w, lines, 2)
}

// replayError complains about UDP runs that did not repeat themselves. Real
// time never repeats exactly; that is said in the table.
func replayError(runs []lab.Replayed) error {
	failed := 0
	for _, r := range runs {
		if r.Err != "" || r.Must && r.Before != "" && !r.Exact {
			failed++
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d runs did not repeat themselves", failed, len(runs))
	}
	return nil
}
