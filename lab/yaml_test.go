package lab

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// The experiments that come with the tool can be read and planned.
func TestExperimentFiles(t *testing.T) {
	files, err := filepath.Glob("*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("files %v, %v", files, err)
	}
	for _, f := range files {
		t.Run(f, func(t *testing.T) {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			e, err := ParseExperiment(text)
			if err != nil {
				t.Fatal(err)
			}
			for i, c := range e.Clips {
				if filepath.Dir(c) == "clips" { // made by make lab-clips
					e.Clips[i] = "builtin:small"
				}
			}
			specs, err := e.Plan()
			if err != nil {
				t.Fatal(err)
			}
			if e.About == "" {
				t.Error("it does not say what it is about")
			}
			est := e.Estimate(specs, 2, func(string) ClipSize { return ClipSize{11_600_000, 375 * 1920 * 1080, 15 * time.Second} })
			if est.Virtual <= 0 || est.Sending <= 0 || est.Sending+est.Scoring > 20*time.Minute {
				t.Errorf("%d runs, estimate %+v: want something that ends before one loses patience", len(specs), est)
			}
		})
	}
}
