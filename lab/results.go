package lab

import (
	"context"
	"fmt"

	"github.com/vqeval/vqeval/lab/score"
)

// Summary is summary.json.
type Summary struct {
	Name        string       `json:"name"`
	Rows        []Row        `json:"rows"`
	Cells       []Cell       `json:"cells"`
	Differences []Difference `json:"differences"`
	Ratios      []Ratio      `json:"ratios"` // of what went over the wire
	Checked     []Checked    `json:"checked,omitempty"`
	Failures    []Failure    `json:"failures,omitempty"`
}

// Summary returns what summary.json holds.
func (r Results) Summary() Summary {
	return Summary{Name: r.Manifest.Experiment.Name, Rows: r.Rows, Cells: r.Cells,
		Differences: r.Differences(), Ratios: r.Ratios(), Checked: r.Check(), Failures: r.Failures}
}

// Differences compares quality and goodput of each two transports.
func (r Results) Differences() []Difference {
	return Differences(r.Rows, "psnr_y_mean", "ssim_y_mean", "on_time", "goodput_mbps")
}

// Ratios compares what each two transports put on the wire.
func (r Results) Ratios() []Ratio { return Ratios(r.Rows, "wire_packets", "wire_bytes") }

// Pictures decodes runs of one clip again, as they were scored, and hands each
// of the frames to take, which several goroutines may call.
func Pictures(ctx context.Context, r Results, runs []Scored, frames []int, take func(Picture)) error {
	e := r.Manifest.Experiment
	j := job{e: e}
	for len(runs) > 0 {
		n := min(len(runs), batch)
		var captures []score.Capture
		for _, s := range runs[:n] {
			spec := s.Run
			spec.dir = r.Path("runs", spec.Name)
			captures = append(captures, j.capture(spec, s.Deadline))
		}
		path, err := ClipPath(runs[0].Run.Clip)
		if err != nil {
			return err
		}
		part := runs[:n]
		outcomes, err := score.ScoreGroup(ctx, score.Reference{Path: path, Name: runs[0].Run.Clip}, captures, score.Options{
			Align: e.Score.Align, Metrics: e.Score.options(), Frames: frames, PicturesOnly: true,
			Keep: func(p score.Pair) {
				s := part[p.Capture]
				take(Picture{Run: s.Run, Deadline: s.Deadline, Frame: p.Row.Frame, Ref: p.Ref, Shown: p.Shown, Row: p.Row, Matrix: p.Matrix})
			},
		})
		if err != nil {
			return err
		}
		for i, o := range outcomes {
			if o.Err != nil {
				return fmt.Errorf("run %s: %w", part[i].Run.Name, o.Err)
			}
		}
		runs = runs[n:]
	}
	return nil
}
