package lab

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/vqeval/vqeval/lab/score"
	"github.com/vqeval/vqeval/metrics"
	"github.com/vqeval/vqeval/stream"
	"github.com/vqeval/vqeval/stream/capture"
)

// batch bounds how many captures are decoded at once beside their reference:
// each holds about 20 pictures, 60 MB of FullHD.
const batch = 6

// scoring is one run at one deadline, to be scored or scored already.
type scoring struct {
	spec     Spec
	deadline Deadline
	outcome  Outcome
	rec      *stream.Recording
	series   metrics.Series
	done     bool
}

// score measures every run that ended at every deadline.
func (j *job) score(ctx context.Context) error {
	began := time.Now()
	defer func() { j.results.Scoring = time.Since(began) }()
	work, err := j.scorings()
	if err != nil {
		return err
	}
	var total, done int64
	for _, b := range batches(work) {
		if !b[0].done {
			total++
		}
	}
	for _, b := range batches(work) {
		if b[0].done {
			continue
		}
		err := j.scoreBatch(ctx, b, func(at, of int) {
			j.o.Progress(Progress{Phase: "scoring", Done: done*int64(of) + int64(at), Total: total * int64(of), Label: b[0].spec.Name})
		})
		if err != nil {
			return err
		}
		done++
	}
	for i := range work {
		if err := j.take(&work[i]); err != nil {
			return fmt.Errorf("run %s: %w", work[i].spec.Name, err)
		}
		work[i].rec = nil // recordings are large
	}
	return nil
}

// scorings lists what is to be scored, in the plan's order; what has a score
// file already carries it.
func (j *job) scorings() ([]scoring, error) {
	var out []scoring
	for _, s := range j.specs {
		o, err := ReadOutcome(s.dir)
		if err != nil {
			continue // it failed, which is said elsewhere
		}
		for _, d := range j.e.Deadlines {
			w := scoring{spec: s, deadline: d, outcome: o}
			if text, err := os.ReadFile(j.scoreFile(s, d)); err == nil {
				if w.series, err = metrics.ReadCSV(bytes.NewReader(text)); err != nil {
					return nil, fmt.Errorf("%s: %w; hint: remove the file to have it made again", j.scoreFile(s, d), err)
				}
				w.done = true
			}
			out = append(out, w)
		}
	}
	return out, nil
}

func (j *job) scoreFile(s Spec, d Deadline) string {
	return j.folder.Path("scores", scoreName(s.Name, d)+".csv")
}

// batches cuts work into parts that share a clip and are all done or all not,
// none larger than batch. The parts share work's memory.
func batches(work []scoring) [][]scoring {
	var out [][]scoring
	for len(work) > 0 {
		n := 1
		for n < len(work) && n < batch && work[n].spec.path == work[0].spec.path && work[n].done == work[0].done {
			n++
		}
		out = append(out, work[:n])
		work = work[n:]
	}
	return out
}

// scoreBatch scores captures of one clip against it and keeps their ledgers.
func (j *job) scoreBatch(ctx context.Context, b []scoring, progress func(done, total int)) error {
	captures := make([]score.Capture, len(b))
	for i := range b {
		w := &b[i]
		if i > 0 && b[i-1].spec.Name == w.spec.Name {
			w.rec = b[i-1].rec
		} else if rec, err := loadRecording(w.spec.dir); err == nil {
			w.rec = rec
		} else if !errors.Is(err, capture.ErrNoStream) {
			return fmt.Errorf("run %s: %w", w.spec.Name, err)
		}
		captures[i] = score.Capture{Path: filepath.Join(w.spec.dir, captureFile), Name: w.spec.Name, Recording: w.rec,
			Policy: j.e.Score.BrokenNAL, Deadline: time.Duration(w.deadline), Late: stream.LatePolicy(j.e.Late)}
	}
	outcomes, err := score.ScoreGroup(ctx, score.Reference{Path: b[0].spec.path, Name: b[0].spec.Clip}, captures, score.Options{
		Align:    j.e.Score.Align,
		Metrics:  j.e.Score.options(),
		Workers:  j.o.Workers,
		Progress: progress,
		Frames:   []int{j.e.Frame},
		Keep:     func(p score.Pair) { j.picture(b[p.Capture], p) },
		Tool:     "vqeval", Version: j.o.Version,
	})
	if err != nil {
		return err
	}
	for i, o := range outcomes {
		if o.Err != nil {
			return fmt.Errorf("run %s: %w", b[i].spec.Name, o.Err)
		}
		b[i].series = o.Series
		var text bytes.Buffer
		if err := metrics.WriteCSV(&text, o.Series); err != nil {
			return err
		}
		if err := WriteFile(j.scoreFile(b[i].spec, b[i].deadline), text.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// picture passes a frame on to whoever draws.
func (j *job) picture(w scoring, p score.Pair) {
	if j.o.Picture != nil {
		j.o.Picture(Picture{Run: w.spec, Deadline: w.deadline, Frame: p.Row.Frame, Ref: p.Ref, Shown: p.Shown, Row: p.Row, Matrix: p.Matrix})
	}
}

// loadRecording reads the capture of a run.
func loadRecording(dir string) (*stream.Recording, error) {
	f, err := os.Open(filepath.Join(dir, captureFile))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rd, err := capture.Open(f)
	if err != nil {
		return nil, err
	}
	return stream.Load(rd, stream.LoadOptions{Origin: stream.OriginZero})
}

// take turns a scored run into its row.
func (j *job) take(w *scoring) error {
	if w.rec == nil {
		rec, err := loadRecording(w.spec.dir)
		if err != nil && !errors.Is(err, capture.ErrNoStream) {
			return err
		}
		w.rec = rec
	}
	row, err := newRow(w, j.e)
	if err != nil {
		return err
	}
	j.results.Rows = append(j.results.Rows, row)
	j.results.Scored = append(j.results.Scored, Scored{Run: w.spec, Deadline: w.deadline, Transport: w.spec.Transport.Label(), Series: w.series})
	return nil
}

// summarise writes summary.csv and summary.json.
func (j *job) summarise() error {
	j.results.Cells = Cells(j.results.Rows)
	var text bytes.Buffer
	if err := WriteRows(&text, j.results.Rows); err != nil {
		return err
	}
	if err := WriteFile(j.folder.Path("summary.csv"), text.Bytes()); err != nil {
		return err
	}
	return writeJSON(j.folder.Path("summary.json"), j.results.Summary())
}
