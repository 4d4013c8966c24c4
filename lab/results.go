package lab

import (
	"context"
	"fmt"
	"time"
)

// Summary is summary.json.
type Summary struct {
	Name        string       `json:"name"`
	Rows        []Row        `json:"rows"`
	Cells       []Cell       `json:"cells"`
	Differences []Difference `json:"differences"`
	Failures    []Failure    `json:"failures,omitempty"`
}

// Summary returns what summary.json holds.
func (r Results) Summary() Summary {
	return Summary{Name: r.Manifest.Experiment.Name, Rows: r.Rows, Cells: r.Cells,
		Differences: Differences(r.Rows, "psnr_y_mean", "ssim_y_mean"), Failures: r.Failures}
}

// Estimate is about how long n runs of e take on a machine like the one that
// the figures behind it were measured on: two processors, FullHD.
func (e Experiment) Estimate(n int) time.Duration {
	const send, score = 3 * time.Second, 3 * time.Second
	if e.Real {
		return time.Duration(n) * (20*time.Second + score)
	}
	return time.Duration(n) * (send + score*time.Duration(len(e.Deadlines))) / 2
}

// Pictures decodes frames of a scored run again and hands each to take.
func Pictures(ctx context.Context, r Results, s Scored, frames []int, take func(Picture)) error {
	return fmt.Errorf("not yet")
}
