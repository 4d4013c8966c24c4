package score

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/vqeval/vqeval/decode/align"
	"github.com/vqeval/vqeval/metrics"
)

// A pass decodes the reference and some captures once, side by side, and measures
// every pair.
type pass struct {
	group *group
	ref   *feed
	first *shared // of the reference
	lanes []*lane
	last  int                    // reference frame behind which nothing is of interest
	grey  func() metrics.Picture // what stands for missing frames, made when it is needed
}

// poolSize is how many frames of one decoder may be out at once: those in the
// queue and in the hands of its goroutine, the one at the pairing and the one
// after it, the one shown last, and those with the workers and before them.
func poolSize(workers int) int { return queue + 1 + 2 + 1 + 2*workers }

func (g *group) newPass(captures []*captured) (*pass, error) {
	p := &pass{group: g}
	p.grey = sync.OnceValue(func() metrics.Picture { return greyLike(g.ref.info.Format, g.ref.info.Width, g.ref.info.Height) })
	sign := false
	for _, c := range captures {
		d, err := c.take(poolSize(g.workers()), g.opts.Threads)
		if err != nil {
			c.err = err
			continue
		}
		l := &lane{c: c, feed: newFeed(d, g.signs(c)), pairs: c.pairs}
		l.indexed = g.opts.Align == align.Index || !d.Info().HasPTS && !c.bare
		sign = sign || l.feed.sign
		p.lanes = append(p.lanes, l)
	}
	d, err := g.ref.take(poolSize(g.workers()), g.opts.Threads)
	if err != nil {
		p.closeDecoders()
		return nil, err
	}
	p.ref = newFeed(d, sign && g.clip.Sigs == nil)
	p.last = g.lastOf(p.lanes)
	return p, nil
}

// lastOf returns the reference frame behind which a pass need not go.
func (g *group) lastOf(lanes []*lane) int {
	untimed := func(l *lane) bool { return l.feed.sign || l.c.rec == nil && l.pairs == nil }
	byTime := g.opts.Align == align.Auto || g.opts.Align == align.RTP || g.opts.Align == align.PTS
	if !g.opts.PicturesOnly || !byTime || len(g.opts.Frames) == 0 || slices.ContainsFunc(lanes, untimed) {
		return math.MaxInt
	}
	return slices.Max(g.opts.Frames)
}

// short reports whether the pass ends before its clips do.
func (p *pass) short() bool { return p.last < math.MaxInt }

func (p *pass) closeDecoders() {
	for _, l := range p.lanes {
		l.feed.decoder.Close()
	}
	if p.ref != nil {
		p.ref.decoder.Close()
	}
}

// run goes through the reference. Its error is of the reference or of ctx.
func (p *pass) run(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	var feeds sync.WaitGroup
	start := func(f *feed) {
		feeds.Add(1)
		go func() {
			defer feeds.Done()
			f.run(ctx)
		}()
	}
	start(p.ref)
	for _, l := range p.lanes {
		start(l.feed)
	}
	bench := newBench(p, p.group.workers())
	p.monochrome(ctx)
	p.pair(bench)
	for _, l := range p.lanes {
		if l.pairs != nil || l.dead() || p.short() {
			continue
		}
		for l.peek() != nil { // frames behind the end count for the alignment
			l.drop()
		}
	}
	err := ctx.Err()
	stop()
	bench.close()
	p.ref.drain()
	for _, l := range p.lanes {
		l.close()
	}
	feeds.Wait()
	p.closeDecoders()
	if err == nil && p.ref.err != nil {
		err = fmt.Errorf("%s: %w", p.group.ref.title(), p.ref.err)
	}
	return err
}

// pair hands each reference frame to each lane, until the reference ends or no
// lane is left.
func (p *pass) pair(b *bench) {
	total := p.group.ref.info.Frames
	now, ok := p.first, p.first != nil
	var interval int64 = p.group.interval()
	for i := 0; ok; i++ {
		next, more := <-p.ref.frames
		t := now.PTS
		until := t + interval
		if more && next.PTS > t {
			interval = next.PTS - t
			until = next.PTS
		}
		alive := false
		for _, l := range p.lanes {
			if l.dead() {
				continue
			}
			alive = true
			p.step(b, l, i, now, until)
		}
		now.release()
		if p.group.opts.Progress != nil {
			p.group.opts.Progress(i+1, total)
		}
		if !alive || i >= p.last {
			if more {
				next.release()
			}
			return
		}
		now, ok = next, more
	}
}

// step finds what a lane showed for a reference frame and has it measured.
func (p *pass) step(b *bench, l *lane, i int, ref *shared, until int64) {
	row := l.row(i, ref.PTS)
	got := l.pick(i, ref.PTS, until)
	switch {
	case got != nil:
		row.Verdict = metrics.OK // damaged, if the samples differ
	case l.last != nil:
		row.Verdict, got = metrics.Frozen, l.last
	default:
		row.Verdict = metrics.Missing
	}
	j := job{lane: l, row: row, ref: ref.retain()}
	if got != nil {
		j.got, row.Shown = got.retain(), got.Number
	}
	b.jobs <- j
}
