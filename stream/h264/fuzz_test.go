package h264

import (
	"bytes"
	"slices"
	"testing"
)

// FuzzAnnexB takes any bytes as a stream: nothing panics, no input changes,
// and what was found survives writing and reading.
func FuzzAnnexB(f *testing.F) {
	for _, x := range fixtures() {
		f.Add(read(f, x.name))
	}
	for _, tt := range splitTests() {
		f.Add([]byte(tt.stream))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		before := bytes.Clone(data)
		nalus := SplitAnnexB(data)
		if got := SplitAnnexB(AppendAnnexB(nil, nalus...)); !equal(got, nalus) {
			t.Errorf("%q came back as %q", nalus, got)
		}
		units := Group(nalus)
		var all [][]byte
		for _, u := range units {
			all = append(all, u.NALUs...)
		}
		if !equal(all, nalus) {
			t.Errorf("grouping %q gave %q", nalus, all)
		}
		if ranks, err := PresentationOrder(units); err == nil && len(ranks) != len(units) {
			t.Errorf("%d ranks for %d units", len(ranks), len(units))
		}
		WithParams(units, Config{})
		if !bytes.Equal(data, before) {
			t.Error("the input was changed")
		}
	})
}

func FuzzAVCC(f *testing.F) {
	f.Add([]byte("\x00\x00\x00\x02\x65a\x00\x00\x00\x01\x41"), 4)
	f.Add([]byte("\x00\x02\x65a\x00\x01\x41\x00"), 2)
	f.Fuzz(func(t *testing.T, data []byte, size int) {
		nalus, err := SplitAVCC(data, size)
		if err != nil {
			return
		}
		b, err := AppendAVCC(nil, size, nalus...)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := SplitAVCC(b, size); err != nil || !equal(got, nalus) {
			t.Errorf("%q came back as %q, %v", nalus, got, err)
		}
	})
}

func FuzzParseConfig(f *testing.F) {
	b, err := config(f).Append(nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Add(AppendAnnexB(nil, config(f).SPS...))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := ParseConfig(data)
		if err != nil || c.LengthSize == 0 || c.LengthSize == 3 {
			return
		}
		b, err := c.Append(nil)
		if err != nil {
			t.Fatalf("%+v: %v", c, err)
		}
		got, err := ParseConfig(b)
		if err != nil || !equal(got.SPS, c.SPS) || !equal(got.PPS, c.PPS) || !slices.Equal(got.Extension, c.Extension) {
			t.Errorf("%+v came back as %+v, %v", c, got, err)
		}
	})
}

func FuzzParameterSets(f *testing.F) {
	for _, x := range fixtures() {
		c, err := NewConfig(Group(SplitAnnexB(read(f, x.name))))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(c.SPS[0])
		f.Add(c.PPS[0])
	}
	f.Add(stream{pocType: 1, cycle: []int{1, 2, 3}, fields: true}.sps(0))
	f.Fuzz(func(t *testing.T, data []byte) {
		if s, err := ParseSPS(data); err == nil && (s.Width < 1 || s.Height < 1 || s.Width > 16384 || s.Height > 16384) {
			t.Errorf("size %dx%d without an error", s.Width, s.Height)
		}
		if p, err := ParsePPS(data); err == nil && (p.ID > 255 || p.RefIdx[0] > 32) {
			t.Errorf("%+v without an error", p)
		}
		if got := RemoveEmulation(AddEmulation(data)); len(data) > 0 && data[len(data)-1] != 0 && !bytes.Equal(got, data) {
			t.Errorf("% x came back as % x", data, got)
		}
	})
}
