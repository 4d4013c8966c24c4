package lab

import (
	"os"
	"strings"
	"testing"
)

func TestReplay(t *testing.T) {
	e := narrow(t, "udp", "quic")
	e.Links[0].Set += ",loss=2%"
	e.Clips = []string{shortClip(t, 40)}
	first := mustRun(t, e, Options{})
	got, err := Replay(t.Context(), first.Path("manifest.json"), t.TempDir(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 {
		t.Fatalf("got %+v", got)
	}
	for _, r := range got {
		if !r.Exact || r.Err != "" || r.Same != 40 || r.Frames != 40 || r.Packets != r.PacketsBefore || r.Packets == 0 {
			t.Errorf("got %+v, want all 40 frames alike", r)
		}
		if r.Mode == "udp" && r.WorstMS != 0 {
			t.Errorf("udp arrived at other times: %+v", r)
		}
	}
}

func TestReplayOfAManifestAlone(t *testing.T) {
	e := narrow(t, "udp")
	e.Clips = []string{shortClip(t, 10)}
	first := mustRun(t, e, Options{})
	if err := os.RemoveAll(first.Path("runs")); err != nil {
		t.Fatal(err)
	}
	got, err := Replay(t.Context(), first.Path("manifest.json"), t.TempDir(), Options{})
	if err != nil || len(got) != 1 || got[0].Before != "" || got[0].SHA256 == "" || got[0].Exact {
		t.Errorf("got %+v, %v; want a hash and nothing to compare with", got, err)
	}
}

func TestReplayRefuses(t *testing.T) {
	e := narrow(t, "udp")
	e.Clips = []string{shortClip(t, 10)}
	first := mustRun(t, e, Options{})
	if _, err := Replay(t.Context(), first.Path("manifest.json"), first.Dir, Options{}); err == nil || !strings.Contains(err.Error(), "--out") {
		t.Errorf("into its own folder: %v", err)
	}
	if _, err := Replay(t.Context(), first.Path("nothing.json"), t.TempDir(), Options{}); err == nil {
		t.Error("a missing manifest is no error")
	}
	if err := os.WriteFile(e.Clips[0], []byte("another clip"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Replay(t.Context(), first.Path("manifest.json"), t.TempDir(), Options{}); err == nil || !strings.Contains(err.Error(), "sha256") {
		t.Errorf("another clip: %v", err)
	}
}
