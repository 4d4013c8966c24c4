package batch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vqeval/vqeval/decode/align"
	"github.com/vqeval/vqeval/lab/score"
)

// clip writes a video of a few frames of 16x16, brighter by the offset.
func clip(t *testing.T, path string, offset byte) {
	t.Helper()
	var b bytes.Buffer
	fmt.Fprint(&b, "YUV4MPEG2 W16 H16 F25:1 Ip A1:1 C420jpeg\n")
	for frame := range 5 {
		fmt.Fprint(&b, "FRAME\n")
		for i := range 16 * 16 * 3 / 2 {
			b.WriteByte(byte(i%16*8+frame*10) + offset)
		}
	}
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// clips is a plan of captures 0.y4m, 1.y4m and so on of two references by turns;
// number n is off by n. The third one of each ten is no video.
func clips(t *testing.T, n int) Plan {
	t.Helper()
	dir := t.TempDir()
	var p Plan
	for i := range n {
		ref := filepath.Join(dir, fmt.Sprintf("ref%d.y4m", i%2))
		clip(t, ref, 0)
		path := filepath.Join(dir, fmt.Sprintf("%d.y4m", i))
		clip(t, path, byte(i))
		if i%10 == 2 {
			if err := os.WriteFile(path, []byte("no video"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		p.add(Item{Reference: ref, Captured: path}, nil)
	}
	p.name()
	return p
}

func all(p Plan) (todo []int) {
	for i := range p.Items {
		todo = append(todo, i)
	}
	return todo
}

func TestScore(t *testing.T) {
	p := clips(t, 22)
	for _, jobs := range []int{0, 1, 3, 8, 100} {
		rows := make([]Row, len(p.Items))
		var saved atomic.Int32
		var last Progress
		o := Options{Jobs: jobs, Score: score.Options{Align: align.Index},
			Save:     func(*Result) error { saved.Add(1); return nil },
			Done:     func(r *Result) error { rows[r.Index] = r.Row; return nil },
			Progress: func(p Progress) { last = p },
		}
		if err := Score(t.Context(), p, all(p), o); err != nil {
			t.Fatal(err)
		}
		if saved.Load() != 22 || last.Done != 22 || last.Failed != 2 || last.Total != 22 {
			t.Errorf("%d jobs: %d saved, progress %+v, want 22 of 22, 2 failed", jobs, saved.Load(), last)
		}
		for i, r := range rows {
			switch {
			case i%10 == 2:
				if !r.Failed() || !strings.Contains(r.Err, p.Items[i].Captured) {
					t.Errorf("%d jobs: row %d: got error %q, want one that names the file", jobs, i, r.Err)
				}
			case r.Failed() || r.Number("frames") != 5 || r.Number("mse_y_mean") != float64(i*i):
				t.Errorf("%d jobs: row %d: error %q, %g frames, MSE %g, want 5, %d", jobs, i, r.Err, r.Number("frames"), r.Number("mse_y_mean"), i*i)
			}
		}
	}
}

func TestScoreBrokenReference(t *testing.T) {
	p := clips(t, 6)
	if err := os.WriteFile(p.Items[1].Reference, []byte("no video"), 0o644); err != nil {
		t.Fatal(err)
	}
	failed := 0
	err := Score(t.Context(), p, all(p), Options{Done: func(r *Result) error {
		if r.Row.Failed() && strings.HasPrefix(r.Row.Err, "reference: "+p.Items[1].Reference) {
			failed++
		}
		return nil
	}})
	if err != nil || failed != 3 {
		t.Errorf("got %d failures that name the reference, %v, want 3", failed, err)
	}
}

func TestScoreEndsEarly(t *testing.T) {
	p := clips(t, 22)
	full := errors.New("disk full")
	ctx, cancel := context.WithCancel(t.Context())
	for name, c := range map[string]struct {
		o    Options
		want error
	}{
		"first failure": {Options{FailFast: true}, ErrFailFast},
		"cannot save":   {Options{Save: func(*Result) error { return full }}, full},
		"cannot keep":   {Options{Done: func(*Result) error { return full }}, full},
		"interrupted":   {Options{Done: func(*Result) error { cancel(); return nil }}, context.Canceled},
	} {
		done := 0
		keep := c.o.Done
		c.o.Jobs, c.o.Done = 1, func(r *Result) error {
			done++
			if keep != nil {
				return keep(r)
			}
			return nil
		}
		if err := Score(ctx, p, all(p), c.o); !errors.Is(err, c.want) {
			t.Errorf("%s: got %v, want %v", name, err, c.want)
		}
		if done > 2*share {
			t.Errorf("%s: went on to %d results", name, done)
		}
		ctx, cancel = context.WithCancel(t.Context())
	}
	cancel()
}

func TestScoreNothing(t *testing.T) {
	if err := Score(t.Context(), Plan{}, nil, Options{}); err != nil {
		t.Error(err)
	}
}

func TestScoreDeadlineOfFile(t *testing.T) {
	p := clips(t, 1)
	p.Items[0].Deadline = time.Second
	err := Score(t.Context(), p, all(p), Options{Done: func(r *Result) error {
		if !strings.Contains(r.Row.Err, "a deadline needs arrival times") {
			t.Errorf("got error %q, want that a file has no arrival times", r.Row.Err)
		}
		return nil
	}})
	if err != nil {
		t.Error(err)
	}
}

func TestGroupsOf(t *testing.T) {
	for refs, want := range map[string][]string{
		"":             nil,
		"a":            {"0"},
		"aaaa":         {"0123"},
		"aaaaab":       {"0123", "4", "5"},
		"abababab":     {"0246", "1357"},
		"abcabcabcabc": {"0369", "147A", "258B"},
		"abaaaaba":     {"0234", "16", "57"},
	} {
		var p Plan
		for _, r := range refs {
			p.Items = append(p.Items, Item{Reference: string(r)})
		}
		var got []string
		for _, g := range groupsOf(p, all(p)) {
			text := ""
			for _, i := range g {
				text += fmt.Sprintf("%X", i)
			}
			got = append(got, text)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", refs, got, want)
		}
	}
}
