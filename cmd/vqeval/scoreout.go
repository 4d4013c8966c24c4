package main

import (
	"context"
	"io"
	"os"
	"strings"

	"github.com/vqeval/vqeval/lab/batch"
)

// scoreOutput is where the results of score go, and those that came so far.
type scoreOutput struct {
	plan    batch.Plan
	folder  *batch.Folder // nil = none
	files   []scoreFile   // of the only capture's scores
	junit   *outFile
	stdout  bool        // the scores themselves go there
	lines   *jsonLines  // nil = no JSON lines
	rows    []batch.Row // by the plan, unless there is a folder
	failure error       // of the last capture that failed
	pages   bool        // each capture has a page in the folder
	worst   worstScores
}

// scoreFile is a file of scores per frame that was created.
type scoreFile struct {
	batch.Part
	outFile
	w io.Writer // instead of the file
}

// openScores creates every output, so that none can come as a surprise.
func (a *app) openScores(ctx context.Context, f fileFlags, s scoring) (*scoreOutput, error) {
	o := &scoreOutput{plan: s.plan, rows: make([]batch.Row, len(s.plan.Items))}
	err := a.createOutputs(ctx, o, f, s)
	if err == nil && a.json && !o.stdout {
		o.lines = &jsonLines{w: a.stdout, labels: s.plan.Labels}
		err = o.lines.advance(o.rowAt)
	}
	if err != nil {
		o.close()
		return nil, err
	}
	return o, nil
}

func (a *app) createOutputs(ctx context.Context, o *scoreOutput, f fileFlags, s scoring) error {
	inputs := newInputs(s.plan)
	if f.junit != "" {
		if err := inputs.check("--junit", f.junit); err != nil {
			return err
		}
		file, err := create(f.junit, true)
		if err != nil {
			return err
		}
		o.junit = &file
	}
	switch {
	case f.out == "":
		return nil
	case f.out == "-":
		o.stdout = true
		return o.singleFile(f, s, inputs, a.stdout)
	case namesFile(f.out):
		st, err := os.Stat("/dev/stdout")
		if dev, derr := os.Stat(f.out); err == nil && derr == nil && os.SameFile(st, dev) {
			o.stdout = true
		}
		return o.singleFile(f, s, inputs, nil)
	}
	if err := inputs.check("--out", f.out); err != nil {
		return err
	}
	var err error
	o.pages, o.worst.n = f.keepsFrames(), f.worst
	o.folder, err = batch.OpenFolder(ctx, f.out, s.plan, batch.FolderOptions{Made: s.made, PerFrame: f.keepsFrames(), Format: f.format, Hash: f.hash, Anew: f.force})
	if err != nil {
		return err
	}
	return dropPlots(o.folder, s.plan)
}

// keepsFrames reports whether a folder gets the scores per frame.
func (f fileFlags) keepsFrames() bool {
	if f.frames {
		return f.perFrame
	}
	return f.manifest == ""
}

// namesFile reports whether --out is a file of scores rather than a folder.
func namesFile(path string) bool {
	if st, err := os.Stat(path); err == nil && !st.Mode().IsRegular() {
		return !st.IsDir()
	}
	_, known := batch.FormatOf(path)
	return known && !strings.HasSuffix(path, "/")
}

// singleFile creates the files of one capture's scores; w, if not nil, takes
// their place.
func (o *scoreOutput) singleFile(f fileFlags, s scoring, in inputs, w io.Writer) error {
	if len(s.plan.Items) != 1 {
		return usagef("--out %s is a file, which holds one capture at one deadline; hint: give a folder for %d", f.out, len(s.plan.Items))
	}
	format := f.format
	if known, ok := batch.FormatOf(f.out); ok && !f.formatSet {
		format = known
	}
	for _, part := range format.Parts() {
		file := scoreFile{Part: part, w: w}
		if w == nil {
			path := part.Path(f.out)
			if st, err := os.Stat(f.out); err == nil && !st.Mode().IsRegular() {
				path = f.out
			}
			if err := in.check("--out", path); err != nil {
				return err
			}
			var err error
			if file.outFile, err = create(path, f.force); err != nil {
				return err
			}
		}
		o.files = append(o.files, file)
	}
	return nil
}
