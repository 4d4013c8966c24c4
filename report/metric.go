package report

import (
	"fmt"
	"math"

	"github.com/vqeval/vqeval/metrics"
)

// Metric is a quality metric of the luma plane.
type Metric uint8

// The metrics, in the order of the panels of a Figure.
const (
	SSIM Metric = iota
	MSE
	PSNR
)

// mseFloor is where an MSE below it is drawn: identical frames have 0, which a
// logarithmic axis cannot show.
const mseFloor = .01

// String returns "ssim", "mse" or "psnr".
func (m Metric) String() string {
	switch m {
	case SSIM:
		return "ssim"
	case MSE:
		return "mse"
	case PSNR:
		return "psnr"
	}
	return fmt.Sprintf("metric %d", uint8(m))
}

// MarshalText is String.
func (m Metric) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (m *Metric) UnmarshalText(b []byte) error {
	for k := SSIM; k <= PSNR; k++ {
		if string(b) == k.String() {
			*m = k
			return nil
		}
	}
	return fmt.Errorf("metric %q: want ssim, mse or psnr", b)
}

// label names the metric with its unit, as on an axis.
func (m Metric) label() string {
	switch m {
	case SSIM:
		return "SSIM"
	case MSE:
		return "MSE (log)"
	}
	return "PSNR, dB"
}

// of returns the metric's value in a score.
func (m Metric) of(s metrics.Score) float64 {
	switch m {
	case SSIM:
		return s.SSIM[0]
	case MSE:
		return s.MSE[0]
	}
	return s.PSNR[0]
}

// axis returns the vertical axis that holds values from lo to hi. It always
// reaches the metric's best value if hi or lo comes near it.
func (m Metric) axis(lo, hi float64) axis {
	a := axis{label: m.label()}
	switch m {
	case MSE:
		a.log = true
		a.lo, a.hi = math.Pow10(int(math.Floor(math.Log10(max(lo, mseFloor))))), math.Pow10(int(math.Ceil(math.Log10(max(hi, mseFloor)))))
		a.hi = max(a.hi, 100*a.lo)
		a.ticks = decadeTicks(a.lo, a.hi)
		if lo < mseFloor {
			a.ticks[0].Label = "≤ 0.01"
		}
		return a
	case SSIM:
		hi = max(hi, lo+.01)
		if hi > .9 {
			hi = 1
		}
		lo = min(lo, hi-.02)
	case PSNR:
		lo, hi = min(lo, hi-10), min(hi+1, 100)
	}
	step, decimals := niceStep(hi-lo, 5)
	a.lo, a.hi = math.Floor(lo/step+1e-9)*step, math.Ceil(hi/step-1e-9)*step
	a.ticks = linearTicks(a.lo, a.hi, step, decimals)
	return a
}

// drawn returns the value as it is drawn: an MSE below the floor lies on it.
func (m Metric) drawn(v float64) float64 {
	if m == MSE {
		return max(v, mseFloor)
	}
	return v
}
