package batch

import (
	"cmp"
	"math"
	"slices"
)

// Worst returns the n rows with the lowest mean PSNR of luma, the worst first, and
// behind them all that have no scores.
func Worst(rows []Row, n int) []Row {
	var scored, failed []Row
	for _, r := range rows {
		if r.Failed() {
			failed = append(failed, r)
		} else {
			scored = append(scored, r)
		}
	}
	slices.SortStableFunc(scored, func(a, b Row) int { return cmp.Compare(quality(a), quality(b)) })
	return append(scored[:min(n, len(scored))], failed...)
}

// quality orders rows: one in which no frame was pooled is the worst.
func quality(r Row) float64 {
	if v := r.Number("psnr_y_mean"); !math.IsNaN(v) {
		return v
	}
	return math.Inf(-1)
}
