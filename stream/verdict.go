package stream

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// A LatePolicy says what packets are good for that arrive after their picture
// was due.
type LatePolicy string

const (
	// LateRef, also the zero value, lets them feed the decoder if they arrive
	// before the next picture is shown: what is predicted from theirs is whole.
	LateRef LatePolicy = "ref"
	// LateDrop throws them away.
	LateDrop LatePolicy = "drop"
)

// UnmarshalText reads "ref" or "drop".
func (p *LatePolicy) UnmarshalText(b []byte) error {
	switch q := LatePolicy(b); q {
	case LateRef, LateDrop:
		*p = q
		return nil
	}
	return fmt.Errorf("late packets %q: want ref or drop", b)
}

// A Verdict says what a player did at the time of an access unit.
type Verdict string

// The verdicts.
const (
	Shown   Verdict = "shown"   // it had something of it to decode in time
	Late    Verdict = "late"    // something came, but too late
	Expired Verdict = "expired" // the sender gave it up
	Missing Verdict = "missing" // nothing came that can be decoded
)

// An AU is what happened to one access unit.
type AU struct {
	PTS      int64         `json:"pts_90khz"` // presentation time from the origin
	Verdict  Verdict       `json:"verdict"`
	Whole    bool          `json:"whole"` // all of it was there in time, as far as a receiver can know
	Unit     int           `json:"unit"`  // index in Assembled.Units, -1 = nothing for the decoder
	Packets  int           `json:"packets"`
	LateUsed int           `json:"late_used"` // packets that came after it was due and feed the decoder
	LateLost int           `json:"late_lost"` // packets that came too late even for that
	Delay    time.Duration `json:"delay_ns"`  // arrival of its last packet after the fastest way, -1 = none arrived, or nobody knows when
	Reliable bool          `json:"reliable"`
	Expires  time.Duration `json:"expires_ns"` // age at which the sender holds it worthless, 0 = never or unknown
}

// samePTS is how far a presentation time may be off to mean the same picture,
// ticks: 1 ms, as much as containers with coarse clocks round away.
const samePTS = tickRate / 1000

// judge says what became of each access unit, by presentation time, and of all
// packets.
func (r *Recording) judge(o AssembleOptions, s *selection, timely, result rejoined) ([]AU, Use) {
	aus := make([]AU, len(r.units))
	for i, u := range r.units {
		aus[i] = AU{
			PTS: u.Timestamp - r.Origin.Ticks, Verdict: Missing, Unit: result.index[i],
			Delay: u.Last.Sub(r.base.Add(r.pts(i))), Reliable: r.marks[i].reliable, Expires: r.marks[i].expires,
		}
		if !r.timed {
			aus[i].Delay = -1
		}
		if j := timely.index[i]; j >= 0 {
			aus[i].Whole = timely.units[j].Complete
		}
	}
	use := Use{Received: r.stats.Packets - r.stats.Duplicates}
	for i, p := range r.packets {
		if p.unit < 0 || p.copy {
			continue
		}
		au := &aus[p.unit]
		au.Packets++
		switch {
		case !s.late[i]:
		case s.count[i]:
			au.LateUsed++
			use.LateUsed++
		default:
			au.LateLost++
			use.Late++
		}
	}
	use.OnTime = use.Received - use.LateUsed - use.Late
	for i := range aus {
		switch {
		case timely.shown[i]:
			aus[i].Verdict = Shown
		case r.slices[i] && aus[i].LateUsed+aus[i].LateLost > 0:
			aus[i].Verdict = Late
		}
	}
	return expected(aus, o), use
}

// expected adds the access units of which nothing came, and sorts all by
// presentation time.
func expected(aus []AU, o AssembleOptions) []AU {
	byTime := func(a, b AU) int { return cmp.Compare(a.PTS, b.PTS) }
	slices.SortStableFunc(aus, byTime)
	var missing []AU
	for _, pts := range o.Expect {
		if find(aus, pts) < 0 {
			missing = append(missing, AU{PTS: pts, Verdict: Missing, Unit: -1, Delay: -1})
		}
	}
	aus = append(aus, missing...)
	slices.SortStableFunc(aus, byTime)
	for _, pts := range o.Expired {
		if i := find(aus, pts); i >= 0 && aus[i].Verdict != Shown {
			aus[i].Verdict = Expired
		}
	}
	return aus
}

// find returns the access unit of a presentation time among sorted ones, or -1.
func find(aus []AU, pts int64) int {
	i, _ := slices.BinarySearchFunc(aus, pts-samePTS, func(a AU, t int64) int { return cmp.Compare(a.PTS, t) })
	if i < len(aus) && aus[i].PTS <= pts+samePTS {
		return i
	}
	return -1
}
