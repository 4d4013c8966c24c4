package lab

import (
	"fmt"
	"slices"
	"time"

	"github.com/vqeval/vqeval/metrics"
	"github.com/vqeval/vqeval/stream"
)

// explain completes the rows of a run's ledger: the delay of each frame, and of
// each that is not as it was sent the packets it lacks and the place that lost
// them. A frame that lacks none has its damage from an earlier one, which is
// named then. all is what became of the access units, timely what the decoder
// had of them; rows are changed.
func explain(rows []metrics.Row, all []fate, timely stream.Assembled) {
	byTime := map[int64]stream.AU{}
	for _, au := range timely.AUs {
		byTime[au.PTS] = au
	}
	units := unitsOf(rows, all)
	frames := map[int]int{} // by unit
	for i, u := range units {
		frames[u] = i
	}
	for i := range all {
		all[i].lost[tooLate] = byTime[all[i].pts].LateLost
	}
	for i := range rows {
		row := &rows[i]
		row.DelayMS, row.Cause.LostPackets, row.Cause.Where = -1, 0, ""
		u := units[i]
		if u < 0 {
			continue
		}
		f := all[u]
		if f.complete >= 0 {
			row.DelayMS = max(0, ms(f.complete-f.captured))
		}
		if row.Verdict == metrics.OK {
			continue
		}
		if row.Verdict == metrics.Late {
			f.lost[tooLate] += byTime[f.pts].LateUsed
		}
		row.Cause.LostPackets, row.Cause.Where = f.total(), f.where()
		if from := source(all, u); f.total() == 0 && from >= 0 {
			row.Cause.Where = all[from].where()
			if n, ok := frames[from]; ok {
				row.Cause.Where += fmt.Sprintf(" at frame %d", n)
			}
		}
	}
}

// source returns the nearest access unit before u, in decoding order, from
// which damage can have come to it, -1 if there is none: pictures are predicted
// from reference pictures only, and not from what lies before a whole key frame.
func source(all []fate, u int) int {
	if all[u].key {
		return -1
	}
	for i := u - 1; i >= 0; i-- {
		switch {
		case all[i].reference && all[i].total() > 0:
			return i
		case all[i].key:
			return -1
		}
	}
	return -1
}

// unitsOf returns the access unit of each reference frame, -1 for one that was
// not sent: that of the same presentation time, give or take half a frame.
func unitsOf(rows []metrics.Row, all []fate) []int {
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return int(all[a].pts - all[b].pts) })
	interval := time.Second
	if n := len(rows); n > 1 {
		interval = (rows[n-1].PTS - rows[0].PTS) / time.Duration(n-1)
	}
	out := make([]int, len(rows))
	k := 0
	for i, row := range rows {
		for k < len(order) && ticks(all[order[k]].pts) < row.PTS-interval/2 {
			k++
		}
		out[i] = -1
		if k < len(order) && ticks(all[order[k]].pts) < row.PTS+interval/2 {
			out[i] = order[k]
			k++
		}
	}
	return out
}
