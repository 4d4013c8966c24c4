package score

import (
	"bytes"
	"fmt"
	"slices"
	"sync"

	"github.com/vqeval/vqeval/metrics"
)

// A job is one pair to measure. It owns one use of each frame.
type job struct {
	lane     *lane
	row      *metrics.Row
	ref, got *shared // got is nil before the first picture
}

// A bench is the workers that measure.
type bench struct {
	jobs chan job // as long as there are workers; a full one makes the pairing wait
	done sync.WaitGroup
	pass *pass
}

func newBench(p *pass, workers int) *bench {
	b := &bench{jobs: make(chan job, workers), pass: p}
	for range workers {
		b.done.Add(1)
		go func() {
			defer b.done.Done()
			w := worker{pass: p}
			for j := range b.jobs {
				w.measure(j)
			}
		}()
	}
	return b
}

func (b *bench) close() {
	close(b.jobs)
	b.done.Wait()
}

// A worker has its own scorers: one for all planes, one for luma only.
type worker struct {
	pass    *pass
	scorers [2]*metrics.Scorer
}

func (w *worker) measure(j job) {
	var shown metrics.Picture
	if j.got != nil {
		shown = j.got.Picture
		defer j.got.release()
	} else {
		shown = w.pass.grey()
	}
	defer j.ref.release()
	scorer, err := w.scorer(j.lane.c.lumaOnly)
	if err == nil {
		if err = scorer.Check(j.ref.Picture); err != nil {
			err = fmt.Errorf("reference frame %d: %w", j.row.Frame, err)
		}
	}
	if err == nil {
		if err = scorer.Check(shown); err != nil {
			err = fmt.Errorf("captured frame %d: %w", j.row.Shown, err)
		}
	}
	if err != nil {
		j.lane.fail(err)
		return
	}
	j.row.Score = scorer.Score(j.ref.Picture, shown)
	if j.row.Verdict == metrics.OK && !j.row.Score.Identical {
		j.row.Verdict = metrics.Damaged
	}
	if o := w.pass.group.opts; o.Keep != nil && slices.Contains(o.Frames, j.row.Frame) {
		o.Keep(Pair{Capture: j.lane.c.index, Row: *j.row, Ref: j.ref.Picture, Shown: shown, Matrix: w.pass.group.ref.info.Matrix})
	}
}

func (w *worker) scorer(lumaOnly bool) (*metrics.Scorer, error) {
	k := 0
	if lumaOnly {
		k = 1
	}
	if w.scorers[k] != nil {
		return w.scorers[k], nil
	}
	info, o := w.pass.group.ref.info, w.pass.group.opts.Metrics
	o.LumaOnly = o.LumaOnly || lumaOnly
	s, err := metrics.NewScorer(info.Format, info.Width, info.Height, o)
	w.scorers[k] = s
	return s, err
}

// greyLike returns a picture of mid-grey: what a screen shows before the first
// picture comes, by convention.
func greyLike(f metrics.Format, width, height int) metrics.Picture {
	p := metrics.Picture{Format: f}
	for i := range f.Planes {
		w, h := f.PlaneSize(i, width, height)
		row := greyRow(f, w*f.BytesPerSample())
		p.Planes[i] = metrics.Plane{Pix: bytes.Repeat(row, h), Stride: len(row), Width: w, Height: h}
	}
	return p
}

// greyRow returns n bytes of mid-grey samples, 2^(depth-1).
func greyRow(f metrics.Format, n int) []byte {
	row, middle := make([]byte, n), 1<<(f.Depth-1)
	for k := range row {
		switch {
		case f.Depth == 8:
			row[k] = byte(middle)
		case k%2 == 1: // little endian, and the low byte is 0
			row[k] = byte(middle >> 8)
		}
	}
	return row
}
