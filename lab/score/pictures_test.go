package score

import (
	"bytes"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/vqeval/vqeval/decode/align"
	"github.com/vqeval/vqeval/stream"
	"github.com/vqeval/vqeval/stream/rtph264"
)

// TestPicturesOnly: the pictures asked for are those of a whole scoring, and where
// times pair them, what lies behind the last is not decoded.
func TestPicturesOnly(t *testing.T) {
	ref := reference(t, t.TempDir())
	path := record(t, ref, rtph264.Packetizer{SSRC: 1}, func(unit, _ int) time.Duration {
		switch unit {
		case 3, 12:
			return 120 * time.Millisecond
		case 8:
			return never
		}
		return 0
	})
	for _, v := range []struct {
		method align.Method
		rows   int
	}{{align.Auto, 15}, {align.PTS, 15}, {align.Index, clipFrames}, {align.Content, clipFrames}} {
		capture := Capture{Path: path, Load: stream.LoadOptions{Origin: stream.OriginZero}, Deadline: 100 * time.Millisecond}
		pictures := func(only bool) (map[int][]byte, int) {
			var mu sync.Mutex
			kept := map[int][]byte{}
			outcomes, err := ScoreGroup(t.Context(), Reference{Path: ref}, []Capture{capture}, Options{
				Align: v.method, PicturesOnly: only, Frames: []int{2, 5, 14}, Keep: func(p Pair) {
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
		if all != clipFrames || rows != v.rows || len(some) != 3 || !maps.EqualFunc(whole, some, bytes.Equal) {
			t.Errorf("%v: %d and %d rows, %d and %d pictures", v.method, all, rows, len(whole), len(some))
		}
	}
}
