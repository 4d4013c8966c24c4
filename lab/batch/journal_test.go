package batch

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"
)

// journalOf is a journal of several kinds of results, and its entries.
func journalOf(t *testing.T) ([]byte, []entry) {
	t.Helper()
	failed := Row{Item: Item{Name: "b", Reference: "r.mp4", Captured: "b\n\xff.mp4"}, Err: "not a video"}
	late := scored("c", map[string]float64{"psnr_y_mean": 100, "frames": 2, "deadline_ms": 50})
	late.Item.Deadline, late.Notes = 50*time.Millisecond, []string{"one", "two"}
	var entries []entry
	for _, r := range []Row{scored("a", map[string]float64{"psnr_y_mean": 31.25, "frames": 3}), failed, late} {
		entries = append(entries, newEntry(r, identity{1, 2, ""}, identity{3, 4, "ab"}))
	}
	text, err := journalBytes(entries)
	if err != nil {
		t.Fatal(err)
	}
	return text, entries
}

// TestJournalTorn cuts a journal behind each of its bytes, as a killed process
// does: what was whole is read.
func TestJournalTorn(t *testing.T) {
	text, entries := journalOf(t)
	path := filepath.Join(t.TempDir(), "journal.jsonl")
	for n := range len(text) + 1 {
		if err := os.WriteFile(path, text[:n], 0o644); err != nil {
			t.Fatal(err)
		}
		got, err := readJournal(path)
		if err != nil {
			t.Fatalf("of %d bytes: %v", n, err)
		}
		whole := bytes.Count(text[:n], []byte("\n"))
		if len(got) != whole {
			t.Fatalf("of %d bytes: got %d entries, want %d", n, len(got), whole)
		}
		for i, e := range got {
			if e.key() != entries[i].key() {
				t.Fatalf("of %d bytes: entry %d is of %v, want %v", n, i, e.key(), entries[i].key())
			}
		}
	}
}

// TestJournalDamaged has foreign bytes in each line in turn: the others are read.
func TestJournalDamaged(t *testing.T) {
	text, entries := journalOf(t)
	path := filepath.Join(t.TempDir(), "journal.jsonl")
	for i := range entries {
		lines := bytes.SplitAfter(bytes.Clone(text), []byte("\n"))
		copy(lines[i], "\x00\x00\x00")
		if err := os.WriteFile(path, bytes.Join(lines, nil), 0o644); err != nil {
			t.Fatal(err)
		}
		got, err := readJournal(path)
		if err != nil || len(got) != len(entries)-1 {
			t.Errorf("line %d damaged: got %d entries, %v, want %d", i, len(got), err, len(entries)-1)
		}
	}
}

func TestJournalRows(t *testing.T) {
	late := scored("c", map[string]float64{"psnr_y_mean": 1. / 3, "frames": 2, "goodput_mbps": 1e-9})
	late.Item.Labels, late.Notes = []string{"x"}, []string{"a note"}
	for _, want := range []Row{late, {Item: Item{Name: "d", Captured: "d.mp4"}, Err: "broken"}} {
		line, err := newEntry(want, identity{}, identity{}).line()
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "journal.jsonl")
		if err := os.WriteFile(path, line, 0o644); err != nil {
			t.Fatal(err)
		}
		entries, err := readJournal(path)
		if err != nil || len(entries) != 1 {
			t.Fatalf("got %v, %v, want one entry", entries, err)
		}
		got := entries[0].row(want.Item)
		if !reflect.DeepEqual(got.words(), want.words()) || !reflect.DeepEqual(got.cells(1), want.cells(1)) {
			t.Errorf("got %v, want %v", got.cells(1), want.cells(1))
		}
	}
}

// TestJournalLast has an item that was scored three times: the last time counts.
func TestJournalLast(t *testing.T) {
	var text []byte
	for _, psnr := range []float64{10, 20, 30} {
		line, err := newEntry(scored("a", map[string]float64{"psnr_y_mean": psnr}), identity{}, identity{}).line()
		if err != nil {
			t.Fatal(err)
		}
		text = append(text, line...)
	}
	path := filepath.Join(t.TempDir(), "journal.jsonl")
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := readJournal(path)
	if err != nil || len(got) != 1 || got[0].Numbers["psnr_y_mean"] != 30 {
		t.Errorf("got %v, %v, want one entry of 30 dB", got, err)
	}
}

func TestJournalThatIsNotThere(t *testing.T) {
	if got, err := readJournal(filepath.Join(t.TempDir(), "none")); err != nil || got != nil {
		t.Errorf("got %v, %v, want nothing", got, err)
	}
	if _, err := readJournal(t.TempDir()); err == nil {
		t.Error("a folder passes for a journal")
	}
}
