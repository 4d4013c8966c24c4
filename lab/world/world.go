// Package world runs one experiment either in real time or in virtual time.
//
// In virtual time the experiment runs inside a testing/synctest bubble, in the
// ordinary binary: the clock stands still while any goroutine can run and jumps
// to the next timer once all of them wait. A minute of video costs about a
// second of CPU, and a busy machine changes no result.
//
// No channel, timer or context may cross the border of a bubble; Go ends the
// process if one does. What crosses are atomics (Progress) and, once Run has
// returned, plain data.
package world

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// Kind says which clock an experiment runs under.
type Kind uint8

// The kinds of worlds.
const (
	Real    Kind = iota // the machine's clock
	Virtual             // a clock that jumps
)

// String returns "real" or "virtual".
func (k Kind) String() string {
	if k == Virtual {
		return "virtual"
	}
	return "real"
}

// MarshalText writes "real" or "virtual".
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads "real" or "virtual".
func (k *Kind) UnmarshalText(text []byte) error {
	switch string(text) {
	case "real":
		*k = Real
	case "virtual":
		*k = Virtual
	default:
		return fmt.Errorf("no world %q: there are real, virtual", text)
	}
	return nil
}

// Start returns the date at which every virtual experiment begins. A bubble is
// born in the year 2000; sleeping up to Start is free, and certificates made
// with today's dates verify.
func Start() time.Time { return time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC) }

// ErrStuck is wrapped by Run's error when a virtual world has no way forward:
// everything waits for what can never come, or the experiment returned while
// goroutines of its own still wait. Those goroutines stay for ever.
var ErrStuck = errors.New("the virtual world is stuck")

// Progress is read outside the world and written inside, except for Cancel.
// All its fields may be used at any time.
type Progress struct {
	Done, Total atomic.Int64 // as the experiment counts
	Now         atomic.Int64 // the world's clock, ns since the Epoch
	Cancel      atomic.Bool  // set outside: ends Env.Ctx within 100 ms of the world's time
}

// Env is what an experiment sees of its world.
type Env struct {
	Kind  Kind
	Ctx   context.Context // made inside the world; ends when Progress.Cancel is set and when the experiment returns
	Epoch time.Time       // when the experiment began, by the world's clock

	cancel   context.CancelFunc
	progress *Progress    // nil = nobody looks
	ticks    atomic.Int64 // calls of Tick
}

// Since returns how long the experiment has run, by the world's clock.
func (e *Env) Since() time.Duration { return time.Since(e.Epoch) }

// Tick tells the outside how far the experiment has come. It never blocks.
func (e *Env) Tick(done, total int64) {
	e.ticks.Add(1)
	if e.progress == nil {
		return
	}
	e.progress.Done.Store(done)
	e.progress.Total.Store(total)
	e.exchange()
}

// exchange carries the clock out and the wish to cancel in.
func (e *Env) exchange() {
	e.progress.Now.Store(int64(e.Since()))
	if e.progress.Cancel.Load() {
		e.cancel()
	}
}

// Run runs f in a world of the given kind and returns f's error. A panic in
// f's own goroutine becomes an error; one in any other ends the process, which
// is why an experiment belongs into a process of its own. Everything that f
// starts must have ended when f returns. p may be nil.
func Run(kind Kind, p *Progress, f func(*Env) error) error {
	if kind == Real {
		return live(kind, p, f)
	}
	var err error
	stuck := bubble(func() {
		time.Sleep(time.Until(Start()))
		err = live(kind, p, f)
	})
	return errors.Join(err, stuck)
}

// bubble runs f in a bubble and returns why the bubble, not f, failed.
func bubble(f func()) (err error) {
	var wait sync.WaitGroup
	wait.Go(func() { // synctest.Test ends its caller's goroutine when its T has failed
		ended := false
		defer func() {
			if r := recover(); r != nil {
				err = fmt.Errorf("%w: %v", ErrStuck, r)
			} else if !ended {
				err = errors.New("the virtual world was marked as failed")
			}
		}()
		var t testing.T // as good as a test's while nothing fails or panics in it
		synctest.Test(&t, func(*testing.T) { f() })
		ended = true
	})
	wait.Wait()
	return err
}

// live calls f with an Env made by the clock it runs under.
func live(kind Kind, p *Progress, f func(*Env) error) (err error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	e := &Env{Kind: kind, Ctx: ctx, Epoch: time.Now(), cancel: cancel, progress: p}
	if p != nil {
		var watching sync.WaitGroup
		done := make(chan struct{})
		watching.Go(func() { e.watch(done) })
		defer watching.Wait()
		defer close(done)
	}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	return f(e)
}

// interval is how often watch looks, with an odd phase: timers that are due at
// the same instant fire in random order.
const interval = 100*time.Millisecond + 7*time.Nanosecond

// patience is how many intervals without a Tick end the watch of a virtual
// world, an hour: while a ticker runs, a world that is stuck would not be found so.
const patience = 36_000

// watch exchanges news with the outside until done is closed.
func (e *Env) watch(done <-chan struct{}) {
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	silent, last := 0, e.ticks.Load()
	for e.Kind == Real || silent < patience {
		select {
		case <-done:
			return
		case <-ticker.C:
		}
		e.exchange()
		silent++
		if now := e.ticks.Load(); now != last {
			silent, last = 0, now
		}
	}
}
