package batch

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vqeval/vqeval/lab/folder"
	"github.com/vqeval/vqeval/metrics"
)

// A bench is a folder with a reference, captures, and results of them.
type bench struct {
	*testing.T
	dir  string
	plan Plan
	o    FolderOptions
}

func newBench(t *testing.T, captures ...string) *bench {
	b := &bench{T: t, dir: t.TempDir(), o: FolderOptions{Made: Made{Tool: "vqeval", Version: "1", Settings: map[string]string{"ssim": "ffmpeg"}}}}
	b.write("r.mp4", "reference")
	var paths []string
	for _, c := range captures {
		b.write(c, "capture "+c)
		paths = append(paths, filepath.Join(b.dir, c))
	}
	b.plan = NewPlan(filepath.Join(b.dir, "r.mp4"), paths, nil)
	return b
}

func (b *bench) path(name string) string { return filepath.Join(b.dir, name) }

func (b *bench) write(name, text string) {
	b.Helper()
	if err := os.WriteFile(b.path(name), []byte(text), 0o644); err != nil {
		b.Fatal(err)
	}
}

func (b *bench) open() *Folder {
	b.Helper()
	f, err := OpenFolder(b.Context(), b.path("out"), b.plan, b.o)
	if err != nil {
		b.Fatal(err)
	}
	return f
}

// result is an item's, as if it had been scored.
func (b *bench) result(i int) *Result {
	it := b.plan.Items[i]
	r := scored(it.Name, map[string]float64{"psnr_y_mean": 30 + float64(i), "frames": 1})
	r.Item = it
	s := metrics.Series{Rows: []metrics.Row{{Verdict: metrics.Damaged}}}
	return &Result{Item: it, Index: i, Row: r, Series: s}
}

// pass opens the folder, keeps results of all that is to be done, and returns the
// names of that.
func (b *bench) pass() (did []string) {
	b.Helper()
	f := b.open()
	for _, i := range f.Todo() {
		did = append(did, b.plan.Items[i].Name)
		r := b.result(i)
		if err := errors.Join(f.SaveScores(r), f.Keep(r)); err != nil {
			b.Fatal(err)
		}
	}
	if err := errors.Join(f.Finish(nil), f.Close()); err != nil {
		b.Fatal(err)
	}
	return did
}

func (b *bench) wantPass(after string, want ...string) {
	b.Helper()
	if got := b.pass(); !slices.Equal(got, want) {
		b.Errorf("after %s: scored %q, want %q", after, got, want)
	}
}

func TestReuse(t *testing.T) {
	b := newBench(t, "a.mp4", "b.mp4")
	b.wantPass("nothing", "a", "b")
	b.wantPass("no change")

	b.write("a.mp4", "capture a.mp4, longer")
	b.wantPass("another size", "a")

	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(b.path("b.mp4"), later, later); err != nil {
		t.Fatal(err)
	}
	b.wantPass("another time", "b")

	if err := os.Chtimes(b.path("r.mp4"), later, later); err != nil {
		t.Fatal(err)
	}
	b.wantPass("another reference", "a", "b")

	b.o.PerFrame = true
	b.wantPass("scores per frame wanted", "a", "b")
	b.wantPass("no change")
	if err := os.Remove(b.path("out/scores/a.csv")); err != nil {
		t.Fatal(err)
	}
	b.wantPass("scores removed", "a")
	b.o.Format = JSON
	b.wantPass("another format", "a", "b")
	if _, err := os.Stat(b.path("out/scores/a.csv")); err == nil {
		t.Error("scores in the old format are still there")
	}
	b.o.Anew = true
	b.wantPass("--force", "a", "b")
}

