package align

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// A capture that is brighter, darker, of another contrast or sample range, with
// frames missing and no times that tell which: each pair is found, and said how.
func TestLevel(t *testing.T) {
	const n = 120
	ref := timed(moving(n))
	rng := rand.New(rand.NewPCG(5, 6))
	for _, v := range []struct {
		name         string
		gain, offset float64
		told         bool
	}{
		{"as it is", 1, 0, false}, {"brighter", 1, 8, true}, {"darker", 1, -20, true}, {"weaker", .8, 10, true},
		{"full range taken for limited", 219. / 255, 16, true}, {"limited for full", 255. / 219, -16 * 255. / 219, true},
	} {
		t.Run(v.name, func(t *testing.T) {
			var frames []int
			var sigs []Signature
			for i := range n {
				if i > 0 && rng.IntN(8) == 0 {
					continue
				}
				pix := picture(i)
				for k, p := range pix { // with a little of what coding does
					pix[k] = byte(max(0, min(255, math.Round(v.gain*float64(p)+v.offset+rng.NormFloat64()))))
				}
				frames, sigs = append(frames, i), append(sigs, sign(pix))
			}
			r, err := Align(ref, timed(sigs), Auto)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(r.Pair, pairs(n, frames)) || r.Method != Content {
				t.Errorf("paired by %v: %v\nwant %v", r.Method, r.Pair, pairs(n, frames))
			}
			if told := strings.Contains(strings.Join(r.Notes, ";"), "another brightness"); told != v.told {
				t.Errorf("notes %q", r.Notes)
			}
		})
	}
}

// A part of a clip, or a strange clip, is no matter of brightness.
func TestLevelLeaves(t *testing.T) {
	ref := timed(moving(100))
	for i := range ref.Sigs { // one half dark, the other bright
		ref.Sigs[i] = ref.Sigs[i].toned(tone{.4, float64(i/50) * 100 * 256})
	}
	strange := make([]Signature, 40)
	for i := range strange {
		strange[i] = sign(flat(byte(60 + i)))
	}
	for name, got := range map[string]Clip{"dark half": timed(ref.Sigs[:40]), "bright half": timed(ref.Sigs[60:]), "flat": timed(strange), "none": {}} {
		if out, notes := level(ref, got); notes != nil || !slices.Equal(out.Sigs, got.Sigs) {
			t.Errorf("%s: %v", name, notes)
		}
	}
}
