package batch

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// An entry is a line of the journal: a result, and what it was made of.
type entry struct {
	Reference  string             `json:"reference"` // absolute paths
	Captured   string             `json:"captured"`
	DeadlineNS int64              `json:"deadline_ns,omitempty"`
	Name       string             `json:"name"`
	RefFile    identity           `json:"reference_file"`
	File       identity           `json:"captured_file"`
	Dialect    string             `json:"ssim_dialect,omitempty"`
	Align      string             `json:"align,omitempty"`
	Pooled     string             `json:"pooled,omitempty"`
	Numbers    map[string]float64 `json:"numbers,omitempty"`
	Notes      []string           `json:"notes,omitempty"`
	Err        string             `json:"error,omitempty"`
}

// key says which item an entry is of. The name tells captures apart that stand in
// a plan twice.
type key struct {
	reference, captured, name string
	deadline                  time.Duration
}

func (e entry) key() key { return key{e.Reference, e.Captured, e.Name, time.Duration(e.DeadlineNS)} }

func keyOf(it Item) key {
	return key{absolute(it.Reference), absolute(it.Captured), it.Name, it.Deadline}
}

func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	return jsonText(path)
}

// jsonText replaces what is not UTF-8 as JSON does, so that names of any bytes are
// found again in the journal.
func jsonText(s string) string { return strings.Map(func(r rune) rune { return r }, s) }

func newEntry(r Row, ref, captured identity) entry {
	k := keyOf(r.Item)
	e := entry{Reference: k.reference, Captured: k.captured, DeadlineNS: int64(k.deadline), Name: k.name,
		RefFile: ref, File: captured, Dialect: r.Dialect, Align: r.Align, Pooled: r.Pooled, Notes: r.Notes, Err: r.Err}
	if !r.Failed() {
		e.Numbers = map[string]float64{}
		for i, v := range r.Numbers {
			if !math.IsNaN(v) && !math.IsInf(v, 0) {
				e.Numbers[numberNames[i]] = v
			}
		}
	}
	return e
}

// row is the inverse of newEntry, for the item as the plan has it now.
func (e entry) row(it Item) Row {
	r := Row{Item: it, Dialect: e.Dialect, Align: e.Align, Pooled: e.Pooled, Notes: e.Notes, Err: e.Err}
	if r.Failed() {
		return r
	}
	r.Numbers = make([]float64, len(numberNames))
	for i, name := range numberNames {
		v, ok := e.Numbers[name]
		if !ok {
			v = math.NaN()
		}
		r.Numbers[i] = v
	}
	return r
}

// readJournal reads the journal of that path, if there is one.
func readJournal(path string) ([]entry, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	entries, err := parseJournal(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return entries, nil
}

// parseJournal reads the entries of a journal, the last one of each item. A line
// that is not whole was being written when the process ended.
func parseJournal(r io.Reader) ([]entry, error) {
	var entries []entry
	at := map[key]int{}
	in := bufio.NewReader(r)
	for {
		line, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return entries, nil
		}
		if err != nil {
			return nil, err
		}
		var e entry
		if json.Unmarshal(line, &e) != nil || e.Captured == "" || e.Err == "" && len(e.Numbers) == 0 {
			continue
		}
		if i, ok := at[e.key()]; ok {
			entries[i] = e
			continue
		}
		at[e.key()] = len(entries)
		entries = append(entries, e)
	}
}

// line is an entry as the journal has it.
func (e entry) line() ([]byte, error) {
	text, err := json.Marshal(e)
	if err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	return append(text, '\n'), nil
}

// journalBytes writes a whole journal.
func journalBytes(entries []entry) ([]byte, error) {
	var b bytes.Buffer
	for _, e := range entries {
		text, err := e.line()
		if err != nil {
			return nil, err
		}
		b.Write(text)
	}
	return b.Bytes(), nil
}
