package align

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestDeleted deletes random sets of frames: the ledger must name exactly those,
// whether the times were closed up, kept, or are not there, and even where a
// single sample is all that moves.
func TestDeleted(t *testing.T) {
	const n = 14
	refs := []Clip{timed(moving(n)), timed(dot(n))}
	rapid.Check(t, func(t *rapid.T) {
		ref := rapid.SampledFrom(refs).Draw(t, "clip")
		gone := rapid.SliceOfNDistinct(rapid.IntRange(0, n-1), 0, n-3, rapid.ID).Draw(t, "gone")
		keep := rapid.Bool().Draw(t, "keep times")
		var frames []int
		for i := range n {
			if !slices.Contains(gone, i) {
				frames = append(frames, i)
			}
		}
		got := choose(ref, frames, keep)
		got.HasPTS = rapid.Bool().Draw(t, "times")
		for _, m := range []Method{Auto, Content} {
			r, err := Align(ref, got, m)
			if err != nil {
				t.Fatal(err)
			}
			if want := pairs(n, frames); !slices.Equal(r.Pair, want) {
				t.Errorf("%v without %v: got pairs %v, want %v", m, gone, r.Pair, want)
			}
		}
	})
}

// TestDoubled repeats and deletes random frames.
func TestDoubled(t *testing.T) {
	ref := timed(moving(14))
	rapid.Check(t, func(t *rapid.T) {
		var frames []int
		for i, n := range rapid.SliceOfN(rapid.IntRange(0, 3), 14, 14).Draw(t, "times shown") {
			for range n {
				frames = append(frames, i)
			}
		}
		if len(frames) == 0 {
			return
		}
		r, err := Align(ref, choose(ref, frames, false), Content)
		if err != nil {
			t.Fatal(err)
		}
		for i, j := range r.Pair {
			if want := slices.Contains(frames, i); want != (j >= 0) || j >= 0 && frames[j] != i {
				t.Fatalf("frames %v: got frame %d paired with %d", frames, i, j)
			}
		}
	})
}

func TestAuto(t *testing.T) {
	const black = -1
	seq := func(from, to int) (s []int) {
		for i := from; i < to; i++ {
			s = append(s, i)
		}
		return s
	}
	tests := []struct {
		name   string
		frames []int // reference frames that the capture shows
		method Method
		want   []int
	}{
		{"same", seq(0, 30), PTS, pairs(30, seq(0, 30))},
		{"starts late", seq(7, 30), Content, pairs(30, seq(7, 30))},
		{"ends early", seq(0, 20), PTS, pairs(30, seq(0, 20))},
		{"black around", slices.Concat([]int{black, black, black, black}, seq(0, 30), []int{black, black}), Content, nil},
		{"black around, start lost", slices.Concat([]int{black, black, black, black}, seq(6, 30), []int{black, black}), Content, nil},
		{"frozen, none added", slices.Concat(seq(0, 11), []int{10, 10, 10}, seq(14, 30)), PTS,
			slices.Concat(seq(0, 11), []int{-1, -1, -1}, seq(14, 30))},
		{"halted, none lost", slices.Concat(seq(0, 11), []int{10, 10, 10, 10, 10}, seq(11, 30)), Content, nil},
		{"one frame", []int{17}, Content, nil},
		{"nothing", nil, PTS, pairs(30, nil)},
	}
	ref := timed(moving(30))
	ref.Sigs = ref.Sigs[:30:30]
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var sigs []Signature
			want := tt.want
			if want == nil {
				want = pairs(30, nil)
			}
			for j, i := range tt.frames {
				if i == black {
					sigs = append(sigs, sign(flat(16)))
					continue
				}
				sigs = append(sigs, ref.Sigs[i])
				if tt.want == nil && want[i] < 0 {
					want[i] = j
				}
			}
			r, err := Align(ref, timed(sigs), Auto)
			if err != nil {
				t.Fatal(err)
			}
			if r.Method != tt.method {
				t.Errorf("got method %v, want %v", r.Method, tt.method)
			}
			for i, j := range r.Pair {
				w := want[i]
				if j != w && (j < 0 || w < 0 || sigs[j] != sigs[w]) {
					t.Errorf("frame %d: got captured frame %d, want %d", i, j, w)
				}
			}
			if len(r.Notes) == 0 {
				t.Error("got no note on what decided")
			}
		})
	}
}

// TestStill keeps the order of frames where pictures tell nothing, and says so.
func TestStill(t *testing.T) {
	still := func(values ...byte) Clip {
		var s []Signature
		for _, v := range values {
			s = append(s, sign(flat(v)))
		}
		return timed(s)
	}
	for _, m := range []Method{Auto, Content} {
		r, err := Align(still(100, 100, 100, 100), still(100, 100, 110), m)
		if err != nil {
			t.Fatal(err)
		}
		if want := []int{0, 1, 2, -1}; !slices.Equal(r.Pair, want) || !r.Ambiguous {
			t.Errorf("%v: got pairs %v, ambiguous %v, want %v, true", m, r.Pair, r.Ambiguous, want)
		}
	}
}

// TestStillInside deletes a frame of a still stretch: which one cannot be told,
// but nothing outside of it may shift.
func TestStillInside(t *testing.T) {
	sigs := moving(30)
	for i := 11; i < 16; i++ {
		sigs[i] = sigs[10]
	}
	ref := timed(sigs)
	frames := []int{}
	for i := range 30 {
		if i != 12 {
			frames = append(frames, i)
		}
	}
	r, err := Align(ref, choose(ref, frames, false), Auto)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 30 {
		if i < 10 && r.Pair[i] != i || i > 15 && r.Pair[i] != i-1 {
			t.Errorf("frame %d: got captured frame %d", i, r.Pair[i])
		}
	}
	if !r.Ambiguous || len(r.Notes) < 2 {
		t.Errorf("got ambiguous %v, notes %q, want true and why", r.Ambiguous, r.Notes)
	}
}

func TestAlignErrors(t *testing.T) {
	clip := timed(moving(2))
	bare := Clip{PTS: []int64{0, 3600}}
	tests := []struct {
		name     string
		ref, got Clip
		method   Method
	}{
		{"content without signatures", bare, bare, Content},
		{"auto without signatures", bare, bare, Auto},
		{"rtp of a file", clip, clip, RTP},
		{"pts of a raw stream", clip, bare, PTS},
		{"coded without twins", clip, clip, Coded},
		{"uneven slices", clip, Clip{PTS: []int64{0}, Sigs: clip.Sigs}, Auto},
		{"no such method", clip, clip, 99},
	}
	for _, tt := range tests {
		if _, err := Align(tt.ref, tt.got, tt.method); err == nil {
			t.Errorf("%s: got no error", tt.name)
		}
	}
}

func BenchmarkAlign(b *testing.B) {
	ref := timed(moving(375))
	frames := []int{}
	for i := range 375 {
		if i%40 != 7 {
			frames = append(frames, i)
		}
	}
	got := choose(ref, frames, false)
	for _, c := range []struct {
		name string
		got  Clip
	}{{"agreeing", ref}, {"searching", got}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				if _, err := Align(ref, c.got, Auto); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
