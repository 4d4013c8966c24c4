package score

import (
	"bytes"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/vqeval/vqeval/stream"
	"github.com/vqeval/vqeval/stream/rtph264"
)

// TestPicturesOnly: the pictures asked for are those of a whole scoring, and what
// lies behind the last is not decoded.
func TestPicturesOnly(t *testing.T) {
	ref := reference(t, t.TempDir())
	path := record(t, ref, rtph264.Packetizer{SSRC: 1}, func(unit, _ int) time.Duration {
		if unit == 3 || unit == 12 {
			return never
		}
		return 0
	})
	pictures := func(only bool) (map[int][]byte, int) {
		var mu sync.Mutex
		kept := map[int][]byte{}
		outcomes, err := ScoreGroup(t.Context(), Reference{Path: ref}, []Capture{{Path: path, Load: stream.LoadOptions{Origin: stream.OriginZero}}}, Options{
			PicturesOnly: only, Frames: []int{2, 5, 14}, Keep: func(p Pair) {
				mu.Lock()
				defer mu.Unlock()
				kept[p.Row.Frame] = slices.Clone(p.Shown.Planes[0].Pix)
			}})
		if err != nil || outcomes[0].Err != nil {
			t.Fatal(err, outcomes[0].Err)
		}
		return kept, len(outcomes[0].Series.Rows)
	}
	whole, all := pictures(false)
	some, rows := pictures(true)
	if all != clipFrames || rows != 15 || len(some) != 3 || !maps.EqualFunc(whole, some, bytes.Equal) {
		t.Errorf("%d and %d rows, %d and %d pictures", all, rows, len(whole), len(some))
	}
}
