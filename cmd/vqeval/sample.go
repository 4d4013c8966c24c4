package main

import (
	"github.com/spf13/cobra"

	"github.com/vqeval/vqeval/samples"
)

func (a *app) sampleCommand() *cobra.Command {
	var size choice
	var force bool
	c := &cobra.Command{
		Use:   "sample OUT.mp4",
		Short: "write the built-in test clip to a file",
		Long: `Writes the clip that experiments use when no other is named: 15 s, 375 frames,
1920x1080 at 25 frames/s, H.264 High at 6.2 Mbit/s, a key frame every 2 s.`,
		Example: `  vqeval sample clip.mp4
  vqeval sample --size small tiny.mp4   # the same scenes in 320x180`,
		Args: exactArgs(1, "the file to write"),
		RunE: func(_ *cobra.Command, args []string) error {
			clip := samples.FullHD
			if size.value == "small" {
				clip = samples.Small
			}
			return a.sample(args[0], clip, force)
		},
	}
	choiceVar(c, &size, "size", "which version", "fullhd", "small")
	c.Flags().BoolVarP(&force, "force", "f", false, "overwrite OUT.mp4")
	return c
}

// sampleSummary is what `vqeval sample --json` prints.
type sampleSummary struct {
	File   string `json:"file"`
	Clip   string `json:"clip"`
	Bytes  int    `json:"bytes"`
	SHA256 string `json:"sha256"`
}

func (a *app) sample(path string, clip samples.Clip, force bool) error {
	b, err := clip.Bytes()
	if err != nil {
		return err
	}
	s := sampleSummary{File: path, Clip: string(clip), Bytes: len(b)}
	if s.SHA256, err = clip.SHA256(); err != nil {
		return err
	}
	f, err := create(path, force)
	if err != nil {
		return err
	}
	if err := f.commit(b); err != nil {
		return err
	}
	if a.json {
		return printJSON(a.stdout, s)
	}
	a.note("%s: %s, %d bytes, sha256 %s", path, clip, len(b), s.SHA256)
	return nil
}
