package main

import (
	"bytes"
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
func (a *app) openScores(f fileFlags, s scoring) (*scoreOutput, error) {
	o := &scoreOutput{plan: s.plan, rows: make([]batch.Row, len(s.plan.Items))}
	err := a.createOutputs(o, f, s)
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

func (a *app) createOutputs(o *scoreOutput, f fileFlags, s scoring) error {
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
	o.folder, err = batch.OpenFolder(f.out, s.plan, batch.FolderOptions{Made: s.made, PerFrame: f.keepsFrames(), Format: f.format, Hash: f.hash, Anew: f.force})
	return err
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

// todo lists what has to be scored.
func (o *scoreOutput) todo() []int {
	if o.folder != nil {
		return o.folder.Todo()
	}
	all := make([]int, len(o.plan.Items))
	for i := range all {
		all[i] = i
	}
	return all
}

// save writes what is kept of a result beside its row.
func (o *scoreOutput) save(r *batch.Result) error {
	if o.folder != nil {
		o.worst.take(r)
		if o.pages && r.Err == nil {
			if err := writePage(o.folder.PagePath(r.Item), r); err != nil {
				return err
			}
		}
		return o.folder.SaveScores(r)
	}
	if r.Err != nil {
		return nil
	}
	for i, f := range o.files {
		text, err := f.Bytes(r.Series)
		if err != nil {
			return err
		}
		if f.w != nil {
			_, err = f.w.Write(text)
		} else {
			err = f.commit(text)
		}
		if err != nil {
			return err
		}
		o.files[i].temporary = "" // nothing is left to be removed
	}
	return nil
}

// keep takes a result's row.
func (o *scoreOutput) keep(r *batch.Result) error {
	if r.Err != nil {
		o.failure = r.Err
	}
	if o.folder != nil {
		if err := o.folder.Keep(r); err != nil {
			return err
		}
	}
	o.rows[r.Index] = r.Row
	if o.lines != nil && (o.failure == nil || len(o.plan.Items) > 1) {
		return o.lines.advance(o.rowAt)
	}
	return nil
}

// rowAt returns row i of the plan, if it is there.
func (o *scoreOutput) rowAt(i int) (batch.Row, bool) {
	if i >= len(o.rows) {
		return batch.Row{}, false
	}
	if o.folder != nil {
		return o.folder.Row(i)
	}
	return o.rows[i], o.rows[i].Numbers != nil || o.rows[i].Failed()
}

// done returns the rows that are there, in the plan's order.
func (o *scoreOutput) done() (rows []batch.Row) {
	for i := range o.plan.Items {
		if r, ok := o.rowAt(i); ok {
			rows = append(rows, r)
		}
	}
	return rows
}

// close removes what was created and never written, and gives the folder free.
func (o *scoreOutput) close() {
	for _, f := range o.files {
		f.discard()
	}
	if o.junit != nil {
		o.junit.discard()
	}
	if o.folder != nil {
		o.folder.Close()
	}
}

// abandon leaves no folder behind in which there is nothing.
func (o *scoreOutput) abandon() {
	if o.folder != nil {
		o.folder.Abandon()
	}
}

// finishScores writes what sums the results up, and prints them. Whole says that
// no result is missing.
func (a *app) finishScores(ctx context.Context, f fileFlags, s scoring, o *scoreOutput, whole bool) error {
	rows := o.done()
	if o.folder != nil {
		plots, err := a.drawScores(ctx, f, s, o, rows)
		if err != nil {
			return err
		}
		if err := o.folder.Finish(plots); err != nil {
			return err
		}
	}
	if o.junit != nil {
		var b bytes.Buffer
		if err := batch.WriteJUnit(&b, rows, s.limits); err != nil {
			return err
		}
		err := o.junit.commit(b.Bytes())
		o.junit = nil
		if err != nil {
			return err
		}
	}
	if !whole {
		a.note("%d of %d captures are not scored", len(s.plan.Items)-len(rows), len(s.plan.Items))
	}
	return a.printScores(f, s, o, rows)
}
