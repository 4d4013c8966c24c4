package decode

import (
	"slices"
	"testing"

	"github.com/vqeval/vqeval/stream/h264"
)

// damage halves the slice of unit 10 and drops 25's second half.
func damage(units []h264.AccessUnit) []h264.AccessUnit {
	units = slices.Clone(units)
	for _, i := range []int{10, 25} {
		u := &units[i]
		u.NALUs = slices.Clone(u.NALUs)
		last := len(u.NALUs) - 1
		u.NALUs[last] = u.NALUs[last][:len(u.NALUs[last])/2]
	}
	return units
}

// The same damaged bytes give the same pictures on every run, and as many from a
// file with Options.Damaged.
func TestDamageRepeats(t *testing.T) {
	c := readUnits(t, "testdata/pframes.mp4")
	broken := damage(c.Units)
	first := openUnits(t, broken)
	want := sums(t, first)
	if len(want) != 50 {
		t.Errorf("%d frames, want 50", len(want))
	}
	if n := first.Notes(); len(n) != 1 || n[0].Kind != Corrupt || n[0].Frame != 10 {
		t.Errorf("notes %v, want one about broken data near frame 10", n)
	}
	for range 3 {
		equal(t, sums(t, openUnits(t, broken)), want)
	}
	var file []byte
	for _, u := range broken {
		file = h264.AppendAnnexB(file, u.NALUs...)
	}
	path := write(t, "damaged.h264", file)
	for range 3 {
		equal(t, sums(t, open1(t, path, Options{Damaged: true, Threads: 4})), want)
	}
}

// With one thread each, we conceal exactly as the ffmpeg CLI does.
func TestDamageMatchesFFmpeg(t *testing.T) {
	c := readUnits(t, "testdata/pframes.mp4")
	for name, units := range map[string][]h264.AccessUnit{
		"broken slices": damage(c.Units),
		"lost P":        append(slices.Clone(c.Units[:10]), c.Units[11:]...),
		"lost IDR":      append(slices.Clone(c.Units[:25]), c.Units[26:]...),
	} {
		var file []byte
		for _, u := range units {
			file = h264.AppendAnnexB(file, u.NALUs...)
		}
		path := write(t, "x.h264", file)
		want := frameMD5(t, "-threads", "1", "-i", path, "-vsync", "passthrough")
		t.Run(name, func(t *testing.T) {
			equal(t, sums(t, openUnits(t, units)), want)
			equal(t, sums(t, open1(t, path, Options{Damaged: true})), want)
		})
	}
}
