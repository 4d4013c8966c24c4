package score

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/vqeval/vqeval/decode"
	"github.com/vqeval/vqeval/metrics"
)

func TestMismatch(t *testing.T) {
	ref := reference(t, t.TempDir())
	tests := []struct {
		name, filter string
		args         []string
		refused      string // the flag that the message names
		note         string
		with         Options // makes it happen
		luma         bool    // without options, only luma is compared
	}{
		{"size", "scale=80:48", nil, "--scale bicubic", "", Options{Scale: true}, false},
		{"depth", "format=yuv420p10le", []string{"-pix_fmt", "yuv420p10le"}, "--convert", "", Options{Convert: true}, false},
		{"444", "format=yuv444p", []string{"-pix_fmt", "yuv444p"}, "", "only luma", Options{Convert: true}, true},
		{"range", "null", []string{"-bsf:v", "h264_metadata=video_full_range_flag=1"}, "", "sample ranges differ", Options{Range: decode.RangeLimited}, false},
		{"mono", "extractplanes=y", []string{"-pix_fmt", "gray"}, "", "monochrome", Options{}, true},
		{"rate", "setpts=N/30/TB", []string{"-r", "30"}, "", "frame rates differ", Options{}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := recode(t, ref, tt.name+".mp4", tt.filter, tt.args...)
			s, err := Score(context.Background(), Reference{Path: ref}, Capture{Path: got}, Options{})
			var m *MismatchError
			switch {
			case tt.refused != "":
				if !errors.As(err, &m) || !strings.Contains(err.Error(), tt.refused) || !strings.Contains(err.Error(), m.Ref) || !strings.Contains(err.Error(), m.Got) {
					t.Errorf("got error %v, want one that names both and %s", err, tt.refused)
				}
			case err != nil:
				t.Fatal(err)
			default:
				if !strings.Contains(strings.Join(s.Notes, "; "), tt.note) || s.Options.LumaOnly != tt.luma {
					t.Errorf("got notes %q, luma only %v, want %q, %v", s.Notes, s.Options.LumaOnly, tt.note, tt.luma)
				}
				for i, r := range s.Rows {
					if r.Verdict != metrics.OK {
						t.Errorf("frame %d: got %v, want ok: samples are equal as coded", i, r.Verdict)
					}
				}
			}
			if tt.with.Scale || tt.with.Convert || tt.with.Range != decode.RangeUnknown {
				s := mustScore(t, ref, got, tt.with)
				if s.Options.LumaOnly || len(s.Rows) != clipFrames {
					t.Errorf("converted: got luma only %v, %d rows", s.Options.LumaOnly, len(s.Rows))
				}
				if len(s.Settings) != 4 {
					t.Errorf("converted: the settings do not say so: %v", s.Settings)
				}
			}
		})
	}
}
