package report

import (
	"math"
	"math/rand/v2"
	"time"

	"github.com/vqeval/vqeval/metrics"
)

// run makes a synthetic run of n frames at 25 a second: every frame is hit with
// the probability p, and the damage lasts until the next key frame (one a
// second). A perfect run has p = 0. Frame 36 is always hit when p > 0.
func run(name string, n int, p float64, seed uint64) Curve {
	rng := rand.New(rand.NewPCG(seed, 1))
	c := Curve{Name: name}
	damage := 0.0
	for i := range n {
		if i%25 == 0 {
			damage = 0
		}
		if p > 0 && (rng.Float64() < p || i == 36) {
			damage = min(damage+.08+.4*rng.Float64(), .75)
		}
		row := metrics.Row{Frame: i, PTS: time.Duration(i) * 40 * time.Millisecond, Shown: i, DelayMS: 40 + 20*rng.Float64()}
		row.Score = synthScore(damage, rng)
		row.Cause.HealedAt = -1
		if damage > 0 {
			row.Verdict = metrics.Damaged
			row.Cause = metrics.Cause{LostPackets: 1 + rng.IntN(20), Where: "link queue", HealedAt: i - i%25 + 25}
		}
		if damage > .6 {
			row.Verdict, row.Shown = metrics.Frozen, i-1
		}
		c.Rows = append(c.Rows, row)
	}
	return c
}

func synthScore(damage float64, rng *rand.Rand) metrics.Score {
	if damage == 0 {
		return metrics.Score{SSIM: [3]float64{1, 1, 1}, PSNR: [3]float64{100, 100, 100}, Identical: true, Planes: 3}
	}
	ssim := 1 - damage - .01*rng.Float64()
	mse := math.Pow(10, 1.4+2.6*damage+.05*rng.NormFloat64())
	psnr := metrics.PSNR(mse, 255)
	return metrics.Score{MSE: [3]float64{mse, mse / 3, mse / 3}, PSNR: [3]float64{psnr, psnr + 5, psnr + 5}, SSIM: [3]float64{ssim, ssim, ssim}, Planes: 3}
}

// typical is what an experiment gives: 15 s, QUIC whole, UDP broken, and
// whatever others are asked for.
func typical(more ...string) []Curve {
	out := []Curve{run("UDP", 375, .05, 7), run("QUIC", 375, 0, 8)}
	for i, name := range more {
		p := .008
		if name == "TCP" || name == "TLS" {
			p = 0
		}
		out = append(out, run(name, 375, p, uint64(20+i)))
	}
	return out
}
