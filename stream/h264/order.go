package h264

import (
	"cmp"
	"fmt"
	"slices"
)

// A shown is one frame or unpaired field in the order of showing.
type shown struct {
	epoch int // pictures of an earlier epoch are all shown before
	poc   int
	units []int
}

// PresentationOrder returns for each access unit, in decoding order, the rank
// from 0 at which its picture is shown, derived from picture order counts
// (8.2.1). An IDR picture and memory management operation 5 begin anew: all
// that was decoded before is shown before. Both fields of a frame have one
// rank, and a unit without a slice has that of the unit before it. A slice that
// comes before its parameter sets is read with the first ones of the stream.
//
// The error names the first unit whose slice header cannot be read.
func PresentationOrder(units []AccessUnit) ([]int, error) {
	frames, err := shownFrames(units)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(frames, func(a, b shown) int {
		return cmp.Or(cmp.Compare(a.epoch, b.epoch), cmp.Compare(a.poc, b.poc))
	})
	ranks := make([]int, len(units))
	for rank, f := range frames {
		for _, u := range f.units {
			ranks[u] = rank
		}
	}
	return ranks, nil
}

// shownFrames returns the frames of the units in decoding order.
func shownFrames(units []AccessUnit) ([]shown, error) {
	var frames []shown
	var last sliceHeader // of the previous picture, while it may be the first field of a frame
	counter, epoch, params := orderCounter{}, 0, firstParams(units)
	for i, u := range units {
		h, ok, err := params.picture(u)
		if err != nil {
			return nil, fmt.Errorf("access unit %d: %w", i, err)
		}
		if !ok {
			frames = joinLast(frames, i)
			continue
		}
		if len(frames) > 0 && (h.idr() && !secondField(&last, &h) || h.reset) {
			epoch++
		}
		poc := counter.next(&h)
		if secondField(&last, &h) {
			frame := &frames[len(frames)-1]
			frame.units, frame.poc = append(frame.units, i), min(frame.poc, poc)
			last = sliceHeader{}
			continue
		}
		frames = append(frames, shown{epoch, poc, []int{i}})
		last = h
	}
	return frames, nil
}

// joinLast adds a unit without a picture to the last frame.
func joinLast(frames []shown, unit int) []shown {
	if len(frames) == 0 {
		return append(frames, shown{units: []int{unit}, poc: -1 << 62})
	}
	frame := &frames[len(frames)-1]
	frame.units = append(frame.units, unit)
	return frames
}

// secondField reports whether h is the second field of the frame whose first
// field is a (3.30, complementary field pairs).
func secondField(a, h *sliceHeader) bool {
	return a.field && h.field && a.bottom != h.bottom && a.frameNum == h.frameNum && !h.reset &&
		(!h.idr() || a.idr() && a.idrID == h.idrID)
}

// firstParams returns the first parameter set of every number in the stream.
func firstParams(units []AccessUnit) *paramSets {
	params := &paramSets{}
	for _, u := range units {
		for _, n := range u.NALUs {
			params.add(n, false)
		}
	}
	return params
}

// picture takes in the parameter sets of a unit and reads its first slice. ok
// is false if there is none.
func (p *paramSets) picture(u AccessUnit) (h sliceHeader, ok bool, err error) {
	for _, n := range u.NALUs {
		p.add(n, true)
		if TypeOf(n).header() {
			h, err = p.slice(n)
			return h, err == nil, err
		}
	}
	return sliceHeader{}, false, nil
}
