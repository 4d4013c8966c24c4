package h264

import (
	"slices"
	"strings"
	"testing"
)

// TestWithParams writes a unit as a word: A delimiter, S and P parameter sets
// (s, p: others with the same number; T, Q: number 1), I an IDR slice, x another.
func TestWithParams(t *testing.T) {
	a, b := stream{}, stream{pocType: 2, redun: true}
	letters := map[rune][]byte{
		'A': {9, 0xf0}, 'S': a.sps(0), 'P': a.pps(0, 0), 's': b.sps(0), 'p': b.pps(0, 0), 'T': a.sps(1), 'Q': a.pps(1, 1),
		'I': a.slice(pic{idr: true, ref: 3}), 'x': a.slice(pic{ref: 2, num: 1}), 'e': {6, 1, 1, 0, 0x80}, '!': {0x67},
	}
	units := func(text string) (out []AccessUnit) {
		for word := range strings.FieldsSeq(text) {
			u := AccessUnit{PTS: int64(len(out))}
			for _, c := range word {
				u.NALUs = append(u.NALUs, letters[c])
			}
			out = append(out, u)
		}
		return out
	}
	text := func(units []AccessUnit) string {
		var words []string
		for _, u := range units {
			word := ""
			for _, n := range u.NALUs {
				for c, m := range letters {
					if string(m) == string(n) {
						word += string(c)
					}
				}
			}
			words = append(words, word)
		}
		return strings.Join(words, " ")
	}
	config := Config{SPS: [][]byte{letters['S']}, PPS: [][]byte{letters['P']}}
	tests := []struct {
		name     string
		config   Config
		in, want string
	}{
		{"from the container", config, "I x I x", "SPI x SPI x"},
		{"behind the delimiter", config, "AI Ax AeI", "ASPI Ax ASPeI"},
		{"from the stream", Config{}, "SPI x I", "SPI x SPI"},
		{"complete", config, "SPI x SPI", "SPI x SPI"},
		{"the later one", config, "I spI I", "SPI spI spI"},
		{"changed between key units", config, "SPI px I", "SPI px SpI"},
		{"one of two missing", config, "SI PI", "SPI SPI"},
		{"two of each", Config{SPS: [][]byte{letters['S'], letters['T']}, PPS: [][]byte{letters['P'], letters['Q']}}, "I TQI", "STPQI STPQI"},
		{"no IDR at the start", config, "x x I", "SPx x SPI"},
		{"nothing known", Config{}, "x I", "x I"},
		{"broken set", Config{SPS: [][]byte{letters['!']}}, "!I x", "!I x"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := units(tt.in)
			got := WithParams(in, tt.config)
			if text(got) != tt.want {
				t.Errorf("%s became %s, want %s", tt.in, text(got), tt.want)
			}
			if text(in) != tt.in {
				t.Errorf("the input %s became %s", tt.in, text(in))
			}
			if !slices.EqualFunc(in, got, func(a, b AccessUnit) bool { return a.PTS == b.PTS }) {
				t.Error("a time stamp changed")
			}
		})
	}
}
