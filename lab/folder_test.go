package lab

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
)

func TestFolderIsForOne(t *testing.T) {
	dir := t.TempDir()
	f, err := OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := OpenFolder(dir); !errors.Is(err, ErrBusy) {
		t.Errorf("a second one got %v, want ErrBusy", err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if err := f.Close(); err != nil {
		t.Errorf("closing twice: %v", err)
	}
	g, err := OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	g.Close()
}

func TestFolderOfAnother(t *testing.T) {
	dir := t.TempDir()
	e := narrow(t, "udp")
	e.Clips = []string{shortClip(t, 10)}
	if _, err := Run(t.Context(), e, dir, Options{}); err != nil {
		t.Fatal(err)
	}
	e.Seeds = Seeds{4}
	_, err := Run(t.Context(), e, dir, Options{})
	if !errors.Is(err, ErrOther) || !strings.Contains(err.Error(), "the list of seeds") {
		t.Errorf("got %v, want ErrOther for the seeds", err)
	}
	if err := os.WriteFile(dir+"/manifest.json", []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), e, dir, Options{}); err == nil {
		t.Error("a broken manifest was overwritten")
	}
}

func TestOpenNothing(t *testing.T) {
	if _, err := Open(t.TempDir()); err == nil || !strings.Contains(err.Error(), "hint") {
		t.Errorf("got %v, want an error with a hint", err)
	}
}

func TestRunChecksFirst(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	e := narrow(t, "udp")
	if _, err := Run(ctx, e, t.TempDir(), Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that has ended: %v", err)
	}
	e.Clips = []string{"/nowhere.mp4"}
	if _, err := Run(t.Context(), e, t.TempDir(), Options{}); err == nil || !strings.Contains(err.Error(), "/nowhere.mp4") {
		t.Errorf("a missing clip: %v", err)
	}
	e.Clips = []string{"builtin:huge"}
	if _, err := Run(t.Context(), e, t.TempDir(), Options{}); err == nil || !strings.Contains(err.Error(), "builtin:fullhd") {
		t.Errorf("an unknown built-in clip: %v", err)
	}
}
