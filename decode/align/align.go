// Package align finds which frame of a captured clip answers which frame of its
// reference. A wrong pair is worse than none: from the first frame that is
// paired with its neighbour on, every score is that of the motion and not of
// the capture.
//
// Three kinds of evidence are weighed. Times: RTP timestamps identify a frame,
// presentation times usually do, and may have been closed up over a gap or
// start anywhere. Coded pictures: a captured frame whose coded bytes are those
// of a reference frame is that frame, however damaged it decodes. Pictures:
// small signatures of the luma, matched in order over the whole clip.
//
// A picture that is damaged because an earlier one was lost looks like its
// predecessor, as the motion in between is missing. So pictures overrule times
// only where they match well, never by being less unlike.
package align

import (
	"errors"
	"fmt"
)

// A Clip is what is known of the frames of a clip, in presentation order. Slices
// that are not nil have one entry a frame.
type Clip struct {
	PTS    []int64     // presentation times, 90 kHz ticks from the stream's start
	HasPTS bool        // PTS are the stream's own; else frames are counted
	RTP    bool        // PTS come from RTP timestamps
	Breaks []int       // frames at which the clock of a recording began anew, so that a distance to the frame before is a guess
	Sigs   []Signature // may be nil where times decide (RTP, PTS, Index)
	Twins  []int       // reference frame that was coded with the same bytes, -1 for none; nil = not known
}

// Result says which captured frame answers which reference frame.
type Result struct {
	Method    Method   // the one that decided: never Auto
	Pair      []int    // per reference frame the captured frame, -1 for none; ascending
	Extra     []int    // captured frames that answer none: doubled, before the start, behind the end
	Offset    int      // captured frame minus reference frame of the first pair; 0 without pairs
	Notes     []string // for the reader: what decided, and what could not be told
	Ambiguous bool     // pictures that had to decide are too alike: the order of frames was kept
	Unsure    bool     // the pictures are too unlike the reference to confirm the times that decided
}

var errNoSignatures = errors.New("alignment by content needs a signature of every frame")

// Align pairs two clips. With Auto, RTP timestamps decide where there are some,
// then identical coded pictures, then presentation times (or, without any, the
// order of frames) if the pictures do not contradict them, then the pictures.
func Align(ref, got Clip, m Method) (Result, error) {
	if err := check(ref, got, m); err != nil {
		return Result{}, err
	}
	if m == Auto {
		m = best(got)
	}
	switch m {
	case RTP:
		return alignRTP(ref, got), nil
	case Index:
		return finish(ref, got, indexSlots(ref, got), Index), nil
	case PTS:
		return finish(ref, got, slots(ref, got), PTS), nil
	case Coded:
		return alignCoded(ref, got), nil
	}
	got, notes := level(ref, got)
	r := Result{}
	if m == Content {
		r = alignContent(ref, got)
	} else {
		r = alignAuto(ref, got)
	}
	r.Notes = append(r.Notes, notes...)
	return r, nil
}

// best is the method that Auto stands for, Auto itself where pictures have to be
// looked at first.
func best(got Clip) Method {
	if got.RTP {
		return RTP
	}
	known := 0
	for _, t := range got.Twins {
		if t >= 0 {
			known++
		}
	}
	if known > 0 && known*4 >= len(got.Twins) {
		return Coded
	}
	return Auto
}

func check(ref, got Clip, m Method) error {
	for _, c := range []struct {
		name string
		clip Clip
	}{{"reference", ref}, {"capture", got}} {
		n := c.clip.Frames()
		if len(c.clip.PTS) != n || c.clip.Sigs != nil && len(c.clip.Sigs) != n || c.clip.Twins != nil && len(c.clip.Twins) != n {
			return fmt.Errorf("%s: %d times, %d signatures, %d twins do not go together", c.name, len(c.clip.PTS), len(c.clip.Sigs), len(c.clip.Twins))
		}
	}
	switch {
	case m > Coded:
		return fmt.Errorf("unknown alignment method %d", m)
	case m == RTP && !got.RTP:
		return errors.New("alignment by RTP timestamps needs a recording")
	case m == PTS && !got.HasPTS:
		return errors.New("alignment by presentation time: the capture has none")
	case m == Coded && got.Twins == nil:
		return errors.New("alignment by coded pictures: none are known")
	case m == Auto && best(got) != Auto:
		return nil
	case (m == Content || m == Auto) && (ref.Sigs == nil || got.Sigs == nil) && ref.Frames() > 0 && got.Frames() > 0:
		return errNoSignatures
	}
	return nil
}

// Frames is the number of frames of the clip.
func (c Clip) Frames() int { return len(c.PTS) }

// finish turns the reference frame of each captured one (-1 for none) into a
// Result. Of several captured frames for one reference frame the first counts.
func finish(ref, got Clip, at []int, m Method) Result {
	r := Result{Method: m, Pair: make([]int, ref.Frames())}
	for i := range r.Pair {
		r.Pair[i] = -1
	}
	last, first := -1, true
	for j, i := range at {
		if i <= last || i >= len(r.Pair) {
			r.Extra = append(r.Extra, j)
			continue
		}
		r.Pair[i], last = j, i
		if first {
			r.Offset, first = j-i, false
		}
	}
	return r
}
