package lab

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/vqeval/vqeval/lab/folder"
)

// A Folder is where an experiment's results live:
//
//	manifest.json            what made it
//	runs/NAME/               recordings and bookings, one folder a run
//	scores/NAME.csv          per frame
//	summary.csv summary.json one row per run and deadline
type Folder struct {
	dir  string
	lock *folder.Lock
}

// ErrOther is returned for a folder that holds the results of something else.
var ErrOther = errors.New("the folder holds the results of another experiment")

// ErrBusy is returned while another process works in the folder.
var ErrBusy = folder.ErrBusy

// OpenFolder makes dir if need be and takes it for this process. The lock goes
// with the process, however it ends.
func OpenFolder(dir string) (*Folder, error) {
	lock, err := folder.Take(dir)
	if err != nil {
		return nil, err
	}
	return &Folder{dir: dir, lock: lock}, nil
}

// Close gives the folder free. Closing twice does nothing.
func (f *Folder) Close() error { return f.lock.Release() }

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

// WriteFile writes content to path so that after a crash the file is there
// whole, or as it was.
func WriteFile(path string, content []byte) error { return folder.WriteFile(path, content) }
