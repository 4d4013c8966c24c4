package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/vqeval/vqeval/lab"
	"github.com/vqeval/vqeval/lab/batch"
	"github.com/vqeval/vqeval/samples"
)

// readManifest reads the file of that name, or stdin for "-". Relative paths in it
// count from the file's folder, or from the working directory.
func readManifest(path string, stdin io.Reader, m batch.Manifest) (batch.Plan, error) {
	if path == "-" {
		return m.Read(stdin)
	}
	if err := readableFile(path); err != nil {
		return batch.Plan{}, fmt.Errorf("manifest: %w", err)
	}
	file, err := os.Open(path)
	if err != nil {
		return batch.Plan{}, fmt.Errorf("manifest: %w", err)
	}
	defer file.Close()
	m.Dir = filepath.Dir(path)
	p, err := m.Read(file)
	if err != nil {
		return p, fmt.Errorf("%s: %w", path, err)
	}
	return p, nil
}

// builtins finds the files of built-in clips, looking for each of them once.
func builtins() func(string) (string, error) {
	found := map[string]string{}
	return func(name string) (string, error) {
		if !strings.HasPrefix(name, samples.Prefix) {
			return "", nil
		}
		if path := found[name]; path != "" {
			return path, nil
		}
		path, err := lab.ClipPath(name)
		found[name] = path
		return path, err
	}
}

// inputs are the files that no output may be.
type inputs []os.FileInfo

func newInputs(p batch.Plan) (in inputs) {
	seen := map[string]bool{}
	for _, it := range p.Items {
		for _, path := range []string{it.Reference, it.Captured} {
			if st, err := os.Stat(path); err == nil && !seen[path] {
				in = append(in, st)
			}
			seen[path] = true
		}
	}
	return in
}

func (in inputs) check(flag, path string) error {
	st, err := os.Stat(path)
	if err == nil && slices.ContainsFunc(in, func(i os.FileInfo) bool { return os.SameFile(i, st) }) {
		return usagef("%s %s is one of the files to be scored; hint: choose another name", flag, path)
	}
	return nil
}
