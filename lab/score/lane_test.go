package score

import (
	"testing"

	"github.com/vqeval/vqeval/decode"
)

// TestPlace: pictures belong to the nearest time of the reference, in front of the
// first one as anywhere.
func TestPlace(t *testing.T) {
	const frame = 3600
	l := lane{before: 0}
	for _, tt := range []struct {
		i       int
		pts, at int64
		want    where
	}{
		{0, 0, 0, here}, {0, -frame, 0, earlier}, {0, -frame / 2, 0, earlier}, {0, -frame/2 + 1, 0, here}, {0, frame / 2, 0, here}, {0, frame/2 + 1, 0, later},
		{1, frame, frame, here}, {1, frame / 2, frame, earlier}, {1, frame/2 + 1, frame, here}, {1, 2 * frame, frame, later},
	} {
		h := &shared{Frame: &decode.Frame{PTS: tt.pts}}
		if got := l.place(h, tt.i, tt.at, tt.at+frame); got != tt.want {
			t.Errorf("reference frame %d at %d: a picture at %d is at %v, want %v", tt.i, tt.at, tt.pts, got, tt.want)
		}
	}
}
