package score

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/vqeval/vqeval/decode"
	"github.com/vqeval/vqeval/decode/align"
	"github.com/vqeval/vqeval/metrics"
)

// TestScoreFiles scores lossless captures that lost, repeated or moved frames:
// every frame that is there must be ok, whatever else is wrong.
func TestScoreFiles(t *testing.T) {
	ref := reference(t, t.TempDir())
	const restamp = ",setpts=N/25/TB"
	all := strings.Repeat("o", clipFrames)
	tests := []struct {
		name, filter string
		want         string
		by           align.Method
	}{
		{"same.mkv", "null", all, align.PTS},
		{"gap.mkv", `select=not(eq(n\,12))`, all[:12] + "f" + all[13:], align.PTS},
		{"closed.mkv", `select=not(eq(n\,12))` + restamp, all[:12] + "f" + all[13:], align.Content},
		{"start.mp4", "trim=start_frame=7" + restamp, "mmmmmmm" + all[7:], align.Content},
		{"end.mp4", "trim=end_frame=20" + restamp, all[:20] + "ffffffffff", align.PTS},
		{"frozen.mkv", `select=not(between(n\,21\,24)),loop=loop=4:size=1:start=21` + restamp, all[:21] + "ffff" + all[25:], align.PTS},
		{"doubled.mkv", "loop=loop=1:size=1:start=13" + restamp, all, align.Content},
		{"nothing.y4m", "null", all, align.Index},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := mustScore(t, ref, recode(t, ref, tt.name, tt.filter), Options{})
			if got := verdicts(s); got != tt.want || s.Settings["aligned_by"] != tt.by.String() {
				t.Errorf("got  %s by %s, notes %q\nwant %s by %v", got, s.Settings["aligned_by"], s.Notes, tt.want, tt.by)
			}
			for i, r := range s.Rows {
				if r.Frame != i || r.PTS != duration(int64(i)*3600) {
					t.Errorf("row %d: frame %d at %v", i, r.Frame, r.PTS)
				}
				if r.Verdict == metrics.OK != r.Score.Identical || r.Score.PSNR[0] == 0 {
					t.Errorf("frame %d: verdict %v, score %+v", i, r.Verdict, r.Score)
				}
			}
		})
	}
}

// TestWorkers: the result does not depend on how many workers measure.
func TestWorkers(t *testing.T) {
	ref := reference(t, t.TempDir())
	got := recode(t, ref, "coarse.mkv", `select=not(eq(n\,9))`, "-qp", "40")
	want := mustScore(t, ref, got, Options{Workers: 1})
	for _, n := range []int{2, 5, 0} {
		if diff := cmp.Diff(want, mustScore(t, ref, got, Options{Workers: n})); diff != "" {
			t.Errorf("%d workers (-1, +%d):\n%s", n, n, diff)
		}
	}
	if v := verdicts(want); strings.Trim(v, "d") != "f" {
		t.Errorf("got %s, want all damaged but one", v)
	}
}

// TestMissing: before the first picture there is mid-grey.
func TestMissing(t *testing.T) {
	ref := reference(t, t.TempDir())
	late := recode(t, ref, "late.mkv", "trim=start_frame=3,setpts=N/25/TB")
	grey := recode(t, ref, "grey.mkv", "lutyuv=y=128:u=128:v=128")
	a := mustScore(t, ref, late, Options{}).Rows[:3]
	b := mustScore(t, ref, grey, Options{Align: align.Index}).Rows[:3]
	for i := range a {
		if a[i].Score != b[i].Score || a[i].Shown != -1 || a[i].Verdict != metrics.Missing {
			t.Errorf("frame %d: got %+v, want missing with the score of grey %+v", i, a[i], b[i].Score)
		}
	}
}

