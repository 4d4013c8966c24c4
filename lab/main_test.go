package lab

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/vqeval/vqeval/decode"
	"github.com/vqeval/vqeval/stream/h264"
)

// faultEnv makes a worker of the test binary misbehave in one run: crash:NAME
// or stuck:NAME.
const faultEnv = "VQEVAL_TEST_FAULT"

// TestMain lets the test binary be its own worker, and the tool of
// TestKillAndResume.
func TestMain(m *testing.M) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	var err error
	switch {
	case IsWorker():
		err = faultyWorker(ctx)
	case os.Getenv(toolEnv) != "":
		err = tool(ctx)
	default:
		stop()
		os.Exit(m.Run())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func faultyWorker(ctx context.Context) error {
	kind, name, ok := strings.Cut(os.Getenv(faultEnv), ":")
	if !ok {
		return Worker(ctx, os.Stdin, os.Stdout)
	}
	in := bufio.NewReader(os.Stdin)
	for {
		text, err := in.ReadString('\n')
		if err != nil {
			return nil
		}
		var o order
		if err := json.Unmarshal([]byte(text), &o); err != nil {
			return err
		}
		switch {
		case o.Spec.Name != name:
			err = Worker(ctx, strings.NewReader(text), os.Stdout)
		case kind == "crash":
			panic("as ordered")
		default:
			for range 600 { // says that it lives, but its clock stands still
				fmt.Println(`{"now":7}`)
				time.Sleep(50 * time.Millisecond)
			}
		}
		if err != nil {
			return err
		}
	}
}

// shortClip writes the first n access units of the small built-in clip as a
// bare stream and returns its path.
func shortClip(t testing.TB, n int) string {
	t.Helper()
	path, err := ClipPath("builtin:small")
	if err != nil {
		t.Fatal(err)
	}
	clip, err := decode.ReadUnits(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	var b []byte
	for _, u := range clip.Units[:n] {
		b = h264.AppendAnnexB(b, u.NALUs...)
	}
	short := t.TempDir() + "/short.h264"
	if err := os.WriteFile(short, b, 0o644); err != nil {
		t.Fatal(err)
	}
	return short
}

// narrow is an experiment that takes a moment: four seconds of the small clip
// through a link that is a little too slow for it.
func narrow(t testing.TB, modes ...string) Experiment {
	t.Helper()
	e := DefaultExperiment()
	e.Clips = []string{shortClip(t, 100)}
	e.Links = []Link{{Name: "narrow", Set: "rate=110kbit,queue=5000"}}
	e.Transports = nil
	for _, m := range modes {
		e.Transports = append(e.Transports, Transport{Mode: m})
	}
	return e
}

// mustRun carries out e in a fresh folder.
func mustRun(t testing.TB, e Experiment, o Options) Results {
	t.Helper()
	r, err := Run(t.Context(), e, t.TempDir()+"/out", o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// outcomes reads what each run of r came to, by name.
func outcomes(t testing.TB, r Results) map[string]Outcome {
	t.Helper()
	all := map[string]Outcome{}
	for _, s := range r.Manifest.Runs {
		o, err := ReadOutcome(r.Path("runs", s.Name))
		if err != nil {
			t.Fatal(err)
		}
		all[s.Name] = o
	}
	return all
}

func readFile(t testing.TB, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
