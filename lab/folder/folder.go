// Package folder takes a result folder for one process, and writes files so that
// one that is there is whole.
package folder

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// ErrBusy is returned while another process works in a folder.
var ErrBusy = errors.New("another process works in this folder")

// lockName is the file that is locked. It names the holder.
const lockName = ".lock"

// A Lock is a folder that is taken. It goes with the process, however that ends.
type Lock struct{ file *os.File }

// Take makes dir if need be and takes it. An error that is ErrBusy names the
// process that has it, and since when.
func Take(dir string) (*Lock, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("result folder: %w", err)
	}
	for {
		f, err := os.OpenFile(filepath.Join(dir, lockName), os.O_RDWR|os.O_CREATE, 0o644)
		if err != nil {
			return nil, fmt.Errorf("result folder: %w", err)
		}
		if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
			holder, _ := io.ReadAll(f)
			f.Close()
			if len(holder) == 0 {
				holder = []byte("it has just begun")
			}
			return nil, fmt.Errorf("%s: %w (%s); hint: wait for it, or choose another --out", dir, ErrBusy, bytes.TrimSpace(holder))
		}
		if !current(f) {
			f.Close() // its holder removed it in between: what stands there now is another file
			continue
		}
		holder := fmt.Sprintf("pid %d, since %s\n", os.Getpid(), time.Now().Format(time.RFC3339))
		_, err = f.WriteAt([]byte(holder), 0)
		if err = errors.Join(f.Truncate(int64(len(holder))), err); err != nil {
			f.Close()
			return nil, fmt.Errorf("result folder: %w", err)
		}
		return &Lock{f}, nil
	}
}

// current reports whether f is still the file of its name.
func current(f *os.File) bool {
	a, err := f.Stat()
	if err != nil {
		return false
	}
	b, err := os.Stat(f.Name())
	return err == nil && os.SameFile(a, b)
}

// Release gives the folder free. Releasing twice does nothing.
func (l *Lock) Release() error {
	if l.file == nil {
		return nil
	}
	err := errors.Join(os.Remove(l.file.Name()), l.file.Close())
	l.file = nil
	return err
}

// WriteFile writes content to path through a temporary name and fsync: after a
// crash the file is there whole, or as it was. Folders are made as needed.
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
