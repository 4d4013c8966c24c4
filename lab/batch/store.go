package batch

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
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
//	summary.json summary.parquet
//	scores/         per frame, where that is wanted
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

	mu    sync.Mutex
	rows  []Row // by the plan; with neither numbers nor error if not there yet
	todo  []int
	kept  int
	files map[string]identified // of references, at their first look
}

type identified struct {
	id  identity
	err error
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
)

// OpenFolder takes dir for this process and finds out what of the plan is there
// already: scored with the same settings, from files that have not changed since.
func OpenFolder(dir string, p Plan, o FolderOptions) (*Folder, error) {
	lock, err := folder.Take(dir)
	if err != nil {
		return nil, err
	}
	f := &Folder{dir: dir, made: o.Made, plan: p, hash: o.Hash, lock: lock, rows: make([]Row, len(p.Items)), files: map[string]identified{}}
	if o.PerFrame {
		f.parts = o.Format.Parts()
	}
	if err := f.begin(o); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

func (f *Folder) begin(o FolderOptions) error {
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
	entries = f.reuse(entries)
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

// adopt writes what makes the results, or checks that those that are there were
// made so.
func (f *Folder) adopt(anew bool) error {
	if _, err := os.Stat(f.Path("manifest.json")); err == nil {
		return fmt.Errorf("%s: %w: those of an experiment; hint: choose another --out", f.dir, ErrOther)
	}
	text, err := os.ReadFile(f.Path(madeFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f.fresh = err != nil
	if err == nil && !anew {
		var old Made
		if err := json.Unmarshal(text, &old); err != nil {
			return fmt.Errorf("%s: %w; hint: --force scores everything again", f.Path(madeFile), err)
		}
		if what := differing(old.Settings, f.made.Settings); what != "" {
			return fmt.Errorf("%s: %w: made with another %s; hint: choose another --out, or score everything again with --force", f.dir, ErrOther, what)
		}
	}
	if text, err = json.MarshalIndent(f.made, "", "  "); err != nil {
		return err
	}
	return folder.WriteFile(f.Path(madeFile), append(text, '\n'))
}

// differing names a setting that is not the same, and both its values.
func differing(a, b map[string]string) string {
	names := slices.Sorted(maps.Keys(a))
	for n := range b {
		if _, ok := a[n]; !ok {
			names = append(names, n)
		}
	}
	slices.Sort(names)
	for _, n := range names {
		if a[n] != b[n] {
			return fmt.Sprintf("%s (%q, now %q)", n, a[n], b[n])
		}
	}
	return ""
}

// reuse takes over what is there and fills the list of what is to be done. It
// returns the entries that stay in the journal: those, and those of items that
// the plan does not have this time.
func (f *Folder) reuse(entries []entry) []entry {
	byKey := make(map[key]*entry, len(entries))
	for i := range entries {
		byKey[entries[i].key()] = &entries[i]
	}
	names := map[string]bool{}
	var stay []entry
	for i, it := range f.plan.Items {
		names[it.Name] = true
		f.identify(it.Reference) // before they are scored: a change after that counts
		f.identify(it.Captured)
		e := byKey[keyOf(it)]
		delete(byKey, keyOf(it))
		if e == nil || !f.valid(*e, it) {
			f.todo = append(f.todo, i)
			continue
		}
		f.rows[i] = e.row(it)
		f.kept++
		stay = append(stay, *e)
	}
	for _, e := range entries {
		if byKey[e.key()] != nil && !names[e.Name] {
			stay = append(stay, e)
		}
	}
	return stay
}

// valid reports whether an entry still tells what scoring the item would tell.
// Failures are tried again: the reason may not have been the file.
func (f *Folder) valid(e entry, it Item) bool {
	if e.Err != "" || e.Name != it.Name {
		return false
	}
	ref, err := f.identify(it.Reference)
	if err != nil || !e.RefFile.same(ref) {
		return false
	}
	captured, err := f.identify(it.Captured)
	if err != nil || !e.File.same(captured) {
		return false
	}
	for _, part := range f.parts {
		if _, err := os.Stat(f.scorePath(it, part)); err != nil {
			return false
		}
	}
	return true
}

// identify looks at a file once. The caller holds the lock, or is alone.
func (f *Folder) identify(path string) (identity, error) {
	if i, ok := f.files[path]; ok {
		return i.id, i.err
	}
	id, err := identify(path, f.hash)
	f.files[path] = identified{id, err}
	return id, err
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

// SaveScores writes the scores per frame, if they are wanted; of a capture that
// could not be scored, older ones go away. It may be called by several goroutines.
func (f *Folder) SaveScores(r *Result) error {
	for _, part := range f.parts {
		if r.Err != nil {
			os.Remove(f.scorePath(r.Item, part))
			continue
		}
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

// Keep notes a result, behind all that came before. It is safe from then on, even
// if the process is killed.
func (f *Folder) Keep(r *Result) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	ref, _ := f.identify(r.Item.Reference) // a file that is not there has no identity
	captured, _ := f.identify(r.Item.Captured)
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

// Finish writes the summaries anew, whole and in the plan's order.
func (f *Folder) Finish() error {
	rows := f.present()
	if err := f.writeSummary(rows); err != nil {
		return err
	}
	var b bytes.Buffer
	if err := WriteJSON(&b, f.made, f.plan.Labels, rows); err != nil {
		return err
	}
	return folder.WriteFile(f.Path("summary.json"), b.Bytes())
}

func (f *Folder) writeSummary(rows []Row) error {
	var b bytes.Buffer
	if err := WriteCSV(&b, f.plan.Labels, rows); err != nil {
		return err
	}
	return folder.WriteFile(f.Path(summaryFile), b.Bytes())
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
