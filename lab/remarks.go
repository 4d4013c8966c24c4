package lab

import (
	"encoding/json"
	"os"
	"time"

	"github.com/vqeval/vqeval/metrics"
)

// Remarks are what a file of scores per frame has no place for; they stand
// beside it as JSON.
type Remarks struct {
	Tool      string            `json:"tool"`
	Version   string            `json:"version"`
	Reference string            `json:"reference"`
	Captured  string            `json:"captured"`
	FrameRate float64           `json:"frame_rate"`
	Settings  map[string]string `json:"settings"`
	Notes     []string          `json:"notes,omitempty"`
	Goodput   []float64         `json:"goodput_mbps"` // in each second, from the moment the first picture could arrive
}

// writeRemarks writes them. It comes before the scores, which say that a run
// is done.
func (j *job) writeRemarks(w *scoring, s metrics.Series, a assessment) error {
	r := Remarks{Tool: s.Tool, Version: s.Version, Reference: s.Reference, Captured: s.Captured, FrameRate: s.FrameRate,
		Settings: s.Settings, Notes: s.Notes, Goodput: []float64{}}
	if a.rec != nil {
		for _, v := range a.rec.Goodput(w.outcome.media()) {
			r.Goodput = append(r.Goodput, v/1e6)
		}
	}
	return writeJSON(j.remarksFile(w.spec, w.deadline), r)
}

func (j *job) remarksFile(s Spec, d Deadline) string {
	return j.folder.Path("scores", scoreName(s.Name, d)+".json")
}

// ReadRemarks returns what stands beside the scores of a run.
func (r Results) ReadRemarks(s Scored) (Remarks, error) {
	text, err := os.ReadFile(r.Path("scores", scoreName(s.Run.Name, s.Deadline)+".json"))
	if err != nil {
		return Remarks{}, err
	}
	var out Remarks
	return out, json.Unmarshal(text, &out)
}

// media is the clip's length.
func (o Outcome) media() time.Duration { return millis(o.MediaMS) }
