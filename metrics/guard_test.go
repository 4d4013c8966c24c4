package metrics

import (
	"sync"
	"testing"
)

func TestScorerRefuses(t *testing.T) {
	yuv := Format{Depth: 8, Planes: 3, ChromaShiftX: 1, ChromaShiftY: 1}
	for name, c := range map[string]struct {
		f    Format
		w, h int
		o    Options
	}{
		"depth":      {Format{Depth: 7, Planes: 1}, 64, 64, Options{}},
		"planes":     {Format{Depth: 8, Planes: 2}, 64, 64, Options{}},
		"chroma":     {Format{Depth: 8, Planes: 3, ChromaShiftX: 3}, 64, 64, Options{}},
		"small":      {yuv, 7, 64, Options{}},
		"zero":       {yuv, 64, 0, Options{}},
		"wide":       {yuv, 1 << 17, 64, Options{}},
		"dialect":    {yuv, 64, 64, Options{SSIM: 9}},
		"multiscale": {yuv, 176, 175, Options{MSSSIM: true}},
	} {
		if _, err := NewScorer(c.f, c.w, c.h, c.o); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	s := mustScorer(t, yuv, 64, 48, Options{})
	good := newPicture(yuv, 64, 48, 0, sceneAt(yuv, 0))
	if err := s.Check(good); err != nil {
		t.Errorf("a good picture: %v", err)
	}
	short, narrow, deep := good, good, good
	short.Planes[2].Pix = short.Planes[2].Pix[1:]
	narrow.Planes[0].Stride = 63
	deep.Format.Depth = 10
	for name, p := range map[string]Picture{"short": short, "narrow": narrow, "deep": deep, "grey": flat(64, 48, 1), "size": newPicture(yuv, 64, 50, 0, sceneAt(yuv, 0))} {
		if err := s.Check(p); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// Several scorers at once give the digits of one alone.
func TestScorersInParallel(t *testing.T) {
	f := Format{Depth: 8, Planes: 3, ChromaShiftX: 1, ChromaShiftY: 1}
	ref, got := newPicture(f, 200, 100, 0, sceneAt(f, 2)), newPicture(f, 200, 100, 0, damaged(f, 2, 9))
	for d := range dialects {
		want := mustScorer(t, f, 200, 100, Options{SSIM: Dialect(d)}).Score(ref, got)
		var wg sync.WaitGroup
		for range 4 {
			s := mustScorer(t, f, 200, 100, Options{SSIM: Dialect(d)})
			wg.Go(func() {
				for range 3 {
					if sc := s.Score(ref, got); sc != want {
						t.Errorf("%s: %+v, alone %+v", Dialect(d), sc, want)
					}
				}
			})
		}
		wg.Wait()
	}
}

func TestScoreDoesNotAllocate(t *testing.T) {
	for _, depth := range []int{8, 10} {
		f := Format{Depth: depth, Planes: 3, ChromaShiftX: 1, ChromaShiftY: 1}
		ref, got := newPicture(f, 180, 178, 0, sceneAt(f, 2)), newPicture(f, 180, 178, 0, damaged(f, 2, 9))
		for d := range dialects {
			s := mustScorer(t, f, 180, 178, Options{SSIM: Dialect(d), MSSSIM: true})
			if n := testing.AllocsPerRun(3, func() { s.Score(ref, got) }); n != 0 {
				t.Errorf("%s, depth %d: %v allocations a frame", Dialect(d), depth, n)
			}
		}
	}
}

func TestNames(t *testing.T) {
	for i, name := range Dialects() {
		var d Dialect
		if err := d.UnmarshalText([]byte(name)); err != nil || int(d) != i || d.String() != name {
			t.Errorf("%s reads as %v, %v", name, d, err)
		}
	}
	for i, name := range Verdicts() {
		var v Verdict
		if err := v.UnmarshalText([]byte(name)); err != nil || int(v) != i || v.String() != name {
			t.Errorf("%s reads as %v, %v", name, v, err)
		}
	}
	if _, err := Verdict(17).MarshalText(); err == nil {
		t.Error("verdict 17 has a name")
	}
}
