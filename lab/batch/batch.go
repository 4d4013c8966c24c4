// Package batch scores many captures: a bounded number at a time, each reference
// decoded once for several of its captures, a capture that cannot be scored
// being a row of its own and not the end.
//
// A Plan lists what is to be scored, Score does it, a Folder keeps what it came
// to, so that the next run scores only what is missing or has changed.
package batch

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/vqeval/vqeval/lab/score"
	"github.com/vqeval/vqeval/metrics"
)

// Options say how a batch is scored.
type Options struct {
	Jobs     int           // groups that are scored at a time; 0 = one per processor
	Score    score.Options // for all of them; Workers and Threads are set by Score
	Template score.Capture // what all captures have in common
	Shown    bool          // pool over frames that were shown, instead of all
	FailFast bool          // end with the first capture that cannot be scored

	// Save, if not nil, is called for each result as it comes, by several
	// goroutines at once. Done is called after it, by one at a time. The error of
	// either ends the batch.
	Save func(*Result) error
	Done func(*Result) error

	// Progress, if not nil, is called after each frame of a reference and after
	// each result, by one goroutine at a time.
	Progress func(Progress)
}

// Progress says how far a batch is.
type Progress struct {
	Done, Failed, Total int      // captures
	Frames              int64    // reference frames gone through
	Current             []string // names of the captures in work
	At, Of              int      // frames of the reference in work and how many it has, 0 = unknown
}

// A Result is what one item came to.
type Result struct {
	Item   Item
	Index  int // in the plan
	Row    Row
	Series metrics.Series // without rows if Err is not nil
	Err    error
}

// ErrFailFast is the error of a batch that ended with its first failure.
var ErrFailFast = errors.New("ended with the first failure")

// Score scores the items of a plan whose index is in todo. Its error is of ctx, of
// Save or Done, or ErrFailFast; what cannot be scored is a Result with an error.
func Score(ctx context.Context, p Plan, todo []int, o Options) error {
	if o.Jobs <= 0 {
		o.Jobs = runtime.GOMAXPROCS(0)
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	r := &run{plan: p, o: o, stop: stop, progress: Progress{Total: len(todo)}}
	groups := groupsOf(p, todo)
	if len(groups) > 1 { // the groups themselves keep the processors busy
		r.o.Score.Threads = max(1, o.Jobs/len(groups))
		r.o.Score.Workers = r.o.Score.Threads
	} else {
		r.o.Score.Workers = o.Jobs
	}
	work := make(chan []int) // unbuffered: a group waits until a job is free for it
	var jobs sync.WaitGroup
	for range min(o.Jobs, len(groups)) {
		jobs.Go(func() {
			for g := range work {
				r.group(ctx, g)
			}
		})
	}
	for _, g := range groups {
		select {
		case work <- g:
		case <-ctx.Done():
		}
	}
	close(work)
	jobs.Wait()
	if err := context.Cause(ctx); err != nil {
		return err
	}
	return nil
}

// A run is a batch at work.
type run struct {
	plan Plan
	o    Options
	stop context.CancelCauseFunc

	mu       sync.Mutex // guards progress and calls of Done
	progress Progress
}

// group scores captures of one reference.
func (r *run) group(ctx context.Context, g []int) {
	first := r.plan.Items[g[0]]
	names := make([]string, len(g))
	captures := make([]score.Capture, len(g))
	for k, i := range g {
		it := r.plan.Items[i]
		names[k] = it.Name
		captures[k] = r.o.Template
		captures[k].Path, captures[k].Deadline = it.Captured, it.Deadline
	}
	r.begin(names)
	defer r.end(names)
	o := r.o.Score
	o.Progress = r.frame
	outcomes, err := score.ScoreGroup(ctx, score.Reference{Path: first.Reference, Raw: r.o.Template.Raw}, captures, o)
	if ctx.Err() != nil {
		return
	}
	for k, i := range g {
		res := &Result{Item: r.plan.Items[i], Index: i, Err: err}
		if err != nil {
			res.Err = fmt.Errorf("reference: %w", err)
		} else if res.Err = outcomes[k].Err; res.Err == nil {
			res.Err = untimed(res.Item, outcomes[k])
		}
		if res.Err == nil {
			res.Series = outcomes[k].Series
			res.Row = newRow(res.Item, outcomes[k], r.o.Shown)
		} else {
			res.Row = failedRow(res.Item, res.Err)
		}
		if !r.take(res) {
			return
		}
	}
}

// untimed refuses a deadline for what has no arrival times.
func untimed(it Item, o score.Outcome) error {
	if it.Deadline > 0 && o.Stream == nil {
		return fmt.Errorf("%s: a deadline needs arrival times, which only recordings of packets (pcap, pcapng) have", it.Captured)
	}
	return nil
}

// take hands a result on and reports whether the batch goes on.
func (r *run) take(res *Result) bool {
	if r.o.Save != nil {
		if err := r.o.Save(res); err != nil {
			r.stop(err)
			return false
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.progress.Done++
	if res.Err != nil {
		r.progress.Failed++
	}
	if r.o.Done != nil {
		if err := r.o.Done(res); err != nil {
			r.stop(err)
			return false
		}
	}
	if r.o.Progress != nil {
		r.o.Progress(r.progress)
	}
	if res.Err != nil && r.o.FailFast {
		r.stop(fmt.Errorf("%w: %w", ErrFailFast, res.Err))
		return false
	}
	return true
}

func (r *run) begin(names []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.progress.Current = append(r.progress.Current[:len(r.progress.Current):len(r.progress.Current)], names...)
}

func (r *run) end(names []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	kept := make([]string, 0, len(r.progress.Current))
	for _, n := range r.progress.Current {
		if !slices.Contains(names, n) {
			kept = append(kept, n)
		}
	}
	r.progress.Current = kept
}

func (r *run) frame(at, of int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.progress.Frames++
	r.progress.At, r.progress.Of = at, of
	if r.o.Progress != nil {
		r.o.Progress(r.progress)
	}
}
