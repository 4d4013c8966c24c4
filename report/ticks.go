package report

import (
	"math"
	"strconv"

	"gonum.org/v1/plot"
)

// niceStep returns the 1, 2 or 5 times a power of ten that cuts span into at
// most n parts, and the decimals that its multiples need.
func niceStep(span float64, n int) (step float64, decimals int) {
	if !(span > 0) {
		return 1, 0
	}
	e := int(math.Floor(math.Log10(span / float64(n))))
	for _, m := range []float64{1, 2, 5, 10} {
		step = m * math.Pow10(e)
		if step*float64(n) >= span*(1-1e-9) {
			if m == 10 {
				e++
			}
			break
		}
	}
	return step, max(0, -e)
}

// linearTicks labels the whole multiples of step in [lo, hi].
func linearTicks(lo, hi, step float64, decimals int) []plot.Tick {
	var out []plot.Tick
	for i := int(math.Ceil(lo/step - 1e-9)); float64(i)*step <= hi+1e-9*step; i++ {
		v := float64(i) * step
		out = append(out, plot.Tick{Value: v, Label: strconv.FormatFloat(v, 'f', decimals, 64)})
	}
	return out
}

// decadeTicks labels the powers of ten in [lo, hi], with eight unlabelled ticks
// in each decade. When there are many decades, every second one is labelled.
func decadeTicks(lo, hi float64) []plot.Tick {
	var out []plot.Tick
	first, last := int(math.Ceil(math.Log10(lo)-1e-9)), int(math.Floor(math.Log10(hi)+1e-9))
	every := 1 + (last-first)/7
	for e := first; e <= last; e++ {
		d := math.Pow10(e)
		t := plot.Tick{Value: d}
		if (last-e)%every == 0 {
			t.Label = strconv.FormatFloat(d, 'f', -1, 64)
		}
		out = append(out, t)
		for k := 2.0; k < 10 && d*k <= hi; k++ {
			out = append(out, plot.Tick{Value: d * k})
		}
	}
	return out
}

// fixedTicks serves ticks that were chosen beforehand.
type fixedTicks []plot.Tick

// Ticks returns all of them, whatever the range.
func (t fixedTicks) Ticks(_, _ float64) []plot.Tick { return t }

// unlabelled returns the ticks without their labels, for an axis that shares
// those of the panel below.
func unlabelled(ticks []plot.Tick) fixedTicks {
	out := make(fixedTicks, len(ticks))
	for i, t := range ticks {
		out[i] = plot.Tick{Value: t.Value}
	}
	return out
}
