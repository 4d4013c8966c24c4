package decode

import (
	"bytes"
	"slices"
	"testing"

	"github.com/vqeval/vqeval/stream/h264"
)

func readUnits(t testing.TB, path string) Clip {
	t.Helper()
	c, err := ReadUnits(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func openUnits(t testing.TB, units []h264.AccessUnit) *Decoder {
	t.Helper()
	d, err := OpenUnits(units, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

func TestReadUnits(t *testing.T) {
	c := readUnits(t, "testdata/bframes.mp4")
	if len(c.Units) != 50 || c.Width != 98 || c.Height != 54 || c.FrameRate != (Rate{25, 1}) || c.Codec != "h264" || c.Container != "mov" || !c.HasPTS || c.Hidden != 0 || len(c.Notes) != 0 {
		t.Fatalf("clip %+v", c)
	}
	if c.Duration() != 50*3600 || c.Delay != 3600 && c.Delay != 7200 {
		t.Errorf("duration %d, delay %d", c.Duration(), c.Delay)
	}
	var times []int64
	for i, u := range c.Units {
		if want := int64(i) * 3600; u.DTS != want {
			t.Errorf("unit %d: DTS %d, want %d", i, u.DTS, want)
		}
		if u.PTS+c.Delay < u.DTS {
			t.Errorf("unit %d: PTS %d + delay %d is before DTS %d", i, u.PTS, c.Delay, u.DTS)
		}
		if key := i == 0 || u.PTS == 25*3600; u.Key() != key || key && !u.HasParams() {
			t.Errorf("unit %d: key %t, parameter sets %t", i, u.Key(), u.HasParams())
		}
		times = append(times, u.PTS)
	}
	slices.Sort(times)
	for i, pts := range times {
		if pts != int64(i)*3600 {
			t.Errorf("presentation time %d is %d, want %d", i, pts, i*3600)
		}
	}
}

// What ReadUnits gives decodes to what the file decodes to, whole.
func TestOpenUnits(t *testing.T) {
	for _, name := range []string{"bframes", "pframes"} {
		c := readUnits(t, "testdata/"+name+".mp4")
		d := openUnits(t, c.Units)
		if i := d.Info(); i.Width != 98 || i.Height != 54 || i.PixelFormat != "yuv420p" || i.FrameRate != (Rate{25, 1}) || i.Frames != 50 || !i.HasPTS {
			t.Errorf("info %+v", i)
		}
		var got []string
		for f := range frames(t, d) {
			if f.PTS != int64(len(got))*3600 || c.Units[f.Unit].PTS != f.PTS {
				t.Errorf("frame %d: unit %d, PTS %d", len(got), f.Unit, f.PTS)
			}
			got = append(got, sum(f))
		}
		equal(t, got, golden(t, "testdata/"+name+".md5"))
	}
}

// The second IDR (frame 25) is lost: libavcodec swallows the units that follow,
// as many as its order of showing needs, and what comes out then belongs to units
// that a count would miss.
func TestLostIDR(t *testing.T) {
	c := readUnits(t, "testdata/pframes.mp4")
	lost := append(slices.Clone(c.Units[:25]), c.Units[26:]...)
	want := golden(t, "testdata/pframes.md5")
	n, last := 0, -1
	for f := range frames(t, openUnits(t, lost)) {
		if f.PTS != lost[f.Unit].PTS || f.Unit <= last {
			t.Errorf("frame %d: unit %d, PTS %d, want the unit's %d, after unit %d", n, f.Unit, f.PTS, lost[f.Unit].PTS, last)
		}
		same := sum(f) == want[f.PTS/3600]
		if before := f.PTS < 25*3600; same != before {
			t.Errorf("frame of time %d: as sent %t, want %t", f.PTS/3600, same, before)
		}
		n, last = n+1, f.Unit
	}
	if n >= len(lost) || n < 30 {
		t.Errorf("%d frames from %d units: want fewer, but not below 30", n, len(lost))
	}
	if last != len(lost)-1 {
		t.Errorf("the last frame is of unit %d, want %d", last, len(lost)-1)
	}
}

func TestLostUnits(t *testing.T) {
	c := readUnits(t, "testdata/pframes.mp4")
	want := golden(t, "testdata/pframes.md5")
	tests := []struct {
		name string
		drop []int
		same func(i int) bool // frame i comes out as sent
		gone []int            // frames that do not come out
	}{
		{"P", []int{10}, func(i int) bool { return i < 10 || i >= 25 }, []int{10}},
		{"burst", []int{10, 11, 12}, func(i int) bool { return i < 10 || i >= 25 }, []int{10, 11, 12}},
		{"first IDR", []int{0}, func(i int) bool { return i >= 25 }, []int{0, 1, 12, 24}},
		{"last", []int{49}, func(i int) bool { return true }, []int{49}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var units []h264.AccessUnit
			for i, u := range c.Units {
				if !slices.Contains(tt.drop, i) {
					units = append(units, u)
				}
			}
			for f := range frames(t, openUnits(t, units)) {
				i := int(f.PTS / 3600)
				if slices.Contains(tt.gone, i) {
					t.Errorf("frame %d comes out", i)
				}
				if same := sum(f) == want[i]; same != tt.same(i) {
					t.Errorf("frame %d: as sent %t, want %t", i, same, tt.same(i))
				}
			}
		})
	}
}

func TestOpenUnitsOfNothing(t *testing.T) {
	c := readUnits(t, "testdata/pframes.mp4")
	var bare []h264.AccessUnit // no parameter sets
	for _, u := range c.Units {
		bare = append(bare, h264.AccessUnit{NALUs: u.NALUs[len(u.NALUs)-1:], PTS: u.PTS})
	}
	for name, units := range map[string][]h264.AccessUnit{
		"no units": nil, "empty units": make([]h264.AccessUnit, 5), "no parameter sets": bare,
		"empty NAL units": {{NALUs: [][]byte{{}, {}}}}, "noise": {{NALUs: [][]byte{bytes.Repeat([]byte{0x65, 0xa7}, 300)}}},
	} {
		if got := sums(t, openUnits(t, units)); len(got) != 0 {
			t.Errorf("%s: %d frames, want none", name, len(got))
		}
	}
}

// An empty unit stands for one that was lost whole: the units keep their numbers.
func TestEmptyUnitKeepsPlace(t *testing.T) {
	c := readUnits(t, "testdata/pframes.mp4")
	units := slices.Clone(c.Units)
	units[24].NALUs = nil
	for f := range frames(t, openUnits(t, units)) {
		if f.PTS != int64(f.Unit)*3600 {
			t.Errorf("unit %d has PTS %d, want %d", f.Unit, f.PTS, f.Unit*3600)
		}
	}
}

// Parameter sets that change on the way change the frames, and are reported.
func TestSizeChange(t *testing.T) {
	small := filepathMP4(t, "64x48")
	a, b := readUnits(t, "testdata/pframes.mp4"), readUnits(t, small)
	units := append(slices.Clone(a.Units), b.Units...)
	d := openUnits(t, units)
	n := 0
	for f := range frames(t, d) {
		w := 98
		if f.Unit >= 50 {
			w = 64
		}
		if f.Planes[0].Width != w {
			t.Errorf("frame of unit %d is %d wide, want %d", f.Unit, f.Planes[0].Width, w)
		}
		n++
	}
	if n != 60 {
		t.Errorf("%d frames, want 60", n)
	}
	if notes := d.Notes(); len(notes) != 1 || notes[0].Kind != SizeChange || notes[0].Frame != 50 ||
		notes[0].String() != "pictures change at frame 50: yuv420p 98x54 before, yuv420p 64x48 after" {
		t.Errorf("notes %v", notes)
	}
	scaled, err := OpenUnits(units, Options{Scale: Size{32, 20}})
	if err != nil {
		t.Fatal(err)
	}
	defer scaled.Close()
	for f := range frames(t, scaled) {
		if p := f.Planes[0]; p.Width != 32 || p.Height != 20 {
			t.Errorf("frame of unit %d is %dx%d, want 32x20", f.Unit, p.Width, p.Height)
		}
	}
}
