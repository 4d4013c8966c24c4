package folder

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func TestTake(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "folder")
	l, err := Take(dir)
	if err != nil {
		t.Fatal(err)
	}
	_, err = Take(dir)
	if !errors.Is(err, ErrBusy) || !strings.Contains(err.Error(), fmt.Sprintf("pid %d, since 2", os.Getpid())) {
		t.Errorf("second taker: got %v, want ErrBusy with the first one's pid and start", err)
	}
	if err := errors.Join(l.Release(), l.Release()); err != nil {
		t.Error(err)
	}
	if l, err = Take(dir); err != nil {
		t.Fatalf("after its release: %v", err)
	}
	if err := l.Release(); err != nil {
		t.Error(err)
	}
}

// TestTakeByTurns has many takers: never do two of them hold the folder.
func TestTakeByTurns(t *testing.T) {
	dir := t.TempDir()
	var holders sync.Mutex
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 200 {
				l, err := Take(dir)
				if errors.Is(err, ErrBusy) {
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				if !holders.TryLock() {
					t.Error("two hold the folder")
					return
				}
				holders.Unlock()
				if err := l.Release(); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
}

func TestTakeBelowFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Take(filepath.Join(file, "folder")); err == nil {
		t.Error("got no error for a folder below a file")
	}
}

func TestWriteFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "b.txt")
	for _, text := range []string{"first", "second"} {
		if err := WriteFile(path, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got, _ := os.ReadFile(path); string(got) != text {
			t.Errorf("got %q, want %q", got, text)
		}
	}
	if _, err := os.Stat(path + ".tmp"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the temporary file is still there: %v", err)
	}
	if err := WriteFile(filepath.Join(path, "below"), nil); err == nil {
		t.Error("got no error for a file below a file")
	}
}
