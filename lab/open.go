package lab

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
)

// ErrNoScores is returned for a result folder whose experiment has not been
// scored yet.
var ErrNoScores = errors.New("nothing has been scored here")

// Open reads the results that an experiment left in dir.
func Open(dir string) (Results, error) {
	m, err := ReadManifest(filepath.Join(dir, "manifest.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return Results{}, fmt.Errorf("%s is not a result folder: it has no manifest.json; hint: vqeval run --out %s makes one", dir, dir)
	}
	if err != nil {
		return Results{}, err
	}
	j := job{e: m.Experiment, folder: &Folder{dir: dir}, specs: m.Runs, results: Results{Dir: dir, Manifest: m}}
	for i := range j.specs {
		j.specs[i].dir = j.folder.RunDir(j.specs[i].Name)
	}
	work, err := j.scorings()
	if err != nil {
		return j.results, err
	}
	work = slices.DeleteFunc(work, func(w scoring) bool { return !w.done })
	if err := j.take(work); err != nil {
		return j.results, err
	}
	if len(j.results.Rows) == 0 {
		return j.results, fmt.Errorf("%s: %w; hint: run the experiment again in this folder, it goes on where it stopped", dir, ErrNoScores)
	}
	j.results.Cells = Cells(j.results.Rows)
	return j.results, nil
}
