package main

import (
	"encoding/csv"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/vqeval/vqeval/metrics"
)

// judge checks scores against everything that the case says of them. Matched in
// the collection's sense are frames that were shown; same are those whose luma is
// identical; its means are over matched frames.
func (c realCase) judge(t *testing.T, file string, s metrics.Series) {
	t.Helper()
	seen := survey(s)
	for key, want := range c.want {
		switch key {
		case "ref":
			c.number(t, file, key, float64(len(s.Rows)), want, 0)
		case "matched":
			c.number(t, file, key, float64(len(seen.matched)), want, 0)
		case "missing":
			c.number(t, file, key, float64(len(s.Rows)-len(seen.matched)), want, 0)
		case "same":
			c.number(t, file, key, float64(len(seen.same)), want, 0)
		case "extra":
			c.number(t, file, key, float64(extraOf(s)), want, 0)
		case "damaged":
			c.frames(t, file, key, without(seen.matched, seen.same), want)
		case "missing_list":
			c.frames(t, file, key, without(seen.all, seen.matched), want)
		case "same_frames":
			c.contains(t, file, key, seen.same, want)
		case "not_same":
			for _, f := range frameNumbers(t, want) {
				if slices.Contains(seen.same, f) {
					t.Errorf("%s: frame %d is the reference's, which it cannot be", file, f)
				}
			}
		case "mse", "psnr":
			c.everyFrame(t, file, key, s, want)
		case "mean_psnr", "total_psnr", "min_psnr", "mean_mse", "mean_ssim_ff":
			c.mean(t, file, key, s, want)
		}
	}
	c.ledger(t, file, s)
	c.remarks(t, file, s)
}

// seenFrames are frame numbers of a reference by what became of them.
type seenFrames struct{ all, matched, same []int }

func survey(s metrics.Series) (f seenFrames) {
	for _, r := range s.Rows {
		f.all = append(f.all, r.Frame)
		if !r.Verdict.Shown() {
			continue
		}
		f.matched = append(f.matched, r.Frame)
		if r.Score.SSE[0] == 0 {
			f.same = append(f.same, r.Frame)
		}
	}
	return f
}

// extraOf reads the number of captured frames without a reference frame from the
// note about them.
func extraOf(s metrics.Series) int {
	for _, n := range s.Notes {
		if count, rest, ok := strings.Cut(n, " "); ok && strings.Contains(rest, "no reference frame") {
			k, err := strconv.Atoi(count)
			if err == nil {
				return k
			}
		}
	}
	return 0
}

func (c realCase) number(t *testing.T, file, key string, got float64, want string, tolerance float64) {
	t.Helper()
	w, err := strconv.ParseFloat(want, 64)
	if err != nil {
		t.Fatalf("%s: %s=%s: %v", c.id, key, want, err)
	}
	if math.Abs(got-w) > tolerance {
		t.Errorf("%s: %s: got %v, want %v", file, key, got, w)
	}
}

func (c realCase) frames(t *testing.T, file, key string, got []int, want string) {
	t.Helper()
	if !slices.Equal(got, frameNumbers(t, want)) {
		t.Errorf("%s: %s: got %s, want %s", file, key, frameList(got), want)
	}
}

func (c realCase) contains(t *testing.T, file, key string, got []int, want string) {
	t.Helper()
	if lacking := without(frameNumbers(t, want), got); len(lacking) > 0 {
		t.Errorf("%s: %s: frames %s are not among them", file, key, frameList(lacking))
	}
}

// everyFrame checks a value that all frames have.
func (c realCase) everyFrame(t *testing.T, file, key string, s metrics.Series, want string) {
	t.Helper()
	for _, r := range s.Rows {
		v, tolerance := r.Score.MSE[0], 1e-6
		switch key {
		case "psnr":
			v, tolerance = r.Score.PSNR[0], 5e-5
		case "ssim":
			v, tolerance = r.Score.SSIM[0], 1e-6
		}
		c.number(t, file, key, v, want, tolerance)
	}
}

// mean checks what is pooled over matched frames.
func (c realCase) mean(t *testing.T, file, key string, s metrics.Series, want string) {
	t.Helper()
	p := s.Pool(metrics.Filter{ShownOnly: true})
	switch key {
	case "mean_psnr":
		c.number(t, file, key, p["psnr_y"].Mean, want, 1e-4)
	case "total_psnr":
		c.number(t, file, key, p["psnr_y"].Total, want, 1e-4)
	case "min_psnr":
		c.number(t, file, key, p["psnr_y"].Min, want, 1e-4)
	case "mean_mse":
		c.number(t, file, key, p["mse_y"].Mean, want, 1e-4)
	case "mean_ssim_ff":
		c.number(t, file, key, p["ssim_y"].Mean, want, 2e-5)
	}
}

// ledger compares each frame with the collection's own list of true values, as
// far as the case has one.
func (c realCase) ledger(t *testing.T, file string, s metrics.Series) {
	t.Helper()
	text, err := os.Open(c.path("expect/" + c.id + ".tsv"))
	if err != nil {
		return
	}
	defer text.Close()
	in := csv.NewReader(text)
	in.Comma = '\t'
	lines, err := in.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lines[1:] {
		const frame, state, mse, psnr, ssim = 0, 2, 3, 4, 5
		i, err := strconv.Atoi(l[frame])
		if err != nil || i >= len(s.Rows) || l[state] != "same" && l[state] != "damaged" {
			continue
		}
		r := s.Rows[i]
		if !r.Verdict.Shown() && c.want["alt_damaged"] != "" {
			continue
		}
		c.number(t, file, "frame "+l[frame]+" MSE", r.Score.MSE[0], l[mse], 1e-6)
		c.number(t, file, "frame "+l[frame]+" PSNR", r.Score.PSNR[0], l[psnr], 1e-4)
		c.number(t, file, "frame "+l[frame]+" SSIM", r.Score.SSIM[0], l[ssim], 2e-6)
	}
}

// remarks checks that the reader is warned where the case demands it.
func (c realCase) remarks(t *testing.T, file string, s metrics.Series) {
	t.Helper()
	want := map[string]string{"O-C01": "range", "O-C02": "range", "O-A10": "frame rates differ"}[c.id]
	if want != "" && !strings.Contains(strings.Join(s.Notes, "\n"), want) {
		t.Errorf("%s: no remark about %q in %q", file, want, s.Notes)
	}
}

// frameNumbers reads 5,17,33-34, or none.
func frameNumbers(t *testing.T, list string) []int {
	t.Helper()
	frames := []int{}
	if list == "none" || list == "" {
		return frames
	}
	for part := range strings.SplitSeq(list, ",") {
		first, last, isRange := strings.Cut(part, "-")
		if !isRange {
			last = first
		}
		a, errA := strconv.Atoi(first)
		b, errB := strconv.Atoi(last)
		if errA != nil || errB != nil {
			t.Fatalf("%q is no list of frames", list)
		}
		for i := a; i <= b; i++ {
			frames = append(frames, i)
		}
	}
	return frames
}

// without returns what of a is not in b.
func without(a, b []int) []int {
	return slices.DeleteFunc(slices.Clone(a), func(v int) bool { return slices.Contains(b, v) })
}
