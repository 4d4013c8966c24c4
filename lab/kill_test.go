package lab

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// toolEnv makes the test binary the tool: it holds an experiment, and toolDir
// the result folder.
const (
	toolEnv = "VQEVAL_TEST_TOOL"
	toolDir = "VQEVAL_TEST_DIR"
)

func tool(ctx context.Context) error {
	var e Experiment
	if err := json.Unmarshal([]byte(os.Getenv(toolEnv)), &e); err != nil {
		return err
	}
	_, err := Run(ctx, e, os.Getenv(toolDir), Options{Version: "test"})
	if errors.Is(err, context.Canceled) {
		os.Exit(130)
	}
	return err
}

func startTool(t *testing.T, e Experiment, dir string) *exec.Cmd {
	t.Helper()
	text, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), toolEnv+"="+string(text), toolDir+"="+dir)
	c.Stderr = os.Stderr
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	return c
}

// killed is an experiment worth interrupting: 6 runs, each scored twice.
func killed(t *testing.T) Experiment {
	e := narrow(t, "udp", "quic")
	e.Clips = []string{shortClip(t, 25)}
	e.Links[0].Set += ",loss=2%"
	e.Seeds = SeedRange(3)
	e.Deadlines = []Deadline{0, Deadline(200 * time.Millisecond)}
	return e
}

// Whenever it is killed, what was done stays done, and in the end nobody can
// tell from the summary.
func TestKillAndResume(t *testing.T) {
	if testing.Short() {
		t.Skip("kills ten processes")
	}
	t.Parallel()
	e := killed(t)
	calm := t.TempDir()
	began := time.Now()
	if err := startTool(t, e, calm).Wait(); err != nil {
		t.Fatal(err)
	}
	usual := time.Since(began)
	rng := rand.New(rand.NewPCG(1, 2))
	dir := t.TempDir()
	for hits := 0; hits < 10; {
		before := finished(t, dir)
		c := startTool(t, e, dir)
		time.Sleep(time.Duration(rng.Int64N(int64(usual) * 2 / 3)))
		c.Process.Kill()
		if err := c.Wait(); err == nil {
			compareSummaries(t, calm, dir)
			dir = t.TempDir()
			continue
		}
		hits++
		after := finished(t, dir)
		for name, at := range before {
			if !after[name].Equal(at) {
				t.Errorf("kill %d: %s was made again", hits, name)
			}
		}
	}
	if err := startTool(t, e, dir).Wait(); err != nil {
		t.Fatal(err)
	}
	compareSummaries(t, calm, dir)
}

// finished returns when the files were made that say that something is done.
func finished(t *testing.T, dir string) map[string]time.Time {
	t.Helper()
	out := map[string]time.Time{}
	for _, pattern := range []string{"runs/*/summary.json", "scores/*.csv", "manifest.json"} {
		names, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range names {
			st, err := os.Stat(n)
			if err != nil {
				t.Fatal(err)
			}
			out[n] = st.ModTime()
		}
	}
	return out
}

// compareSummaries wants UDP's lines equal to the byte, and those of QUIC, which
// differ by nanoseconds in one run of a hundred, there in the same order.
func compareSummaries(t *testing.T, want, got string) {
	t.Helper()
	a := strings.Split(readFile(t, filepath.Join(want, "summary.csv")), "\n")
	b := strings.Split(readFile(t, filepath.Join(got, "summary.csv")), "\n")
	if len(a) != len(b) || len(a) != 1+6*2+1 {
		t.Fatalf("%d lines, want %d and 14", len(b), len(a))
	}
	for i := range a {
		if strings.HasPrefix(a[i], "udp,") && a[i] != b[i] {
			t.Errorf("got  %s\nwant %s", b[i], a[i])
		}
		x, y := strings.Split(a[i], ","), strings.Split(b[i], ",")
		if len(x) > 6 && strings.Join(x[:7], ",") != strings.Join(y[:7], ",") {
			t.Errorf("line %d is of %v, want %v", i, y[:7], x[:7])
		}
	}
}

// Ctrl-C ends the workers, keeps what was done, and says that it happened.
func TestInterrupt(t *testing.T) {
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip("needs /proc to find the workers")
	}
	t.Parallel()
	e := killed(t)
	e.Real = true // takes long enough to be interrupted
	e.Seeds = SeedRange(20)
	dir := t.TempDir()
	c := startTool(t, e, dir)
	var workers []int
	for len(workers) == 0 || len(finished(t, dir)) < 2 {
		time.Sleep(10 * time.Millisecond)
		workers = children(t, c.Process.Pid)
	}
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	var exit *exec.ExitError
	if err := c.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 130 {
		t.Errorf("got %v, want exit code 130", err)
	}
	for _, pid := range workers {
		if err := syscall.Kill(pid, 0); err == nil && !zombie(pid) {
			t.Errorf("worker %d lives on", pid)
		}
	}
	m, err := ReadManifest(filepath.Join(dir, "manifest.json"))
	if err != nil || len(m.Runs) != 40 {
		t.Errorf("%d runs in the manifest, %v", len(m.Runs), err)
	}
	if o, err := ReadOutcome(filepath.Join(dir, "runs", m.Runs[0].Name)); err != nil || o.Booking.Check() != nil {
		t.Errorf("the first run: %+v, %v", o.Booking, err)
	}
}

// children lists the processes whose parent is pid.
func children(t *testing.T, pid int) (out []int) {
	t.Helper()
	names, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range names {
		if id, parent, _ := stat(n); parent == pid {
			out = append(out, id)
		}
	}
	return out
}

func zombie(pid int) bool {
	_, _, state := stat(fmt.Sprintf("/proc/%d/stat", pid))
	return state == "Z" || state == ""
}

// stat reads the beginning of a process's line: PID (NAME) STATE PARENT.
func stat(path string) (pid, parent int, state string) {
	b, err := os.ReadFile(path)
	if err != nil {
		return 0, 0, ""
	}
	head, rest, _ := strings.Cut(string(b), " (")
	rest = rest[strings.LastIndexByte(rest, ')')+1:]
	fmt.Sscan(head, &pid)
	fmt.Sscan(rest, &state, &parent)
	return pid, parent, state
}
