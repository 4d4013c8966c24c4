package lab

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// A Folder is where an experiment's results live:
//
//	manifest.json            what made it
//	runs/NAME/               recordings and bookings, one folder a run
//	scores/NAME.csv          per frame
//	summary.csv summary.json one row per run and deadline
type Folder struct {
	dir  string
	lock *os.File
}

// ErrOther is returned for a folder that holds the results of something else.
var ErrOther = errors.New("the folder holds the results of another experiment")

// ErrBusy is returned while another process works in the folder.
var ErrBusy = errors.New("another process works in this folder")

// OpenFolder makes dir if need be and takes it for this process. The lock goes
// with the process, however it ends.
func OpenFolder(dir string) (*Folder, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("result folder: %w", err)
	}
	f, err := os.OpenFile(filepath.Join(dir, ".lock"), os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, fmt.Errorf("result folder: %w", err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		holder, _ := os.ReadFile(f.Name())
		f.Close()
		return nil, fmt.Errorf("%s: %w (%s); hint: wait for it, or choose another --out", dir, ErrBusy, strings.TrimSpace(string(holder)))
	}
	holder := fmt.Sprintf("pid %d, since %s\n", os.Getpid(), time.Now().Format(time.RFC3339))
	if err := errors.Join(f.Truncate(0), writeAt(f, holder)); err != nil {
		f.Close()
		return nil, fmt.Errorf("result folder: %w", err)
	}
	return &Folder{dir: dir, lock: f}, nil
}

func writeAt(f *os.File, s string) error {
	_, err := f.WriteAt([]byte(s), 0)
	return err
}

// Close gives the folder free.
func (f *Folder) Close() error {
	if f.lock == nil {
		return nil
	}
	err := errors.Join(os.Remove(f.lock.Name()), f.lock.Close())
	f.lock = nil
	return err
}

// Path returns the path of a file below the folder.
func (f *Folder) Path(parts ...string) string {
	return filepath.Join(append([]string{f.dir}, parts...)...)
}

// RunDir returns the folder of one run.
func (f *Folder) RunDir(name string) string { return f.Path("runs", name) }

// adopt writes the manifest, or checks that the one that is there is the same.
func (f *Folder) adopt(m Manifest) error {
	path := f.Path("manifest.json")
	old, err := ReadManifest(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return writeJSON(path, m)
	case err != nil:
		return err
	}
	if what := old.differs(m); what != "" {
		return fmt.Errorf("%s: %w: %s differs; hint: choose another --out, or remove the folder", f.dir, ErrOther, what)
	}
	return nil
}

// writeJSON writes v under a temporary name and then gives it its own, so that
// a file that is there is whole.
func writeJSON(path string, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	return WriteFile(path, append(text, '\n'))
}

// WriteFile writes content to path through a temporary name and fsync: after a
// crash the file is there whole, or as it was.
func WriteFile(path string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	temporary := path + ".tmp"
	f, err := os.Create(temporary)
	if err != nil {
		return err
	}
	if _, err = f.Write(content); err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(temporary, path)
	}
	if err != nil {
		os.Remove(temporary)
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}
