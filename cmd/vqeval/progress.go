package main

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// plainEvery is how often progress is told where no terminal is.
const plainEvery = 5 * time.Second

// progress tells how far a long piece of work is: a bar on a terminal, a plain
// line every few seconds elsewhere, nothing with --quiet. Its methods may be
// called from several goroutines.
type progress struct {
	title string
	unit  string
	out   io.Writer // plain lines; nil on a terminal

	bars *mpb.Progress
	bar  *mpb.Bar

	mu    sync.Mutex
	label string
	done  int64
	total int64
	began time.Time
	told  time.Time
}

// progress begins to tell about total units of work; end must be called.
func (a *app) progress(title string, total int64, unit string) *progress {
	p := &progress{title: title, unit: unit, total: total, began: time.Now(), told: time.Now()}
	switch {
	case a.quiet:
	case !terminal(a.stderr):
		p.out = a.stderr
	default:
		p.bars = mpb.New(mpb.WithOutput(a.stderr), mpb.WithWidth(28), mpb.WithRefreshRate(120*time.Millisecond))
		p.bar = p.bars.New(total, mpb.BarStyle().Lbound("").Rbound("").Filler("━").Tip("━").Padding("─"),
			mpb.BarRemoveOnComplete(),
			mpb.PrependDecorators(decor.Any(p.name)),
			mpb.AppendDecorators(decor.CountersNoUnit(" %d/%d "+unit), decor.OnComplete(decor.AverageETA(decor.ET_STYLE_GO, decor.WCSyncSpace), ""), decor.Any(p.shown)))
		a.bars = p.bars
	}
	return p
}

func (p *progress) shown(decor.Statistics) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.label == "" {
		return ""
	}
	return "  " + p.label
}

// set says how much is done, of how much, and what is worked on now.
func (p *progress) set(done, total int64, label string) {
	p.mu.Lock()
	p.done, p.total, p.label = done, total, label
	tell := p.out != nil && time.Since(p.told) >= plainEvery
	if tell {
		p.told = time.Now()
	}
	line := p.line()
	p.mu.Unlock()
	if tell {
		fmt.Fprintln(p.out, line)
	}
	if p.bar != nil {
		p.bar.SetTotal(total, false)
		p.bar.SetCurrent(min(done, total))
	}
}

// line is the plain form. The caller holds the lock.
func (p *progress) line() string {
	s := fmt.Sprintf("%s: %d of %d %s, %s", p.title, p.done, p.total, p.unit, time.Since(p.began).Round(time.Second))
	if p.label != "" {
		s += ", " + p.label
	}
	return s
}

// end takes the bar away.
func (a *app) endProgress(p *progress) {
	if p.bar == nil {
		return
	}
	p.bar.Abort(true)
	p.bars.Wait()
	a.bars = nil
}

// rename gives the work another title, as it goes into its next phase.
func (p *progress) rename(title string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.title, p.began = title, time.Now()
}

// name is the title as it stands now.
func (p *progress) name(decor.Statistics) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.title + " "
}
