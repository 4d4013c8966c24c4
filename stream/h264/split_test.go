package h264

import (
	"bytes"
	"slices"
	"testing"
)

func nalus(n ...string) [][]byte {
	var out [][]byte
	for _, s := range n {
		out = append(out, []byte(s))
	}
	return out
}

func equal(a, b [][]byte) bool { return slices.EqualFunc(a, b, bytes.Equal) }

func splitTests() []struct {
	name, stream string
	want         [][]byte
} {
	return []struct {
		name, stream string
		want         [][]byte
	}{
		{"nothing", "", nil},
		{"no start code", "\x65abc", nil},
		{"three bytes", "\x00\x00\x01\x65ab\x00\x00\x01\x41c", nalus("\x65ab", "\x41c")},
		{"four bytes", "\x00\x00\x00\x01\x65ab\x00\x00\x00\x01\x41c", nalus("\x65ab", "\x41c")},
		{"many zeros", "\x00\x00\x00\x00\x00\x01\x65ab\x00\x00\x00\x00\x00\x01\x41c\x00\x00", nalus("\x65ab", "\x41c")},
		{"bytes in front", "xyz\x00\x00\x01\x65ab", nalus("\x65ab")},
		{"start codes alone", "\x00\x00\x01\x00\x00\x01\x00\x00\x00\x01", nil},
		{"cut start code", "\x00\x00\x01\x65a\x00\x00", nalus("\x65a")},
		{"one byte", "\x00\x00\x01\x09", nalus("\x09")},
		{"emulation prevention", "\x00\x00\x01\x65\x00\x00\x03\x01\x00\x00\x01\x41c", nalus("\x65\x00\x00\x03\x01", "\x41c")},
	}
}

func TestSplitAnnexB(t *testing.T) {
	for _, tt := range splitTests() {
		t.Run(tt.name, func(t *testing.T) {
			if got := SplitAnnexB([]byte(tt.stream)); !equal(got, tt.want) {
				t.Errorf("SplitAnnexB(%q) = %q, want %q", tt.stream, got, tt.want)
			}
		})
	}
}

// TestSplitAnnexBAppend: appending to a NAL unit must not overwrite the next.
func TestSplitAnnexBAppend(t *testing.T) {
	stream := []byte("\x00\x00\x01\x65ab\x00\x00\x01\x41c")
	got := SplitAnnexB(stream)
	_ = append(got[0], "XXXXXXXX"...)
	if string(got[1]) != "\x41c" {
		t.Errorf("second NAL unit became %q", got[1])
	}
}

func TestAVCC(t *testing.T) {
	units := nalus("\x65ab", "\x41", "\x06"+string(make([]byte, 200)))
	for _, size := range []int{1, 2, 3, 4} {
		b, err := AppendAVCC([]byte("x"), size, units...)
		if err != nil {
			t.Fatal(err)
		}
		got, err := SplitAVCC(b[1:], size)
		if err != nil || !equal(got, units) {
			t.Errorf("length of %d bytes: got %q, %v; want %q", size, got, err, units)
		}
	}
}

func TestAVCCBroken(t *testing.T) {
	tests := []struct {
		name, sample string
		size         int
		want         [][]byte // what was whole
	}{
		{"length field of 0", "\x01\x65", 0, nil},
		{"length field of 5", "\x01\x65", 5, nil},
		{"cut length", "\x00\x01\x65\x00", 2, nalus("\x65")},
		{"too long", "\x00\x01\x65\x00\x09\x41", 2, nalus("\x65")},
		{"4 GiB", "\xff\xff\xff\xff\x65", 4, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := SplitAVCC([]byte(tt.sample), tt.size)
			if err == nil || !equal(got, tt.want) {
				t.Errorf("SplitAVCC(%q, %d) = %q, %v; want %q and an error", tt.sample, tt.size, got, err, tt.want)
			}
		})
	}
	if got, err := AppendAVCC([]byte("x"), 1, make([]byte, 256)); err == nil || string(got) != "x" {
		t.Errorf("256 bytes behind a length of one byte: got %q, %v; want x and an error", got, err)
	}
	if _, err := AppendAVCC(nil, 5); err == nil {
		t.Error("length field of 5 bytes: no error")
	}
}

func BenchmarkSplitAnnexB(b *testing.B) {
	unit := bytes.Repeat([]byte{0, 7, 0, 0, 3, 1, 255, 9}, 4000)
	stream := AppendAnnexB(nil, unit, unit, unit, unit)
	b.SetBytes(int64(len(stream)))
	for b.Loop() {
		SplitAnnexB(stream)
	}
}
