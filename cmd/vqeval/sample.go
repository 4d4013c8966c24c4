package main

import (
	"fmt"

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
  vqeval sample --size small tiny.mp4     # the same scenes in 320x180`,
		Args: exactArgs(1, "the file to write"),
		RunE: func(_ *cobra.Command, args []string) error {
			clip := samples.FullHD
			if size.value == "small" {
				clip = samples.Small
			}
			b, err := clip.Bytes()
			if err != nil {
				return err
			}
			f, err := create(args[0], force)
			if err != nil {
				return err
			}
			if err := f.commit(b); err != nil {
				return err
			}
			a.note("%s: %s, %d bytes", args[0], clip, len(b))
			return nil
		},
	}
	choiceVar(c, &size, "size", "which version", "fullhd", "small")
	c.Flags().BoolVarP(&force, "force", "f", false, "overwrite OUT.mp4")
	return c
}

// outFile is a file that appears under its name only when it is whole.
type outFile struct{ path, temporary string }

// create makes sure that path can be written; its content comes with commit.
func create(path string, overwrite bool) (outFile, error) {
	f, err := createTemporary(path, overwrite)
	if err != nil {
		return outFile{}, fmt.Errorf("write: %w", err)
	}
	return f, nil
}
