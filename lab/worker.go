package lab

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"sync"
	"time"

	"github.com/vqeval/vqeval/decode"
	"github.com/vqeval/vqeval/lab/world"
)

// workerEnv marks a process that was started to be a worker.
const workerEnv = "VQEVAL_WORKER"

// IsWorker reports whether this process is a worker: main asks it first and
// then does nothing but Worker.
func IsWorker() bool { return os.Getenv(workerEnv) == "1" }

// order is one line of a worker's input.
type order struct {
	Spec Spec   `json:"spec"`
	Clip string `json:"clip"` // the clip's file
	Dir  string `json:"dir"`  // where the run's files go
}

// line is one line of a worker's output: progress, or the end of a run.
type line struct {
	Done    int64         `json:"done,omitempty"`
	Total   int64         `json:"total,omitempty"`
	Now     time.Duration `json:"now,omitempty"`
	Outcome *Outcome      `json:"outcome,omitempty"`
	Err     string        `json:"err,omitempty"`
}

// Worker reads orders from in until it ends and carries them out one by one,
// each in virtual time unless its spec says otherwise. It takes the whole
// process for itself: one processor, and a seeded crypto/rand, which makes runs
// repeatable and makes the process unfit for anything that needs secrecy.
func Worker(ctx context.Context, in io.Reader, out io.Writer) error {
	w := worker{out: json.NewEncoder(out), clips: map[string]decode.Clip{}}
	dec := json.NewDecoder(in)
	for {
		var o order
		if err := dec.Decode(&o); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("worker: %w", err)
		}
		outcome, err := w.carryOut(ctx, o)
		l := line{Outcome: &outcome}
		if err != nil {
			l.Err = err.Error()
		}
		if err := w.send(l); err != nil {
			return fmt.Errorf("worker: %w", err)
		}
	}
}

type worker struct {
	mu    sync.Mutex
	out   *json.Encoder
	clips map[string]decode.Clip
}

func (w *worker) send(l line) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.out.Encode(l)
}

func (w *worker) carryOut(ctx context.Context, o order) (Outcome, error) {
	var clip decode.Clip
	var err error
	if !o.Spec.Bulk.On() {
		clip, err = w.clip(ctx, o.Clip)
	}
	if err == nil {
		err = o.Spec.Link.LoadTraces(openFile)
	}
	if err != nil {
		return Outcome{Spec: o.Spec}, err
	}
	kind := world.Virtual
	if o.Spec.Real {
		kind = world.Real
	} else {
		runtime.GOMAXPROCS(1)
		world.Seed(o.Spec.Seed)
	}
	files, err := newRecording(o.Dir, o.Spec)
	if err != nil {
		return Outcome{Spec: o.Spec}, err
	}
	var progress world.Progress
	stop := w.report(ctx, &progress)
	r := run{spec: o.Spec, clip: clip, files: files}
	var outcome Outcome
	began := cpuTime()
	err = world.Run(kind, &progress, func(env *world.Env) error {
		var err error
		if o.Spec.Bulk.On() {
			outcome, err = r.executeBulk(env)
		} else {
			outcome, err = r.execute(env)
		}
		return err
	})
	stop()
	err = errors.Join(err, files.close())
	switch {
	case err == nil && o.Spec.Bulk.On():
		err = outcome.Booking.Check()
	case err == nil:
		outcome.Booking, err = r.book(outcome)
	}
	outcome.CPUMS = ms(cpuTime() - began)
	return outcome, err
}

func (w *worker) clip(ctx context.Context, path string) (decode.Clip, error) {
	if c, ok := w.clips[path]; ok {
		return c, nil
	}
	c, err := decode.ReadUnits(ctx, path)
	if err == nil {
		w.clips = map[string]decode.Clip{path: c} // one clip at a time bounds the memory
	}
	return c, err
}

// report sends p every 200 ms, and a cancellation the other way, until the
// returned function is called.
func (w *worker) report(ctx context.Context, p *world.Progress) (stop func()) {
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(200 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-end:
				return
			case <-ctx.Done():
				p.Cancel.Store(true)
				<-end
				return
			case <-tick.C:
				// An error here means that our reader has gone; the next
				// line, the outcome, will find that out.
				w.send(line{Done: p.Done.Load(), Total: p.Total.Load(), Now: time.Duration(p.Now.Load())})
			}
		}
	}()
	return func() { close(end); <-ended }
}
