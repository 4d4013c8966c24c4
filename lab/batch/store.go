package batch

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/vqeval/vqeval/lab/folder"
)

// A Folder keeps the results of a batch as they come:
//
//	batch.json      what made them
//	journal.jsonl   a line a result, which the next run goes on from
//	summary.csv     a line a result; in the plan's order once the batch has ended
//	summary.json summary.parquet index.html
//	scores/         per frame, where that is wanted
//	reports/        a page of each capture, made by the caller
type Folder struct {
	dir     string
	made    Made
	plan    Plan
	parts   []Part // of the files of scores, none = they are not wanted
	hash    bool
	fresh   bool // nothing was there
	lock    *folder.Lock
	journal *os.File
	summary *os.File

	mu     sync.Mutex
	rows   []Row // by the plan; with neither numbers nor error if not there yet
	todo   []int
	kept   int
	inputs map[string]*input
}

// FolderOptions say what a Folder does beside keeping rows.
type FolderOptions struct {
	Made     Made
	PerFrame bool // keep scores per frame
	Format   Format
	Hash     bool // tell changed files by their content, not by size and time
	Anew     bool // score everything again
}

// ErrOther is returned for a folder that holds results of something else.
var ErrOther = errors.New("the folder holds other results")

const (
	madeFile    = "batch.json"
	journalFile = "journal.jsonl"
	summaryFile = "summary.csv"
	scoresDir   = "scores"
	pagesDir    = "reports"
)

// OpenFolder takes dir for this process and finds out what of the plan is there
// already: scored with the same settings, from files that have not changed since.
func OpenFolder(ctx context.Context, dir string, p Plan, o FolderOptions) (*Folder, error) {
	lock, err := folder.Take(dir)
	if err != nil {
		return nil, err
	}
	f := &Folder{dir: dir, made: o.Made, plan: p, hash: o.Hash, lock: lock, rows: make([]Row, len(p.Items)), inputs: map[string]*input{}}
	if o.PerFrame {
		f.parts = o.Format.Parts()
	}
	if err := f.begin(ctx, o); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

func (f *Folder) begin(ctx context.Context, o FolderOptions) error {
	if err := f.adopt(o.Anew); err != nil {
		return err
	}
	var entries []entry
	if !o.Anew {
		var err error
		if entries, err = readJournal(f.Path(journalFile)); err != nil {
			return err
		}
	}
	entries, err := f.reuse(ctx, entries)
	if err != nil {
		return err
	}
	text, err := journalBytes(entries)
	if err != nil {
		return err
	}
	if err := folder.WriteFile(f.Path(journalFile), text); err != nil {
		return err
	}
	if err := f.writeSummary(f.present()); err != nil {
		return err
	}
	if f.journal, err = os.OpenFile(f.Path(journalFile), os.O_WRONLY|os.O_APPEND, 0); err != nil {
		return err
	}
	f.summary, err = os.OpenFile(f.Path(summaryFile), os.O_WRONLY|os.O_APPEND, 0)
	return err
}

// Path returns the path of a file of the folder.
func (f *Folder) Path(parts ...string) string {
	return filepath.Join(append([]string{f.dir}, parts...)...)
}

func (f *Folder) scorePath(it Item, p Part) string { return f.Path(scoresDir, it.Name+p.Suffix) }

// Todo lists the items that are not there yet.
func (f *Folder) Todo() []int { return f.todo }

// Kept is how many items were there already.
func (f *Folder) Kept() int { return f.kept }

// Row returns the row of an item of the plan, and whether it is there.
func (f *Folder) Row(i int) (Row, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.rows[i], f.has(i)
}

// present returns the rows that are there, in the plan's order.
func (f *Folder) present() []Row {
	f.mu.Lock()
	defer f.mu.Unlock()
	var rows []Row
	for i := range f.rows {
		if f.has(i) {
			rows = append(rows, f.rows[i])
		}
	}
	return rows
}

func (f *Folder) has(i int) bool { return f.rows[i].Numbers != nil || f.rows[i].Failed() }

// SaveScores writes the scores per frame, if they are wanted; older ones in other
// formats, or of a capture that could not be scored, go away, and so does its page
// then. It may be called by several goroutines.
func (f *Folder) SaveScores(r *Result) error {
	f.input(r.Item.Reference).identity() // reads the content here, where several can at once
	f.input(r.Item.Captured).identity()
	parts := f.parts
	if r.Err != nil {
		parts = nil
	}
	f.removeOthers(r.Item, parts)
	for _, part := range parts {
		text, err := part.Bytes(r.Series)
		if err != nil {
			return fmt.Errorf("%s: %w", r.Item.Name, err)
		}
		if err := folder.WriteFile(f.scorePath(r.Item, part), text); err != nil {
			return err
		}
	}
	return nil
}

// removeOthers removes what is there of an item from another time.
func (f *Folder) removeOthers(it Item, parts []Part) {
	for i := range formatNames {
		for _, old := range Format(i).Parts() {
			if !slices.ContainsFunc(parts, func(p Part) bool { return p.Suffix == old.Suffix }) {
				os.Remove(f.scorePath(it, old))
			}
		}
	}
	if len(parts) == 0 {
		os.Remove(f.PagePath(it))
	}
}

// Keep notes a result, behind all that came before. It is safe from then on, even
// if the process is killed.
func (f *Folder) Keep(r *Result) error {
	ref, _ := f.input(r.Item.Reference).identity() // a file that is not there has none
	captured, _ := f.input(r.Item.Captured).identity()
	f.mu.Lock()
	defer f.mu.Unlock()
	line, err := newEntry(r.Row, ref, captured).line()
	if err != nil {
		return err
	}
	if _, err := f.journal.Write(line); err != nil {
		return err
	}
	f.rows[r.Index] = r.Row
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.Write(r.Row.cells(len(f.plan.Labels)))
	w.Flush()
	_, err = f.summary.Write(b.Bytes())
	return err
}

// Abandon removes a folder that OpenFolder made and that is to hold nothing. One
// that held results before stays as it is.
func (f *Folder) Abandon() error {
	err := f.Close()
	if !f.fresh {
		return err
	}
	for _, name := range []string{madeFile, journalFile, summaryFile, scoresDir, "."} {
		os.Remove(f.Path(name)) // folders go only if they are empty
	}
	return err
}

// Close gives the folder free. Closing twice does nothing.
func (f *Folder) Close() error {
	var err error
	for _, file := range []*os.File{f.journal, f.summary} {
		if file != nil {
			err = errors.Join(err, file.Close())
		}
	}
	f.journal, f.summary = nil, nil
	return errors.Join(err, f.lock.Release())
}
