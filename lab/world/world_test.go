package world

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestVirtualTime(t *testing.T) {
	want := errors.New("through")
	err := Run(Virtual, nil, func(e *Env) error {
		if !e.Epoch.Equal(Start()) || e.Kind != Virtual {
			t.Errorf("a %v world begins at %v, want virtual, %v", e.Kind, e.Epoch, Start())
		}
		time.Sleep(24 * time.Hour)
		if e.Since() != 24*time.Hour {
			t.Errorf("after a day: %v", e.Since())
		}
		e.Tick(1, 1) // nobody looks
		return want
	})
	if err == nil || err.Error() != want.Error() {
		t.Errorf("got %v, want %v", err, want)
	}
}

func TestRealTime(t *testing.T) {
	before := time.Now()
	err := Run(Real, nil, func(e *Env) error {
		if e.Epoch.Before(before) || e.Epoch.After(time.Now()) {
			t.Errorf("begins at %v, now is %v", e.Epoch, time.Now())
		}
		return e.Ctx.Err()
	})
	if err != nil {
		t.Error(err)
	}
}

func TestStuck(t *testing.T) {
	for name, f := range map[string]func(*Env) error{
		"waits for ever":     func(*Env) error { select {} },
		"leaves a goroutine": func(*Env) error { go func() { select {} }(); return nil },
		"leaves a ticker": func(*Env) error {
			go func() {
				for range time.Tick(time.Second) {
				}
			}()
			return nil
		},
		"a world in a world":  func(*Env) error { return Run(Virtual, nil, func(*Env) error { return nil }) },
		"stuck after a while": func(e *Env) error { e.Tick(1, 2); time.Sleep(time.Hour); select {} },
	} {
		for _, p := range []*Progress{nil, new(Progress)} {
			if err := Run(Virtual, p, f); !errors.Is(err, ErrStuck) {
				t.Errorf("%s, progress %v: got %v", name, p != nil, err)
			}
		}
	}
}

// TestLongSilence: a world without Tick for hours is not stuck.
func TestLongSilence(t *testing.T) {
	var p Progress
	err := Run(Virtual, &p, func(e *Env) error {
		time.Sleep(3 * time.Hour)
		p.Cancel.Store(true)
		e.Tick(1, 1)
		return e.Ctx.Err()
	})
	if !errors.Is(err, context.Canceled) || p.Now.Load() != int64(3*time.Hour) {
		t.Errorf("got %v at %v", err, time.Duration(p.Now.Load()))
	}
}

func TestPanicIsAnError(t *testing.T) {
	for _, kind := range []Kind{Real, Virtual} {
		err := Run(kind, new(Progress), func(*Env) error { panic("boom") })
		if err == nil || !strings.Contains(err.Error(), "panic: boom") || errors.Is(err, ErrStuck) {
			t.Errorf("%v: got %v", kind, err)
		}
	}
}

func TestProgress(t *testing.T) {
	for _, kind := range []Kind{Real, Virtual} {
		var p Progress
		var last time.Duration
		err := Run(kind, &p, func(e *Env) error {
			e.Tick(3, 7)
			last = e.Since()
			return nil
		})
		now := time.Duration(p.Now.Load())
		if err != nil || p.Done.Load() != 3 || p.Total.Load() != 7 || now > last {
			t.Errorf("%v: %v, %d of %d at %v", kind, err, p.Done.Load(), p.Total.Load(), now)
		}
	}
}

// TestCancel sets Cancel outside while the world waits, in virtual time for
// what it believes to be ages.
func TestCancel(t *testing.T) {
	for _, kind := range []Kind{Real, Virtual} {
		var p Progress
		running := make(chan struct{}) // outside, closed by no bubble
		go func() {
			for p.Total.Load() == 0 {
				time.Sleep(time.Millisecond)
			}
			p.Cancel.Store(true)
			close(running)
		}()
		err := Run(kind, &p, func(e *Env) error {
			for i := int64(1); e.Ctx.Err() == nil; i++ {
				e.Tick(i, i)
				select {
				case <-e.Ctx.Done():
				case <-time.After(10 * time.Millisecond):
				}
			}
			return e.Ctx.Err()
		})
		<-running
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%v: got %v", kind, err)
		}
	}
}

func TestKindText(t *testing.T) {
	for _, k := range []Kind{Real, Virtual} {
		var got Kind
		text, _ := k.MarshalText()
		if err := got.UnmarshalText(text); err != nil || got != k {
			t.Errorf("%v is written %s and read %v, %v", k, text, got, err)
		}
	}
	if err := new(Kind).UnmarshalText([]byte("dream")); err == nil || !strings.Contains(err.Error(), "real, virtual") {
		t.Errorf("got %v", err)
	}
}

func TestSeed(t *testing.T) {
	old := rand.Reader
	t.Cleanup(func() { rand.Reader = old })
	draw := func(seed uint64) []byte {
		Seed(seed)
		b := make([]byte, 100)
		rand.Read(b)
		return b
	}
	first := draw(1)
	if !bytes.Equal(first, draw(1)) || bytes.Equal(first, draw(2)) {
		t.Error("the seed does not fix crypto/rand")
	}
	b := make([]byte, 100)
	if _, err := io.ReadFull(Random(1), b); err != nil || !bytes.Equal(first, b) {
		t.Errorf("Random differs from Seed: %v", err)
	}
}

// program uses a bubble the way vqeval does: in an ordinary binary.
const program = `package main

import (
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/vqeval/vqeval/lab/world"
)

func main() {
	for i := range 3 {
		err := world.Run(world.Virtual, new(world.Progress), func(e *world.Env) error {
			time.Sleep(time.Minute)
			return fmt.Errorf("run %d: %v", i, e.Since())
		})
		fmt.Println(err)
	}
	fmt.Println(world.Run(world.Virtual, nil, func(*world.Env) error { select {} }) != nil)
	flag.VisitAll(func(f *flag.Flag) { fmt.Println("flag", f.Name) })
	os.Exit(7)
}
`

// TestOrdinaryBinary guards the use of synctest.Test with the zero testing.T
// outside "go test", which no documentation promises: it works more than once,
// prints nothing of its own, and registers no flags.
func TestOrdinaryBinary(t *testing.T) {
	goTool, err := exec.LookPath("go")
	if err != nil || testing.Short() {
		t.Skip("needs the go command and a moment")
	}
	dir := t.TempDir()
	source, binary := filepath.Join(dir, "main.go"), filepath.Join(dir, "main.exe")
	if err := os.WriteFile(source, []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(goTool, "build", "-o", binary, source).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command(binary).CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 7 {
		t.Errorf("ends with %v, want exit status 7", err)
	}
	if want := "run 0: 1m0s\nrun 1: 1m0s\nrun 2: 1m0s\ntrue\n"; string(out) != want {
		t.Errorf("prints %q, want %q", out, want)
	}
}
