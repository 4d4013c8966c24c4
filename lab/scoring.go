package lab

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
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
	series   metrics.Series
	row      Row
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
	classes, err := j.classify(ctx, work)
	if err != nil {
		return err
	}
	parts := batches(classes)
	for i, b := range parts {
		err := j.scoreBatch(ctx, b, func(at, of int) {
			j.o.Progress(Progress{Phase: "scoring", Done: int64(i*of + at), Total: int64(len(parts) * of), Label: b[0].first().spec.Name})
		})
		if err != nil {
			return err
		}
	}
	return j.take(work)
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
			w := scoring{spec: s, deadline: d, outcome: o, done: s.Bulk.On() || j.e.Score.DeliveryOnly}
			if w.done {
				out = append(out, w)
				continue
			}
			text, err := os.ReadFile(j.scoreFile(s, d))
			if err == nil {
				if err = w.read(text); err != nil {
					return nil, fmt.Errorf("%s: %w; hint: remove the file to have it made again", j.scoreFile(s, d), err)
				}
			} else if !os.IsNotExist(err) {
				return nil, fmt.Errorf("scores: %w", err)
			}
			out = append(out, w)
		}
	}
	return out, nil
}

// read takes the series from the text of a score file, so that an experiment
// that was resumed and one that was not see the same.
func (w *scoring) read(text []byte) (err error) {
	w.series, err = metrics.ReadCSV(bytes.NewReader(text))
	w.done = err == nil
	return err
}

func (j *job) scoreFile(s Spec, d Deadline) string {
	return j.folder.Path("scores", scoreName(s.Name, d)+".csv")
}

// batches cuts classes into parts that share a clip, none larger than batch.
func batches(classes []*class) [][]*class {
	var out [][]*class
	for len(classes) > 0 {
		n := 1
		for n < len(classes) && n < batch && classes[n].first().spec.path == classes[0].first().spec.path {
			n++
		}
		out = append(out, classes[:n])
		classes = classes[n:]
	}
	return out
}

// scoreBatch scores captures of one clip against it and keeps the ledgers of
// all runs that they stand for.
func (j *job) scoreBatch(ctx context.Context, b []*class, progress func(done, total int)) error {
	captures := make([]score.Capture, len(b))
	for i, c := range b {
		w := c.first()
		rec, err := loadRecording(w.spec.dir)
		if err != nil && !errors.Is(err, capture.ErrNoStream) {
			return fmt.Errorf("run %s: %w", w.spec.Name, err)
		}
		captures[i] = j.capture(w.spec, w.deadline)
		captures[i].Expired = c.expired
		captures[i].Recording = rec
	}
	outcomes, err := score.ScoreGroup(ctx, score.Reference{Path: b[0].first().spec.path, Name: b[0].first().spec.Clip}, captures, score.Options{
		Align:    j.e.Score.Align,
		Metrics:  j.e.Score.options(),
		Workers:  j.o.Workers,
		Progress: progress,
		Frames:   j.frames(b),
		Keep:     func(p score.Pair) { j.picture(b[p.Capture], p) },
		Tool:     "vqeval", Version: j.o.Version,
	})
	if err != nil {
		return err
	}
	for i, o := range outcomes {
		if o.Err != nil {
			return fmt.Errorf("run %s: %w", b[i].first().spec.Name, o.Err)
		}
		for _, w := range b[i].members {
			if err := j.keep(w, o.Series); err != nil {
				return fmt.Errorf("run %s: %w", w.spec.Name, err)
			}
		}
	}
	return nil
}

// capture says how the recording of a run is scored.
func (j *job) capture(s Spec, d Deadline) score.Capture {
	return score.Capture{Path: filepath.Join(s.dir, captureFile), Name: s.Name, Load: stream.LoadOptions{Origin: stream.OriginZero},
		Policy: j.e.Score.BrokenNAL, Deadline: time.Duration(d), Late: stream.LatePolicy(j.e.Late)}
}

// frames lists the frames that whoever draws wants to see: all of a clip.
func (j *job) frames(b []*class) []int {
	seen := slices.ContainsFunc(b, func(c *class) bool {
		return slices.ContainsFunc(c.members, func(w *scoring) bool { return w.spec.Seed == j.e.Seeds[0] })
	})
	if j.o.Picture == nil || !seen {
		return nil
	}
	all := make([]int, max(int(b[0].first().outcome.Sender.UnitsSent), j.e.Frame+1))
	for i := range all {
		all[i] = i
	}
	return all
}

// picture passes a frame on to whoever draws, for each run with the first seed
// that shows it.
func (j *job) picture(c *class, p score.Pair) {
	for _, w := range c.members {
		if w.spec.Seed != j.e.Seeds[0] {
			continue
		}
		j.o.Picture(Picture{Run: w.spec, Deadline: w.deadline, Frame: p.Row.Frame, Ref: p.Ref, Shown: p.Shown, Row: p.Row, Matrix: p.Matrix})
	}
}

// loadRecording reads the capture of a run; capture.ErrNoStream if nothing
// arrived.
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

// take turns scored runs into the results' rows.
func (j *job) take(work []scoring) error {
	for i := range work {
		w := &work[i]
		if w.spec.Bulk.On() {
			j.results.Rows = append(j.results.Rows, bulkRow(w))
			continue
		}
		if w.row.Run == "" {
			a, err := j.assess(w)
			if err != nil {
				return fmt.Errorf("run %s: %w", w.spec.Name, err)
			}
			w.row = newRow(w, a)
		}
		j.results.Rows = append(j.results.Rows, w.row)
		if j.e.Score.DeliveryOnly {
			continue
		}
		j.results.Scored = append(j.results.Scored, Scored{Run: w.spec, Deadline: w.deadline, Transport: w.spec.Transport.Label(), Series: w.series})
	}
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
