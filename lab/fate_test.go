package lab

import (
	"testing"
	"time"

	"github.com/vqeval/vqeval/stream"
)

func TestCaptureShift(t *testing.T) {
	const frame, ms = 3600, time.Millisecond
	sent := func(pts ...int64) stream.Sent {
		var s stream.Sent
		for i, n := range pts {
			s.Units = append(s.Units, stream.SentUnit{PTS: n * frame, Due: time.Duration(i) * 40 * ms})
		}
		return s
	}
	for _, tt := range []struct {
		name string
		sent stream.Sent
		want time.Duration
	}{
		{"nothing", sent(), 0},
		{"in order", sent(0, 1, 2, 3), 0},
		{"B pictures", sent(0, 2, 1, 4, 3), -40 * ms},
		{"a pyramid", sent(0, 4, 2, 1, 3), -120 * ms},
		{"two pictures that an edit list hides", sent(-2, -1, 0, 1), 80 * ms},
		{"the same with B pictures", sent(-3, -1, -2, 1, 0), 80 * ms},
	} {
		if got := captureShift(tt.sent); got != tt.want {
			t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
		}
	}
}