func TestReuseByContent(t *testing.T) {
	b := newBench(t, "a.mp4", "b.mp4")
	b.o.Hash = true
	b.wantPass("nothing", "a", "b")
	later := time.Now().Add(time.Hour)
	for _, name := range []string{"a.mp4", "r.mp4"} {
		if err := os.Chtimes(b.path(name), later, later); err != nil {
			t.Fatal(err)
		}
	}
	b.wantPass("another time")
	st, err := os.Stat(b.path("b.mp4"))
	if err != nil {
		t.Fatal(err)
	}
	b.write("b.mp4", "cAPTURE b.mp4")
	if err := os.Chtimes(b.path("b.mp4"), st.ModTime(), st.ModTime()); err != nil {
		t.Fatal(err)
	}
	b.wantPass("another content of one size and time", "b")
	b.o.Hash = false
	b.wantPass("back to size and time")
}

// TestChangeWhileScored changes a file between the beginning and its result: the
// next run scores it again.
func TestChangeWhileScored(t *testing.T) {
	for _, hash := range []bool{false, true} {
		b := newBench(t, "a.mp4")
		b.o.Hash = hash
		f := b.open()
		b.write("a.mp4", "changed meanwhile")
		if err := errors.Join(f.SaveScores(b.result(0)), f.Keep(b.result(0)), f.Close()); err != nil {
			t.Fatal(err)
		}
		b.wantPass("a change meanwhile", "a")
		b.wantPass("no change")
	}
}

func TestFailuresAreTriedAgain(t *testing.T) {
	b := newBench(t, "a.mp4", "b.mp4")
	f := b.open()
	r := b.result(0)
	r.Err = errors.New("broken")
	r.Row = failedRow(r.Item, r.Err)
	if err := errors.Join(f.SaveScores(r), f.Keep(r), f.Keep(b.result(1)), f.Close()); err != nil {
		t.Fatal(err)
	}
	b.wantPass("a failure", "a")
}

// TestCaptureTwice has one capture in two lines: each has its result.
func TestCaptureTwice(t *testing.T) {
	b := newBench(t, "a.mp4")
	b.plan = NewPlan(b.path("r.mp4"), []string{b.path("a.mp4"), b.path("a.mp4")}, nil)
	b.wantPass("nothing", "a", "a-2")
	b.wantPass("no change")
}

// TestOtherPlan has two plans by turns in one folder: each keeps its results.
func TestOtherPlan(t *testing.T) {
	b := newBench(t, "a.mp4", "b.mp4", "c.mp4")
	all := b.plan
	b.plan.Items = all.Items[:2]
	b.wantPass("nothing", "a", "b")
	b.plan.Items = all.Items[1:]
	b.wantPass("another plan", "c")
	b.plan = all
	b.wantPass("both")
}

func TestFolderRefuses(t *testing.T) {
	b := newBench(t, "a.mp4")
	b.pass()
	f := b.open()
	if _, err := OpenFolder(t.Context(), b.path("out"), b.plan, b.o); !errors.Is(err, folder.ErrBusy) {
		t.Errorf("while another has it: got %v, want ErrBusy", err)
	}
	if err := errors.Join(f.Close(), f.Close()); err != nil {
		t.Error(err)
	}
	b.o.Made.Settings = map[string]string{"ssim": "wang"}
	_, err := OpenFolder(t.Context(), b.path("out"), b.plan, b.o)
	if !errors.Is(err, ErrOther) || !strings.Contains(err.Error(), `another ssim ("ffmpeg", now "wang")`) {
		t.Errorf("with other settings: got %v, want ErrOther and what differs", err)
	}
	b.write("out/manifest.json", "{}")
	if _, err := OpenFolder(t.Context(), b.path("out"), b.plan, b.o); !errors.Is(err, ErrOther) {
		t.Errorf("with an experiment: got %v, want ErrOther", err)
	}
	b.write("file", "")
	if _, err := OpenFolder(t.Context(), b.path("file"), b.plan, b.o); err == nil {
		t.Error("a file passes for a folder")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := OpenFolder(ctx, b.path("out2"), b.plan, b.o); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: got %v, want context.Canceled", err)
	}
}

func TestAbandon(t *testing.T) {
	b := newBench(t, "a.mp4")
	if err := b.open().Abandon(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(b.path("out")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a new folder: got %v, want that it is gone", err)
	}
	b.pass()
	if err := b.open().Abandon(); err != nil {
		t.Fatal(err)
	}
	b.wantPass("results there before")
}
