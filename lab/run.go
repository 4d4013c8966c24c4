package lab

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/vqeval/vqeval/metrics"
)

// Options say how an experiment is carried out, not what it is.
type Options struct {
	Version   string
	Libraries map[string]string
	Command   []string
	Workers   int            // worker processes and scoring threads; 0 = one a processor, 1 in real time
	Progress  func(Progress) // called from several goroutines; may be nil
	Picture   func(Picture)  // receives every frame of the runs with the first seed as it is scored; may be nil

	patience time.Duration // how long a worker's clock may stand still; 0 = 60 s
}

// Progress says how far the work is.
type Progress struct {
	Phase       string // "sending" or "scoring"
	Done, Total int64  // frames
	Label       string // what is worked on
}

// A Picture is one frame of one scored run, valid during the call.
type Picture struct {
	Run        Spec
	Deadline   Deadline
	Frame      int
	Ref, Shown metrics.Picture
	Row        metrics.Row
	Matrix     string // luma coefficients of the reference: bt709, bt601, bt2020, or empty
}

// A Failure is a run that came to nothing, and why.
type Failure struct {
	Run string `json:"run"`
	Err string `json:"error"`
}

// Results are what an experiment came to.
type Results struct {
	Dir      string
	Manifest Manifest
	Rows     []Row // by link, transport, seed and deadline, in the plan's order
	Cells    []Cell
	Scored   []Scored // in the order of Rows
	Failures []Failure
	Sending  time.Duration // wall time of the transports' part
	Scoring  time.Duration // wall time of decoding and measuring
	Resumed  int           // runs that were there already
}

// Run carries out e in the folder dir, or what is not there yet of it. What was
// done when ctx ends is kept; the error is then ctx's.
func Run(ctx context.Context, e Experiment, dir string, o Options) (Results, error) {
	j, err := begin(e, dir, o)
	if err != nil {
		return Results{}, err
	}
	defer j.folder.Close()
	if err := j.send(ctx); err != nil {
		return j.results, err
	}
	if err := j.score(ctx); err != nil {
		return j.results, err
	}
	return j.results, j.summarise()
}

// begin takes the folder dir for e. The caller closes the folder.
func begin(e Experiment, dir string, o Options) (*job, error) {
	if err := e.Check(); err != nil {
		return nil, err
	}
	m, err := NewManifest(e, o.Version, o.Libraries, o.Command)
	if err != nil {
		return nil, err
	}
	home, err := OpenFolder(dir)
	if err != nil {
		return nil, err
	}
	j := &job{e: e, o: o.defaults(), folder: home, specs: m.Runs, results: Results{Dir: dir, Manifest: m}}
	err = home.adopt(m)
	for i := range j.specs {
		s := &j.specs[i]
		s.dir = home.RunDir(s.Name)
		if err == nil {
			s.path, err = ClipPath(s.Clip)
		}
	}
	if err != nil {
		return nil, errors.Join(err, home.Close())
	}
	return j, nil
}

func (o Options) defaults() Options {
	if o.Workers == 0 {
		o.Workers = runtime.NumCPU()
	}
	if o.patience == 0 {
		o.patience = patience
	}
	if o.Progress == nil {
		o.Progress = func(Progress) {}
	}
	return o
}

// job is an experiment being carried out.
type job struct {
	e       Experiment
	o       Options
	folder  *Folder
	specs   []Spec
	results Results

	mu   sync.Mutex
	done map[string]int64 // frames sent so far, by run under way
}

// send carries out the runs that have no outcome yet.
func (j *job) send(ctx context.Context) error {
	began := time.Now()
	defer func() { j.results.Sending = time.Since(began) }()
	var pending []Spec
	for _, s := range j.specs {
		if _, err := ReadOutcome(s.dir); err == nil {
			j.results.Resumed++
			continue
		}
		pending = append(pending, s)
	}
	if len(pending) == 0 {
		return ctx.Err()
	}
	j.done = map[string]int64{}
	workers := min(j.o.Workers, len(pending))
	if j.e.Real {
		workers = 1 // two at once would disturb each other
	}
	frames := int64(0)
	p := pool{workers: workers, patience: j.o.patience,
		progress: func(name string, done, total int64) {
			j.mu.Lock()
			j.done[name] = done
			frames = max(frames, total)
			var sum int64
			for _, n := range j.done {
				sum += n
			}
			all := frames * int64(len(pending))
			j.mu.Unlock()
			j.o.Progress(Progress{Phase: "sending", Done: sum, Total: all, Label: name})
		},
		ended: func(s Spec, out Outcome, err error) {
			if err == nil {
				err = writeJSON(filepath.Join(s.dir, summaryFile), out)
			}
			if err != nil && ctx.Err() == nil {
				j.results.Failures = append(j.results.Failures, Failure{Run: s.Name, Err: err.Error()})
			}
		},
	}
	p.run(ctx, pending)
	if err := ctx.Err(); err != nil {
		return err
	}
	if n := len(j.results.Failures); n == len(j.specs) {
		return fmt.Errorf("run %s: %s", j.results.Failures[0].Run, j.results.Failures[0].Err)
	}
	return nil
}

// ReadOutcome reads what the run in dir came to; fs.ErrNotExist if it did not end.
func ReadOutcome(dir string) (Outcome, error) {
	text, err := os.ReadFile(filepath.Join(dir, summaryFile))
	if err != nil {
		return Outcome{}, err
	}
	var o Outcome
	if err := json.Unmarshal(text, &o); err != nil {
		return Outcome{}, fmt.Errorf("%s: %w", filepath.Join(dir, summaryFile), err)
	}
	return o, nil
}
