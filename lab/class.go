package lab

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"slices"
	"time"

	"github.com/vqeval/vqeval/metrics"
	"github.com/vqeval/vqeval/stream"
	"github.com/vqeval/vqeval/stream/capture"
)

// A class is what gives the same pictures: runs and deadlines with which the
// decoder gets the same access units and shows the same ones of them. One is
// decoded and measured for all. Lossless transports are often one class.
type class struct {
	members []*scoring
	expired []int64 // presentation times that the sender gave up
}

func (c *class) first() *scoring { return c.members[0] }

// classify sorts what has no scores yet into classes, in the plan's order.
func (j *job) classify(ctx context.Context, work []scoring) ([]*class, error) {
	index := map[[sha256.Size]byte]*class{}
	var out []*class
	for i := range work {
		w := &work[i]
		if w.done {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		a, err := j.assess(w)
		if err != nil {
			return nil, fmt.Errorf("run %s: %w", w.spec.Name, err)
		}
		key := a.key(w.spec.path)
		if index[key] == nil {
			index[key] = &class{expired: expired(a.all)}
			out = append(out, index[key])
		}
		index[key].members = append(index[key].members, w)
	}
	return out, nil
}

// An assessment is a run's recording as a player with one deadline had it.
type assessment struct {
	rec    *stream.Recording // nil: nothing arrived
	timely stream.Assembled
	all    []fate
	sent   stream.Sent
}

// assess reads what a run left.
func (j *job) assess(w *scoring) (assessment, error) {
	var a assessment
	var err error
	if a.sent, err = readSent(w.spec.dir); err != nil {
		return a, err
	}
	if a.rec, err = loadRecording(w.spec.dir); err != nil && !errors.Is(err, capture.ErrNoStream) {
		return a, err
	}
	if a.all, err = fates(w.spec.dir, w.outcome, a.sent, a.rec); err != nil || a.rec == nil {
		return a, err
	}
	a.timely, err = a.rec.Assemble(stream.AssembleOptions{Policy: j.e.Score.BrokenNAL, Deadline: time.Duration(w.deadline),
		Late: stream.LatePolicy(j.e.Late), Expect: expect(a.sent), Expired: expired(a.all)})
	return a, err
}

// key is equal for recordings that give the same pictures and notes.
func (a assessment) key(clip string) (sum [sha256.Size]byte) {
	h := sha256.New()
	number := func(v ...int64) { write(h, v...) }
	number(int64(len(clip)))
	h.Write([]byte(clip))
	for _, u := range a.timely.Units {
		number(u.Timestamp, truth(u.Complete), truth(u.Key), int64(len(u.NALUs)))
		for _, n := range u.NALUs {
			number(int64(len(n)))
			h.Write(n)
		}
	}
	for _, au := range a.timely.AUs {
		number(au.PTS, int64(au.Unit), int64(len(au.Verdict)))
		h.Write([]byte(au.Verdict))
	}
	number(int64(a.timely.Use.Late))
	if a.rec != nil {
		s := a.rec.Stats()
		number(int64(s.Lost), int64(s.Packets-s.Duplicates), int64(s.SSRCChanges), int64(s.Malformed), int64(s.Unsupported), int64(s.Foreign))
	}
	h.Sum(sum[:0])
	return sum
}

func write(h hash.Hash, v ...int64) {
	var b [8]byte
	for _, n := range v {
		binary.LittleEndian.PutUint64(b[:], uint64(n))
		h.Write(b[:])
	}
}

func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// keep writes the ledger of one run: the scores of its class, with causes and
// delays of its own.
func (j *job) keep(w *scoring, s metrics.Series) error {
	a, err := j.assess(w)
	if err != nil {
		return err
	}
	s.Captured, s.Rows = w.spec.Name, slices.Clone(s.Rows)
	explain(s.Rows, a.all, a.timely)
	if err := j.writeRemarks(w, s, a); err != nil {
		return err
	}
	var text bytes.Buffer
	if err := metrics.WriteCSV(&text, s); err != nil {
		return err
	}
	if err := WriteFile(j.scoreFile(w.spec, w.deadline), text.Bytes()); err != nil {
		return err
	}
	if err := w.read(text.Bytes()); err != nil {
		return err
	}
	w.row = newRow(w, a)
	return nil
}
