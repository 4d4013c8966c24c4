package rtph264

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/vqeval/vqeval/stream/h264"
)

// raw builds a packet without extensions.
func raw(seq uint16, ts uint32, marker bool, payload ...byte) []byte {
	b := make([]byte, 12, 12+len(payload))
	b[0], b[1] = 0x80, 96
	if marker {
		b[1] |= 0x80
	}
	binary.BigEndian.PutUint16(b[2:], seq)
	binary.BigEndian.PutUint32(b[4:], ts)
	b[11] = 9
	return append(b, payload...)
}

// scene reads packets from a text: words "t:payload" where t counts frames,
// payload is in hex, a trailing "." is the marker, and "-" is a lost packet.
func scene(t testing.TB, text string) [][]byte {
	t.Helper()
	var out [][]byte
	seq := uint16(65533)
	for word := range strings.FieldsSeq(text) {
		seq++
		frame, payload, ok := strings.Cut(word, ":")
		if !ok {
			continue
		}
		payload, marker := strings.CutSuffix(payload, ".")
		out = append(out, raw(seq, uint32(frame[0]-'0')*interval, marker, unhex(t, payload)...))
	}
	return out
}

// text writes units as "timestamp:NALUs in hex|...", with what was lost.
func text(units []Unit) string {
	var words []string
	for _, u := range units {
		var nalus []string
		for _, n := range u.NALUs {
			nalus = append(nalus, fmt.Sprintf("%x", n))
		}
		word := fmt.Sprintf("%d:%s", u.Timestamp/interval, strings.Join(nalus, "|"))
		for _, part := range []struct {
			name  string
			count int
		}{{"lost", u.Lost}, {"before", u.LostBefore}, {"truncated", u.Truncated}, {"dropped", u.Dropped}} {
			if part.count > 0 {
				word += fmt.Sprintf(",%s%d", part.name, part.count)
			}
		}
		if !u.Complete {
			word += ",damaged"
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

// TestScenes holds the handling of gaps, payload by payload. 6588 and 4188 are
// slices with the first macroblock, 4140 one further down; 7c85.. and 5c81..
// begin such slices in fragments, 5c01.. continues and 5c41.. ends one.
func TestScenes(t *testing.T) {
	tests := []struct {
		name   string
		policy Policy
		in     string
		want   string
	}{
		{"whole", KeepPrefix, "0:6588. 1:5c8188aa 1:5c01bb 1:5c41cc. 2:4188.", "0:6588 1:4188aabbcc 2:4188"},
		{"middle lost", KeepPrefix, "0:6588. 1:5c8188aa - 1:5c41cc. 2:4188.", "0:6588 1:4188aa,lost1,truncated1,damaged 2:4188"},
		{"middle lost, drop", Drop, "0:6588. 1:5c8188aa - 1:5c41cc. 2:4188.", "0:6588 1:,lost1,dropped1,damaged 2:4188"},
		{"two gaps, one NAL unit", KeepPrefix, "0:5c8188aa - 0:5c01bb - 0:5c41cc.", "0:4188aa,lost2,truncated1,damaged"},
		{"first lost", KeepPrefix, "0:6588. - 1:5c01bb 1:5c41cc. 2:4188.", "0:6588 1:,lost1,dropped1,damaged 2:4188"},
		{"first lost, next NAL unit whole", KeepPrefix, "0:6588. 1:4188 - 1:5c01bb 1:5c41cc 1:4140.", "0:6588 1:4188|4140,lost1,dropped1,damaged"},
		{"last lost, unit goes on", KeepPrefix, "0:5c8188aa 0:5c01bb - 0:4140.", "0:4188aabb|4140,lost1,truncated1,damaged"},
		{"last lost, unit ends", KeepPrefix, "0:6588. 1:5c8188aa - 2:4188.", "0:6588 1:4188aa,lost1,truncated1,damaged 2:4188"},
		{"end and beginning lost", KeepPrefix, "0:6588. 1:5c8188aa - - 2:5c41cc.", "0:6588 1:4188aa,lost1,truncated1,damaged 2:,lost1,dropped1,damaged"},
		{"another type goes on", KeepPrefix, "0:7c8588aa - 0:5c01bb 0:5c41cc.", "0:6588aa,lost1,truncated1,dropped1,damaged"},
		{"nothing kept of a bare header", KeepPrefix, "0:6588. 1:5c81 - 1:5c41cc.", "0:6588 1:,lost1,dropped1,damaged"},
		{"broken SPS", KeepPrefix, "0:7c8742aa - 0:7c47bb 0:68ce 0:6588.", "0:68ce|6588,lost1,dropped1,damaged"},
		{"broken SEI", KeepPrefix, "0:1c86ff - 0:1c46bb 0:6588.", "0:6588,lost1,dropped1,damaged"},
		{"slice lost whole", KeepPrefix, "0:4188 - 0:4140.", "0:4188|4140,lost1,damaged"},

		{"unit lost whole", KeepPrefix, "0:6588. - 2:4188.", "0:6588 2:4188,before1"},
		{"end lost, next begins", KeepPrefix, "0:6588. 1:4188 - 2:4188.", "0:6588 1:4188,lost1,damaged 2:4188"},
		{"beginning lost", KeepPrefix, "0:6588. - 1:4140. 2:4188.", "0:6588 1:4140,lost1,damaged 2:4188"},
		{"IDR without its sets", KeepPrefix, "0:6588. - 1:6588. 2:4188.", "0:6588 1:6588,lost1,damaged 2:4188"},
		{"IDR after a damaged end", KeepPrefix, "0:6588. 1:4188 - 2:6588.", "0:6588 1:4188,lost1,damaged 2:6588"},
		{"no markers, beginning is there", KeepPrefix, "0:6588 - 1:4188 2:4188", "0:6588,lost1,damaged 1:4188 2:4188"},
		{"no markers, beginning is not", KeepPrefix, "0:6588 - 1:4140 2:4188", "0:6588 1:4140,lost1,damaged 2:4188"},
		{"delimiter begins", KeepPrefix, "0:6588. - 1:09f0 1:4188. 2:4188.", "0:6588 1:09f0|4188,before1 2:4188"},
		{"STAP-A with SPS begins", KeepPrefix, "0:6588. - 1:7800026742000268ce 1:6588.", "0:6588 1:6742|68ce|6588,before1"},
		{"slice of a further macroblock first", KeepPrefix, "0:4140. 1:4188.", "0:4140,damaged 1:4188"},
		{"marker of the last unit lost", KeepPrefix, "0:6588. 1:4188. 2:4188", "0:6588 1:4188 2:4188,damaged"},
		{"last fragments of all lost", KeepPrefix, "0:6588. 1:5c8188aa", "0:6588 1:4188aa,truncated1,damaged"},

		{"wait", WaitIDR, "0:6588. 1:5c8188aa - 1:5c41cc. 2:4188. 3:6588. 4:4188.", "0:6588 1:,lost1,dropped1,damaged 2:,dropped1 3:6588 4:4188"},
		{"wait, IDR broken", WaitIDR, "0:6588. - 1:5c41cc. 2:7c8588 - 2:7c45aa. 3:4188. 4:6588.", "0:6588 1:,lost1,dropped1,damaged 2:,lost1,dropped1,damaged 3:,dropped1 4:6588"},
		{"wait, unit lost whole", WaitIDR, "0:6588. - 2:4188. 3:6588.", "0:6588 2:,before1,dropped1 3:6588"},
		{"wait, begins in the middle", WaitIDR, "0:5c01bb 0:5c41cc. 1:4188. 2:6588.", "0:,dropped1,damaged 1:,dropped1 2:6588"},

		{"unsupported types", KeepPrefix, "0:6588 0:7900 0:7a00 0:7b00 0:7d00 0:7e00 0:7f00 0:6000 0:4140.", "0:6588|4140,damaged"},
		{"STAP-A cut", KeepPrefix, "0:7800026742000568ce 0:6588.", "0:6742|6588,damaged"},
		{"STAP-A with a size of 0", KeepPrefix, "0:6588 0:780000 0:4140.", "0:6588|4140,damaged"},
		{"STAP-A with half a size", KeepPrefix, "0:78000267420000 0:6588.", "0:6742|6588,damaged"},
		{"STAP-A in STAP-A", KeepPrefix, "0:780002780000026588.", "0:6588,damaged"},
		{"STAP-A of whole units", KeepPrefix, "0:7800026742000268ce00026588. 1:58000241880002414000024130.", "0:6742|68ce|6588 1:4188|4140|4130"},
		{"fragment of one byte", KeepPrefix, "0:6588 0:7c 0:4140.", "0:6588|4140,damaged"},
		{"fragment of a reserved type", KeepPrefix, "0:6588 0:7c9c00 0:7c8000 0:4140.", "0:6588|4140,damaged"},
		{"fragment without data", KeepPrefix, "0:5c8188aa 0:5c01 0:5c41cc.", "0:4188aacc"},
		{"start bit twice", KeepPrefix, "0:5c8188aa 0:5c8140bb 0:5c41cc.", "0:4188aa|4140bbcc"},
		{"start bit never", KeepPrefix, "0:6588. 1:5c01bb 1:5c41cc. 2:4188.", "0:6588 1:,dropped1,damaged 2:4188"},
		{"end bit never, unit ends before a gap", KeepPrefix, "0:6588. 1:5c8188aa 1:5c01bb. - 3:4188.", "0:6588 1:4188aabb 3:4188,before1"},
		{"end bit never, all ends", KeepPrefix, "0:6588. 1:5c8188aa 1:5c01bb.", "0:6588 1:4188aabb"},
		{"end bit never, unit ends", KeepPrefix, "0:5c8188aa 0:5c01bb. 1:4188.", "0:4188aabb 1:4188"},
		{"single NAL unit in between", KeepPrefix, "0:5c8188aa 0:4140 0:5c41cc.", "0:4188aa|4140,dropped1,damaged"},
		{"padding alone in a gap", KeepPrefix, "0:6588. 1:5c8188aa - 1: 1:5c41cc. 2:4188.", "0:6588 1:4188aa,lost1,truncated1,damaged 2:4188"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := Depacketizer{Policy: tt.policy}
			units := receive(&d, scene(t, tt.in))
			if got := text(units); got != tt.want {
				t.Errorf("%s\n got %s\nwant %s", tt.in, got, tt.want)
			}
			s := d.Stats()
			truncated, dropped := 0, 0
			for _, u := range units {
				truncated, dropped = truncated+u.Truncated, dropped+u.Dropped
			}
			if s.Truncated != truncated || s.DroppedNALUs != dropped {
				t.Errorf("counted %d truncated, %d dropped; want %d, %d", s.Truncated, s.DroppedNALUs, truncated, dropped)
			}
		})
	}
}

// TestMarkedCharges: with frame marking, beginning and end are known.
func TestMarkedCharges(t *testing.T) {
	units := []h264.AccessUnit{}
	for i := range 6 {
		n := slices.Repeat([]byte{0x41}, 8)
		n[1] = 0x40 // no first macroblock: only the marking tells
		units = append(units, h264.AccessUnit{PTS: int64(i) * interval, NALUs: [][]byte{n}})
	}
	p := Packetizer{MaxPacket: 25}
	ps := packets(t, p, units) // three packets a unit
	tests := []struct {
		name string
		drop []int
		want string
	}{
		{"middle", []int{4}, "1:lost1"},
		{"last", []int{5}, "1:lost1"},
		{"first", []int{6}, "2:lost1"},
		{"last and first", []int{5, 6}, "1:lost1 2:lost1"},
		{"a whole unit", []int{6, 7, 8}, "3:before3"},
		{"a whole unit and the end before", []int{5, 6, 7, 8}, "1:lost4"},
		{"end of all", []int{17}, "5:lost0"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var in [][]byte
			for i, b := range ps {
				if !slices.Contains(tt.drop, i) {
					in = append(in, b)
				}
			}
			var words []string
			for _, u := range receive(&Depacketizer{}, in) {
				if !u.Complete {
					words = append(words, fmt.Sprintf("%d:lost%d", u.Timestamp/interval, u.Lost))
				} else if u.LostBefore > 0 {
					words = append(words, fmt.Sprintf("%d:before%d", u.Timestamp/interval, u.LostBefore))
				}
			}
			if got := strings.Join(words, " "); got != tt.want {
				t.Errorf("without %v: %s, want %s", tt.drop, got, tt.want)
			}
		})
	}
}
