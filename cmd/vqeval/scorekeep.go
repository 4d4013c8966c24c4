package main

import (
	"bytes"
	"context"

	"github.com/vqeval/vqeval/lab/batch"
)

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
		goon := ""
		if o.folder != nil {
			goon = "; the same command goes on with them"
		}
		a.note("%d of %d captures are not scored%s", len(s.plan.Items)-len(rows), len(s.plan.Items), goon)
	}
	return a.printScores(f, s, o, rows)
}
