package decode

import (
	"slices"

	"github.com/vqeval/vqeval/stream/h264"
)

// A timedUnit is an access unit on its way into a Clip; a PTS of noPTS is not known.
type timedUnit struct {
	h264.AccessUnit
	hidden bool
}

// timeUnits completes the presentation times and makes them count from the first
// picture shown. Where all are missing, pictures follow each other at the given
// rate in the order of their picture order counts, which c may be needed to read;
// where some are, they follow the picture before them. Both fields of a frame
// become one unit. The error says why the picture order could not be read;
// decoding order stands in for it.
func timeUnits(units []timedUnit, c h264.Config, rate Rate) ([]timedUnit, error) {
	var err error
	if slices.ContainsFunc(units, func(u timedUnit) bool { return u.PTS == noPTS }) {
		var ranks []int
		if ranks, err = ranksOf(units, c); err == nil {
			units, ranks = joinFields(units, ranks)
		}
		fillTimes(units, ranks, rate)
	}
	origin := int64(noPTS)
	for _, u := range units {
		if !u.hidden && (origin == noPTS || u.PTS < origin) {
			origin = u.PTS
		}
	}
	if origin == noPTS { // all are hidden
		origin = units[0].PTS
	}
	for i := range units {
		units[i].PTS -= origin
	}
	separate(units)
	return units, err
}

// ranksOf returns each unit's place in the order of showing, or decoding order
// and the reason.
func ranksOf(units []timedUnit, c h264.Config) ([]int, error) {
	plain := make([]h264.AccessUnit, len(units))
	for i, u := range units {
		plain[i] = u.AccessUnit
	}
	ranks, err := h264.PresentationOrder(h264.WithParams(plain, c))
	if err == nil {
		return ranks, nil
	}
	ranks = make([]int, len(units))
	for i := range ranks {
		ranks[i] = i
	}
	return ranks, err
}

// joinFields makes neighbours of the same rank one unit.
func joinFields(units []timedUnit, ranks []int) ([]timedUnit, []int) {
	n := 0
	for i := 1; i < len(units); i++ {
		if ranks[i] == ranks[n] {
			units[n].NALUs = slices.Concat(units[n].NALUs, units[i].NALUs)
			continue
		}
		n++
		units[n], ranks[n] = units[i], ranks[i]
	}
	return units[:n+1], ranks[:n+1]
}

// fillTimes gives every unit without a time that of the picture shown before it,
// plus the difference of their ranks.
func fillTimes(units []timedUnit, ranks []int, rate Rate) {
	order := make([]int, len(units))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return ranks[a] - ranks[b] })
	base, baseRank := int64(0), 0
	if known := slices.IndexFunc(order, func(i int) bool { return units[i].PTS != noPTS }); known >= 0 {
		base, baseRank = units[order[known]].PTS, ranks[order[known]]
	}
	for _, i := range order {
		if units[i].PTS != noPTS {
			base, baseRank = units[i].PTS, ranks[i]
			continue
		}
		steps := ranks[i] - baseRank
		if steps < 0 {
			units[i].PTS = base - rate.ticks(-steps)
		} else {
			units[i].PTS = base + rate.ticks(steps)
		}
	}
}

// separate moves a unit whose time is already taken by a tick: over RTP, equal
// times would make one picture of two.
func separate(units []timedUnit) {
	taken := make(map[int64]bool, len(units))
	for i := range units {
		for taken[units[i].PTS] {
			units[i].PTS++
		}
		taken[units[i].PTS] = true
	}
}

// pace sets each unit's DTS, see Clip, and returns the delay between the two axes
// and the number of hidden units.
func pace(units []timedUnit) (delay int64, hidden int) {
	sorted := make([]int64, len(units))
	for i, u := range units {
		sorted[i] = u.PTS
	}
	slices.Sort(sorted)
	for i := range units {
		units[i].DTS = sorted[i] - sorted[0]
		delay = max(delay, units[i].DTS-units[i].PTS)
		if units[i].hidden {
			hidden++
		}
	}
	return delay, hidden
}
