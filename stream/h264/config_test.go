package h264

import (
	"bytes"
	"encoding/hex"
	"strings"
	"testing"
)

func config(t testing.TB) Config {
	t.Helper()
	units := Group(SplitAnnexB(read(t, "bframes")))
	c, err := NewConfig(units)
	if err != nil {
		t.Fatal(err)
	}
	c.Extension = []byte{0xfd, 0xf8, 0xf8, 0}
	return c
}

func TestConfig(t *testing.T) {
	want := config(t)
	b, err := want.Append([]byte("x"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := ParseConfig(b[1:])
	if err != nil {
		t.Fatal(err)
	}
	if got.LengthSize != 4 || got.Profile != 100 || got.Level != 10 || !equal(got.SPS, want.SPS) ||
		!equal(got.PPS, want.PPS) || !bytes.Equal(got.Extension, want.Extension) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestConfigAnnexB(t *testing.T) {
	want := config(t)
	for _, head := range []string{"", "\x00"} {
		b := append([]byte(head), 0, 0, 1)
		b = AppendAnnexB(append(b, want.SPS[0]...), want.PPS...)
		got, err := ParseConfig(b)
		if err != nil || got.LengthSize != 0 || !equal(got.SPS, want.SPS) || !equal(got.PPS, want.PPS) || got.Level != 10 {
			t.Errorf("got %+v, %v; want the sets of %+v and length size 0", got, err, want)
		}
	}
}

func TestParseConfigBroken(t *testing.T) {
	tests := []struct{ name, hex string }{
		{"empty", ""},
		{"short", "01640028ffe1"},
		{"version", "0064002affe100016701000168"},
		{"SPS longer than the rest", "0164002affe100ff67"},
		{"no PPS count", "0164002affe1000167"},
		{"PPS length cut", "0164002affe10001670100"},
		{"PPS among SPS", "0164002affe100016801000168"},
		{"Annex B without SPS", "00000001684142"},
		{"Annex B with a stub of an SPS", "0000016742"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b, err := hex.DecodeString(tt.hex)
			if err != nil {
				t.Fatal(err)
			}
			if c, err := ParseConfig(b); err == nil {
				t.Errorf("no error, got %+v", c)
			}
		})
	}
}

func TestConfigAppendBroken(t *testing.T) {
	long := []byte(strings.Repeat("g", 1<<16))
	tests := []struct {
		name   string
		config Config
	}{
		{"length size", Config{LengthSize: 3}},
		{"long SPS", Config{LengthSize: 4, SPS: [][]byte{long}}},
		{"long PPS", Config{LengthSize: 4, PPS: [][]byte{long}}},
		{"many SPS", Config{LengthSize: 4, SPS: make([][]byte, 32)}},
	}
	for _, tt := range tests {
		if got, err := tt.config.Append([]byte("x")); err == nil || string(got) != "x" {
			t.Errorf("%s: got %d bytes, %v; want x and an error", tt.name, len(got), err)
		}
	}
	if _, err := NewConfig(nil); err == nil {
		t.Error("NewConfig of nothing: no error")
	}
}
