package link

import (
	"math"
	"testing"
	"time"
)

func TestLossFrequencies(t *testing.T) {
	const n = 60_000
	tests := []struct {
		text        string
		loss, burst float64 // expected share and mean run of losses
	}{
		{"loss=1%", .01, 1 / .99},
		{"ge=1%/25%", .01 / .26, 4},
		{"ge=1%/25%/0/50%", .5 * .01 / .26, 1 / (1 - .75*.5)},
		{"loss=10%,ge=1%/25%", 1 - .9*(1-.01/.26), 0},
	}
	for _, tt := range tests {
		d, err := ParseDirection(tt.text + ",seed=3")
		if err != nil {
			t.Fatal(err)
		}
		path, lost, bursts, before := NewPath(d), 0., 0., Delivered
		for range n {
			_, v := path.Send(time.Unix(0, 0), 1)
			if v == LostRandom {
				lost++
				if before != LostRandom {
					bursts++
				}
			}
			before = v
		}
		if got := lost / n; math.Abs(got/tt.loss-1) > .1 {
			t.Errorf("%s: loss %.5f, want %.5f", tt.text, got, tt.loss)
		}
		if got := lost / bursts; tt.burst > 0 && math.Abs(got/tt.burst-1) > .1 {
			t.Errorf("%s: bursts of %.3f, want %.3f", tt.text, got, tt.burst)
		}
	}
}

// TestJitter looks at the distribution: mean and deviation are those asked
// for, and the order is kept.
func TestJitter(t *testing.T) {
	const n = 60_000
	for _, correlation := range []float64{None, .9, 0} {
		d := Direction{Delay: 50 * ms, Jitter: 5 * ms, JitterCorrelation: correlation, Seed: 1}
		gap := 100 * ms // so wide that keeping the order moves nothing
		path, sum, squares := NewPath(d), 0., 0.
		for i := range n {
			now := time.Unix(0, 0).Add(time.Duration(i) * gap)
			at, _ := path.Send(now, 1)
			x := at.Sub(now).Seconds() * 1e3
			sum += x
			squares += x * x
		}
		mean := sum / n
		deviation := math.Sqrt(squares/n - mean*mean)
		if math.Abs(mean-50) > 1.5 || math.Abs(deviation-5) > .7 { // .999: 30 independent values
			t.Errorf("correlation %g: %.2f ± %.2f ms, want 50 ± 5", correlation, mean, deviation)
		}
	}
}
