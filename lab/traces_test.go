package lab

import (
	"os"
	"path/filepath"
	"testing"
)

// Traces are found beside the experiment's file, and read by Load; what they
// hold, not where they lie, belongs to the manifest.
func TestTraces(t *testing.T) {
	manifest := func(trace string) Manifest {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "up.trace"), []byte(trace), 0o644); err != nil {
			t.Fatal(err)
		}
		e := DefaultExperiment()
		e.Clips, e.Links = []string{"builtin:small"}, []Link{{Profile: "lan", Down: "delay=5ms,trace=up.trace"}}
		e = e.From(dir)
		if want := "delay=5ms,trace=" + filepath.Join(dir, "up.trace"); e.Links[0].Down != want || e.Links[0].Up != "" {
			t.Errorf("got %+v, want down %q and nothing up", e.Links[0], want)
		}
		p, err := e.Links[0].Load()
		if err != nil || !p.Down.Trace.Loaded() || p.Down.Rate != 0 || p.Up.Trace != nil {
			t.Errorf("got %+v and %v, want a loaded trace down alone, in place of the rate", p, err)
		}
		m, err := NewManifest(e, "", nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	a, b, c := manifest("20\n40\n"), manifest("20\n40\n"), manifest("20\n50\n")
	if what := a.differs(b); what != "" {
		t.Errorf("the same trace in another folder: %s differs", what)
	}
	if what := a.differs(c); what != "the link" {
		t.Errorf("another trace: %q differs, want the link", what)
	}
	if _, err := (Link{Down: "trace=" + filepath.Join(t.TempDir(), "none")}).Load(); err == nil {
		t.Error("an absent trace was loaded")
	}
}
