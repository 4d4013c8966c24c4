package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/vqeval/vqeval/lab"
)

func (a *app) reportCommand() *cobra.Command {
	var frame int
	var out string
	c := &cobra.Command{
		Use:   "report DIR | SCORES...",
		Short: "draw the results of a folder, or files of scores: curves, frame comparison, HTML page",
		Long: `Draws what vqeval run drew, from the scores in its result folder alone; pictures
are decoded again where they are needed. report.html is one file that opens from
disk, without a network.

Of files of scores, it draws a page with a curve each: CSV, JSON or Parquet of
vqeval, libvmaf's JSON, the stats files of ffmpeg's psnr and ssim filters.`,
		Example: `  vqeval report out/fullhd
  vqeval report out/fullhd --frame 120
  vqeval report out/fullhd --out page.html --pdf
  vqeval report ours.csv vmaf.json psnr.log --out page.html`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("report wants a result folder, or files of scores, got nothing; hint: vqeval report --help")
			}
			if files, err := areFiles(args); err != nil {
				return err
			} else if files {
				return a.reportScores(args, frame, out, c.Flags().Changed("frame"))
			}
			return a.redraw(c.Context(), args[0], frame, out, c.Flags().Changed("frame"))
		},
	}
	c.Flags().IntVar(&frame, "frame", 36, "`NUMBER` of the frame to show side by side (default the experiment's)")
	c.Flags().BoolVar(&a.pdf, "pdf", false, "plots as PDF too, beside PNG and SVG")
	c.Flags().StringVarP(&out, "out", "o", "", "write the page to `FILE.html` (default DIR/report.html, or report.html)")
	return c
}

func (a *app) redraw(ctx context.Context, dir string, frame int, out string, given bool) error {
	res, err := lab.Open(dir)
	if err != nil {
		return err
	}
	if len(res.Scored) == 0 && (given || out != "") {
		return usagef("--frame and --out: the experiment in %s measured delivery alone, it has no pictures and no page", dir)
	}
	if given {
		if n := len(res.Scored[0].Series.Rows); frame < 0 || frame >= n {
			return usagef("--frame %d: the clip has frames 0..%d", frame, n-1)
		}
		res.Manifest.Experiment.Frame = frame
	}
	if out == "" {
		out = filepath.Join(dir, "report.html")
	}
	if err := a.draw(ctx, res, newGallery(res.Manifest.Experiment), out); err != nil {
		return err
	}
	if a.json {
		return printJSON(a.stdout, res.Files())
	}
	for _, f := range res.Files() {
		fmt.Fprintln(a.stdout, f)
	}
	return nil
}
