package stream

import (
	"fmt"

	"github.com/vqeval/vqeval/stream/rtph264"
)

// An OriginRule says which RTP timestamp the clip's first picture has.
type OriginRule uint8

const (
	// OriginAuto is 0 for a sender of ours, recognised by its two header
	// extensions, and the first timestamp for others.
	OriginAuto OriginRule = iota
	// OriginZero is 0: what was lost at the beginning, or is not shown, does not matter.
	OriginZero
	// OriginFirst is the lowest timestamp at the beginning of the recording.
	OriginFirst
)

const (
	// earlyUnits is how many units may come before the one that is shown first:
	// H.264 reorders at most 16 pictures (A.3.1: MaxDpbFrames).
	earlyUnits = 17

	// plausibleStart is how much of a stream may be missing at its beginning for
	// the origin still to be taken for 0, ticks: a sender may begin at a random
	// timestamp (RFC 3550 section 5.1), which is below this in 1 of 80 cases.
	plausibleStart = 600 * tickRate

	// plausibleFront is how far before 0 it may begin: a clip that was cut inside
	// a group of pictures has some that are not shown, ticks.
	plausibleFront = 20 * tickRate

	// wrap is where RTP timestamps begin again.
	wrap = 1 << 32
)

// An Origin is the RTP timestamp from which presentation times count.
type Origin struct {
	Ticks int64      `json:"ticks_90khz"` // unwrapped; a multiple of 2^32 is the timestamp 0
	Rule  OriginRule `json:"rule"`        // OriginZero or OriginFirst
}

// originOf applies a rule to the units of a stream, which are not empty.
func originOf(units []rtph264.Unit, rule OriginRule) Origin {
	first, ours := units[0].Timestamp, true
	for _, u := range units[:min(len(units), earlyUnits)] {
		first = min(first, u.Timestamp)
		ours = ours && u.HasMark
	}
	zero := (first + wrap/2) & -wrap // the timestamp 0 that is nearest
	if rule == OriginAuto {
		rule = OriginFirst
		if ours && first >= zero-plausibleFront && first < zero+plausibleStart {
			rule = OriginZero
		}
	}
	if rule == OriginZero {
		return Origin{Ticks: zero, Rule: rule}
	}
	return Origin{Ticks: first, Rule: rule}
}

func (r OriginRule) String() string {
	switch r {
	case OriginAuto:
		return "auto"
	case OriginZero:
		return "zero"
	case OriginFirst:
		return "first"
	}
	return fmt.Sprintf("OriginRule(%d)", r)
}

// MarshalText returns "auto", "zero" or "first".
func (r OriginRule) MarshalText() ([]byte, error) {
	if r > OriginFirst {
		return nil, fmt.Errorf("no such origin: %d", r)
	}
	return []byte(r.String()), nil
}

// UnmarshalText reads what MarshalText returns.
func (r *OriginRule) UnmarshalText(b []byte) error {
	for known := range OriginFirst + 1 {
		if string(b) == known.String() {
			*r = known
			return nil
		}
	}
	return fmt.Errorf("origin %q: want auto, zero or first", b)
}
