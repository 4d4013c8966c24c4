package batch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"

	"github.com/vqeval/vqeval/lab/folder"
)

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
	if err == nil && anew { // first of all, lest older results pass for ones made as batch.json will say
		if err := folder.WriteFile(f.Path(journalFile), nil); err != nil {
			return err
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
func (f *Folder) reuse(ctx context.Context, entries []entry) ([]entry, error) {
	byKey := make(map[key]*entry, len(entries))
	for i := range entries {
		byKey[entries[i].key()] = &entries[i]
	}
	names := map[string]bool{}
	var stay []entry
	for i, it := range f.plan.Items {
		if err := ctx.Err(); err != nil { // contents take their time
			return nil, err
		}
		names[it.Name] = true
		f.input(it.Reference) // before they are scored: a change after that counts
		f.input(it.Captured)
		e := byKey[keyOf(it)]
		delete(byKey, keyOf(it))
		if e == nil || !f.valid(*e, it) {
			f.todo = append(f.todo, i)
			continue
		}
		if f.hash { // the time of change may be another one
			e.RefFile, _ = f.input(it.Reference).identity()
			e.File, _ = f.input(it.Captured).identity()
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
	return stay, nil
}

// valid reports whether an entry still tells what scoring the item would tell.
// Failures are tried again: the reason may not have been the file.
func (f *Folder) valid(e entry, it Item) bool {
	if e.Err != "" {
		return false
	}
	ref, err := f.input(it.Reference).identity()
	if err != nil || !e.RefFile.same(ref) {
		return false
	}
	captured, err := f.input(it.Captured).identity()
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

// input is a file as it was at its first look.
func (f *Folder) input(path string) *input {
	f.mu.Lock()
	defer f.mu.Unlock()
	in := f.inputs[path]
	if in == nil {
		in = newInput(path, f.hash)
		f.inputs[path] = in
	}
	return in
}
