package transport

import (
	"slices"
	"testing"
)

func TestValidRTP(t *testing.T) {
	for _, c := range []struct {
		name, packet string
		want         bool
	}{
		{"vector", rtpVector, true},
		{"empty", "", false},
		{"header alone", "806000010000000000000001", true},
		{"11 bytes", "8060000100000000000000", false},
		{"version 0", "006000010000000000000001", false},
		{"two CSRCs", "8260000100000000000000010000000000000000", true},
		{"CSRC cut", "82600001000000000000000100000000000000", false},
		{"extension header cut", "906000010000000000000001bede00", false},
		{"extension empty", "906000010000000000000001bede0000", true},
		{"extension cut", "906000010000000000000001bede00010000", false},
		{"padding", "a060000100000000000000010002", true},
		{"padding alone", "a06000010000000000000001000003", true},
		{"padding too long", "a06000010000000000000001000004", false},
		{"padding 0", "a060000100000000000000010000", false},
		{"rtcp", "80c90001", true},
		{"rtcp cut", "80c900", false},
	} {
		if got := validRTP(unhex(t, c.packet)); got != c.want {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}

func TestByeSSRCs(t *testing.T) {
	for _, c := range []struct {
		name, packet string
		want         []uint32
	}{
		{"ours", "81cb000100000007", []uint32{7}},
		{"two sources", "82cb00020000000700000008", []uint32{7, 8}},
		{"with reason", "81cb0003000000070362796500000000", []uint32{7}},
		{"after a receiver report", "80c900010000000981cb000100000007", []uint32{7}},
		{"no source", "80cb0000", nil},
		{"source cut", "81cb0000", nil},
		{"length beyond the end", "81cb000200000007", nil},
		{"receiver report", "80c9000100000007", nil},
		{"media", rtpVector, nil},
		{"empty", "", nil},
	} {
		if got := byeSSRCs(unhex(t, c.packet)); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}
