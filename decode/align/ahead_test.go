package align

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// drowned returns frame n in noise of its own and of the same kind in all blocks,
// which is stronger than the motion from frame to frame.
func drowned(n int, strength int) Signature {
	pix := picture(n)
	r := rand.New(rand.NewPCG(uint64(n), 5))
	for y := 0; y < height; y += 8 {
		for x := 0; x < width; x += 8 {
			d := r.IntN(2*strength+1) - strength
			for k := range 64 {
				if yy, xx := y+k/8, x+k%8; yy < height && xx < width {
					p := &pix[yy*width+xx]
					*p = byte(min(255, max(0, int(*p)+d)))
				}
			}
		}
	}
	return sign(pix)
}

// TestAhead: frames that are missing without a trace in the times are found in a
// capture of which no picture matches, to a few frames.
func TestAhead(t *testing.T) {
	const n, strength, blur = 60, 40, 6
	ref := timed(moving(n))
	coarse := make([]Signature, n)
	for i := range coarse {
		coarse[i] = drowned(i, strength)
	}
	for _, gap := range []int{0, 3, 7, 20, 33, 40} {
		for _, size := range []int{1, 2, 8} {
			var frames []int
			var sigs []Signature
			for i := range n {
				if i < gap || i >= gap+size {
					frames, sigs = append(frames, i), append(sigs, coarse[i])
				}
			}
			r, err := Align(ref, timed(sigs), Auto)
			if err != nil {
				t.Fatal(err)
			}
			for i, want := range pairs(n, frames) {
				if (i < gap-blur || i >= gap+size+blur) && r.Pair[i] != want {
					t.Errorf("frames %d-%d missing: frame %d is paired with %d by %v, want %d; notes %q", gap, gap+size-1, i, r.Pair[i], r.Method, want, r.Notes)
					break
				}
			}
		}
	}
}

// TestNotAhead: pictures that look like the past, as damage has it, change nothing.
func TestNotAhead(t *testing.T) {
	const n = 60
	ref := timed(moving(n))
	got := timed(moving(n))
	for j := 20; j < n; j++ {
		got.Sigs[j] = drowned(j-3, 40)
	}
	r, err := Align(ref, got, Auto)
	if err != nil {
		t.Fatal(err)
	}
	for i, j := range r.Pair {
		if i != j {
			t.Fatalf("reference frame %d is paired with %d by %v, notes %q", i, j, r.Method, r.Notes)
		}
	}
}

func TestRise(t *testing.T) {
	for _, tt := range []struct{ found, want []int }{
		{nil, []int{}},
		{[]int{0, 0, 0, 0}, []int{0, 0, 0, 0}},
		{[]int{0, 0, 9, 0, 0}, []int{0, 0, 0, 0, 0}},
		{[]int{0, 0, 1, 1, 1, 1, 1}, []int{0, 0, 1, 1, 1, 1, 1}},
		{[]int{2, 2, 2, 2, 5, 5, 5, 5}, []int{2, 2, 2, 2, 5, 5, 5, 5}},
		{[]int{2, 2, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0}, make([]int, 12)},
		{[]int{unknown, unknown, unknown}, []int{0, 0, 0}},
	} {
		if got := rise(tt.found); !slices.Equal(got, tt.want) {
			t.Errorf("%v: got %v, want %v", tt.found, got, tt.want)
		}
	}
}

// TestStillStart: of a beginning in which nothing moves, any frame may be missing.
func TestStillStart(t *testing.T) {
	sigs := moving(40)
	for i := range 15 {
		sigs[i] = sigs[0]
	}
	r, err := Align(timed(sigs), timed(sigs[1:]), Auto)
	if err != nil {
		t.Fatal(err)
	}
	if !r.Ambiguous || r.Method != Content {
		t.Errorf("got %v by %v, notes %q, want content, and doubt", r.Pair, r.Method, r.Notes)
	}
}
