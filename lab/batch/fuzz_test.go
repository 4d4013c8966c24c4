package batch

import (
	"bytes"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// FuzzManifest takes any table: a plan that comes of it has a reference, a capture
// and all labels in each of its items, and no two items of one name.
func FuzzManifest(f *testing.F) {
	for _, text := range []string{
		"", "captured\n", "captured\na.mp4\n", "reference,captured\nref.mp4,a.mp4\n,b.mp4\n",
		"\ufeffcaptured,reference,site\r\na.mp4,r.mp4,\"Zürich, 1\"\r\n", "captured,captured\na,b\n",
		"captured,psnr_y_mean\na,1\n", "captured,x\na\n", "captured\n\"a\n", "captured\n# a\n\n  b\n",
		"captured\nrun[*.pcapng\n", "captured\nrun?.pcapng\n", ",captured\na,b\n", "captured\nbuiltin:small\n",
		"captured\n../a.mp4\na.mp4\nA.mp4\n./a.mp4\n", "captured,label\n\"a\nb\",\"c\"\"d\"\n", "captured\n\x00\n",
	} {
		f.Add(text)
	}
	m := Manifest{Dir: f.TempDir(), Reference: "ref.mp4", Deadlines: []time.Duration{0, time.Second}}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := m.Read(strings.NewReader(text))
		if err != nil {
			return
		}
		if len(p.Items) == 0 || len(p.Items)%len(m.Deadlines) != 0 {
			t.Errorf("%d items at %d deadlines", len(p.Items), len(m.Deadlines))
		}
		names := map[string]bool{}
		for _, it := range p.Items {
			if it.Reference == "" || it.Captured == "" || len(it.Labels) != len(p.Labels) {
				t.Errorf("got %+v with the labels %q", it, p.Labels)
			}
			if names[it.Name] || it.Name == "" || it.Name != filesafe(it.Name) {
				t.Errorf("name %q stands twice, or is none for a file", it.Name)
			}
			names[it.Name] = true
		}
	})
}

// filesafe returns what of a name can be part of a path on any system.
func filesafe(name string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune(`/\:*?"<>|`, r) {
			return -1
		}
		return r
	}, name)
}

// FuzzJournal takes any bytes as a journal: the entries that come of it are
// different ones, and survive being written and read again.
func FuzzJournal(f *testing.F) {
	e := entry{Reference: "/r.mp4", Captured: "/a.mp4", DeadlineNS: 5, Name: "a", Numbers: map[string]float64{"frames": 300, "psnr_y_mean": 36.5}}
	failed := entry{Reference: "/r.mp4", Captured: "/b.mp4", Name: "b", Err: "b.mp4: not a video"}
	whole, err := journalBytes([]entry{e, failed, e})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Add(bytes.ReplaceAll(whole, []byte("300"), []byte("1e999")))
	f.Add([]byte("null\n[]\n{}\n\n{\"captured\":\"a\",\"numbers\":{\"frames\":null}}\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		entries, err := parseJournal(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		for i, e := range entries {
			if slices.ContainsFunc(entries[:i], func(o entry) bool { return o.key() == e.key() }) {
				t.Errorf("%+v stands twice", e.key())
			}
			row := e.row(Item{Reference: e.Reference, Captured: e.Captured})
			if slices.ContainsFunc(row.Numbers, func(v float64) bool { return math.IsInf(v, 0) }) {
				t.Errorf("got %v", row.Numbers)
			}
		}
		written, err := journalBytes(entries)
		if err != nil {
			t.Fatal(err)
		}
		again, err := parseJournal(bytes.NewReader(written))
		if err != nil || len(again) != len(entries) {
			t.Fatalf("%d entries became %d, %v", len(entries), len(again), err)
		}
		once, err := journalBytes(again)
		if err != nil || !reflect.DeepEqual(once, written) {
			t.Errorf("%s became %s, %v", written, once, err)
		}
	})
}
