package main

import (
	"os"
	"slices"

	"github.com/vqeval/vqeval/lab/batch"
)

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
