package align

import "fmt"

// maxShift is how many frames the clock of a recording may be off where it began
// anew, or where the first packets are not there.
const maxShift = 64

// alignRTP pairs by RTP timestamps. They count from the first packet that was
// received, which need not be of the first frame, and where the sender began
// anew their distance is a guess. If there are signatures, each stretch between
// such places is moved to where its pictures are.
func alignRTP(ref, got Clip) Result {
	at := slots(ref, got)
	var notes []string
	if ref.Sigs != nil && got.Sigs != nil {
		notes = rebase(ref, got, at)
	}
	r := finish(ref, got, at, RTP)
	r.Notes = append([]string{"paired by RTP timestamp"}, notes...)
	return r
}

// rebase moves the stretches of at and says what it moved.
func rebase(ref, got Clip, at []int) (notes []string) {
	like := newLikeness(ref, got)
	starts := append([]int{0}, got.Breaks...)
	floor := 0
	for k, from := range starts {
		to := len(at)
		if k+1 < len(starts) {
			to = starts[k+1]
		}
		if from >= to {
			continue
		}
		s := shift(like, at[from:to], from, floor)
		for j := from; j < to; j++ {
			at[j] += s
		}
		floor = at[to-1] + 1
		if s != 0 {
			notes = append(notes, fmt.Sprintf("timestamps from captured frame %d on begin %+d frames away from where the pictures are; moved there", from, -s))
		}
	}
	return notes
}

// shift returns by how many frames a stretch has to move. Damaged pictures look
// like those before them, so only frames that are clearly their reference frame
// count, and they must outvote those that are where the times say.
func shift(like *likeness, at []int, from, floor int) int {
	here, looked := votes(like, at, from, 0)
	if 4*here >= looked {
		return 0
	}
	best, shift := 4*here+1, 0
	for s := max(-maxShift, floor-at[0]); s <= maxShift; s++ {
		if v, _ := votes(like, at, from, s); v > best {
			best, shift = v, s
		}
	}
	return shift
}

// votes counts the frames of a stretch that are clearly in place when it is moved
// by s frames. Of long stretches it looks at a sample.
func votes(like *likeness, at []int, from, s int) (n, looked int) {
	const sample, clear = 256, sure * 3 / 4
	for k := 0; k < len(at); k += len(at)/sample + 1 {
		looked++
		if i := at[k] + s; i >= 0 && i < len(like.ref) && like.gain(i, from+k) > clear {
			n++
		}
	}
	return n, looked
}
