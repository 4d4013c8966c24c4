package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// errExists is returned instead of overwriting a file.
var errExists = errors.New("the file exists; hint: choose another name or add --force")

// outFile is a file that appears under its name only when it is whole.
type outFile struct{ path, temporary string }

// create makes sure that path can be written; its content comes with commit.
func create(path string, overwrite bool) (outFile, error) {
	f, err := createTemporary(path, overwrite)
	if err != nil {
		return outFile{}, writeError(path, err)
	}
	return f, nil
}

// createTemporary checks that path may be written and makes the temporary file
// beside it. Devices such as /dev/stdout are written directly.
func createTemporary(path string, overwrite bool) (outFile, error) {
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return outFile{}, errFolder
	case err == nil && !info.Mode().IsRegular():
		return outFile{path: path}, nil
	case err == nil && !overwrite:
		return outFile{}, errExists
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return outFile{}, err
	}
	temporary := filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s.%d.tmp", filepath.Base(path), os.Getpid()))
	f, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return outFile{}, err
	}
	return outFile{path: path, temporary: f.Name()}, f.Close()
}

var errFolder = errors.New("a folder, not a file")

// writeError says which file could not be written, and why, without naming
// temporary files and system calls.
func writeError(path string, err error) error {
	err = bare(err)
	if errors.Is(err, fs.ErrNotExist) {
		dir := filepath.Dir(path)
		return fmt.Errorf("write %s: the folder %s does not exist; hint: mkdir -p %q", path, dir, dir)
	}
	return fmt.Errorf("write %s: %w", path, err)
}

// bare is the cause of an error of a file, without the call and the name.
func bare(err error) error {
	var p *fs.PathError
	var l *os.LinkError
	switch {
	case errors.As(err, &p):
		return p.Err
	case errors.As(err, &l):
		return l.Err
	}
	return err
}

// commit writes the whole content and gives the file its name.
func (o outFile) commit(content []byte) error {
	target := o.temporary
	if target == "" {
		target = o.path
	}
	err := writeSync(target, content)
	if err == nil && o.temporary != "" {
		err = os.Rename(o.temporary, o.path)
	}
	if err != nil {
		o.discard()
		return writeError(o.path, err)
	}
	return nil
}

// discard removes what create made.
func (o outFile) discard() {
	if o.temporary != "" {
		os.Remove(o.temporary)
	}
}

func writeSync(path string, content []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	if _, err = f.Write(content); err == nil && mayRename(path) {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// mayRename reports whether path is a plain file, for which Sync makes sense.
func mayRename(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// sameFile reports whether both names are of one file that exists.
func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}
