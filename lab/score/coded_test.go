package score

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/vqeval/vqeval/decode"
	"github.com/vqeval/vqeval/metrics"
	"github.com/vqeval/vqeval/stream/h264"
)

// TestInOrder deletes elements of a sequence of which most are unique: those that
// are unique must be found where they were, and all in order.
func TestInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole := make([]uint64, rapid.IntRange(1, 40).Draw(t, "length"))
		for i := range whole {
			whole[i] = uint64(100 + i)
			if rapid.IntRange(0, 3).Draw(t, "alike") == 0 {
				whole[i] = 1
			}
		}
		var part []uint64
		var from []int
		for i, x := range whole {
			if rapid.IntRange(0, 4).Draw(t, "gone") > 0 {
				part, from = append(part, x), append(from, i)
			}
		}
		last := -1
		for j, k := range inOrder(whole, part) {
			if part[j] != 1 && k != from[j] {
				t.Fatalf("element %d: got %d, want %d", j, k, from[j])
			}
			if k >= 0 && (k <= last || whole[k] != part[j]) {
				t.Fatalf("element %d: got %d behind %d", j, k, last)
			}
			last = max(last, k)
		}
	})
}

func TestInOrderForeign(t *testing.T) {
	if got := inOrder([]uint64{1, 2, 3}, []uint64{9, 8, 7}); !slices.Equal(got, []int{-1, -1, -1}) {
		t.Errorf("got %v", got)
	}
	if got := inOrder(nil, []uint64{9}); !slices.Equal(got, []int{-1}) {
		t.Errorf("got %v", got)
	}
	if got := inOrder([]uint64{1, 1, 1, 2}, []uint64{1, 1, 1, 2}); !slices.Equal(got, []int{0, 1, 2, 3}) {
		t.Errorf("got %v", got)
	}
}

func TestRetime(t *testing.T) {
	units := []h264.AccessUnit{{PTS: 0}, {PTS: 10800}, {PTS: 3600}, {PTS: 7200}, {PTS: 14400}}
	retime(units, []int64{noTime, 18000, 7200, noTime, noTime})
	var got []int64
	for _, u := range units {
		got = append(got, u.PTS)
	}
	if want := []int64{3600, 18000, 7200, 10800, 21600}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestShortfall(t *testing.T) {
	for w, want := range map[decode.Warning]string{
		{Kind: decode.Truncated, Frame: 212, Total: 300}: "frames 0-211 of 300; the file ends inside frame 212",
		{Kind: decode.Truncated, Frame: 5}:               "frames 0-4; the file ends inside frame 5",
	} {
		if got := shortfall(w); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestRanges(t *testing.T) {
	for want, v := range map[string][]int{
		"": nil, "3": {3}, "0-2,7": {0, 1, 2, 7}, "0,2,4,6,8,10,12,14,…": {0, 2, 4, 6, 8, 10, 12, 14, 16},
	} {
		if got := ranges(v); got != want {
			t.Errorf("%v: got %q, want %q", v, got, want)
		}
	}
}

func TestGrey(t *testing.T) {
	p := greyLike(metrics.Format{Depth: 10, Planes: 3, ChromaShiftX: 1, ChromaShiftY: 1}, 5, 3)
	want := []byte{0, 2, 0, 2, 0, 2} // 512, little endian
	for y := range 2 {
		if diff := cmp.Diff(want, p.Planes[1].Pix[y*p.Planes[1].Stride:][:6]); diff != "" {
			t.Error(diff)
		}
	}
	if p.Planes[0].Width != 5 || p.Planes[1].Width != 3 || p.Planes[1].Height != 2 {
		t.Errorf("got planes of %dx%d and %dx%d", p.Planes[0].Width, p.Planes[0].Height, p.Planes[1].Width, p.Planes[1].Height)
	}
}