func TestGroup(t *testing.T) {
	dir := t.TempDir()
	ref := reference(t, dir)
	text := filepath.Join(dir, "text.mp4")
	if err := os.WriteFile(text, []byte(strings.Repeat("this is not a video\n", 50)), 0o666); err != nil {
		t.Fatal(err)
	}
	captures := []Capture{
		{Path: recode(t, ref, "closed.mkv", `select=not(eq(n\,12)),setpts=N/25/TB`)},
		{Path: filepath.Join(dir, "none.mp4")},
		{Path: recode(t, ref, "small.mkv", "scale=80:48")},
		{Path: text},
		{Path: ref, Name: "itself"},
	}
	outcomes, err := ScoreGroup(context.Background(), Reference{Path: ref}, captures, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for k, want := range []error{nil, fs.ErrNotExist, &MismatchError{}, decode.ErrFormat, nil} {
		got := outcomes[k].Err
		var m *MismatchError
		if (got == nil) != (want == nil) || want != nil && !errors.Is(got, want) && !errors.As(got, &m) {
			t.Errorf("%s: got error %v, want %v", captures[k].Path, got, want)
		}
		if got != nil && !strings.HasPrefix(got.Error(), captures[k].Path) {
			t.Errorf("error %q does not begin with the file's name", got)
		}
	}
	alone := mustScore(t, ref, captures[0].Path, Options{})
	if diff := cmp.Diff(alone, outcomes[0].Series); diff != "" {
		t.Errorf("alone and in a group differ:\n%s", diff)
	}
	if s := outcomes[4].Series; s.Captured != "itself" || verdicts(s) != strings.Repeat("o", clipFrames) {
		t.Errorf("got %s: %s", s.Captured, verdicts(s))
	}
	if _, err := ScoreGroup(context.Background(), Reference{Path: text}, captures, Options{}); !errors.Is(err, decode.ErrFormat) {
		t.Errorf("bad reference: got %v, want %v", err, decode.ErrFormat)
	}
}

func TestCancel(t *testing.T) {
	ref := reference(t, t.TempDir())
	ctx, cancel := context.WithCancel(context.Background())
	o := Options{Progress: func(done, total int) {
		if total != clipFrames {
			t.Errorf("got a total of %d, want %d", total, clipFrames)
		}
		if done == 5 {
			cancel()
		}
	}}
	if _, err := Score(ctx, Reference{Path: ref}, Capture{Path: ref}, o); !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v, want %v", err, context.Canceled)
	}
}

// TestKeep: the pictures of chosen frames are handed out while they are measured.
func TestKeep(t *testing.T) {
	ref := reference(t, t.TempDir())
	got := recode(t, ref, "closed.mkv", `select=not(eq(n\,12)),setpts=N/25/TB`)
	var mu sync.Mutex
	kept := map[int]Pair{}
	s := mustScore(t, ref, got, Options{Frames: []int{12, 20}, Keep: func(p Pair) {
		mu.Lock()
		defer mu.Unlock()
		p.Ref, p.Shown = p.Ref.Clone(), p.Shown.Clone()
		kept[p.Row.Frame] = p
	}})
	if len(kept) != 2 {
		t.Fatalf("got %d pairs, want 2", len(kept))
	}
	scorer, err := metrics.NewScorer(kept[12].Ref.Format, 160, 96, metrics.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range kept {
		if score := scorer.Score(p.Ref, p.Shown); score != s.Rows[i].Score {
			t.Errorf("frame %d: the pair scores %+v, the series has %+v", i, score, s.Rows[i].Score)
		}
	}
}

// TestTruncated: what is there is scored, and said.
func TestTruncated(t *testing.T) {
	dir := t.TempDir()
	ref := reference(t, dir)
	fast := filepath.Join(dir, "fast.mp4")
	ffmpeg(t, "-i", ref, "-c", "copy", "-movflags", "+faststart", fast)
	b, err := os.ReadFile(fast)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(fast, b[:len(b)*7/10], 0o666); err != nil {
		t.Fatal(err)
	}
	s := mustScore(t, ref, fast, Options{})
	v := verdicts(s)
	n := strings.IndexByte(v, 'f')
	if n < 10 || strings.Trim(v[n:], "f") != "" || !strings.Contains(strings.Join(s.Notes, "; "), "of 30; the file ends inside frame") {
		t.Errorf("got %s, notes %q", v, s.Notes)
	}
}
