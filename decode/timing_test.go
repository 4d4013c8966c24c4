package decode

import (
	"slices"
	"testing"

	"github.com/vqeval/vqeval/stream/h264"
)

func TestTimeUnits(t *testing.T) {
	const no = noPTS
	tests := []struct {
		name         string
		pts          []int64 // as the container gave them, decoding order
		hidden       int     // the first so many
		want         []int64
		dts          []int64
		delay, count int64
	}{
		{"in order", []int64{7200, 10800, 14400}, 0, []int64{0, 3600, 7200}, []int64{0, 3600, 7200}, 0, 0},
		{"B-frames", []int64{100, 10900, 3700, 7300}, 0, []int64{0, 10800, 3600, 7200}, []int64{0, 3600, 7200, 10800}, 3600, 0},
		{"starts before 0", []int64{-3600, 0}, 0, []int64{0, 3600}, []int64{0, 3600}, 0, 0},
		{"hidden", []int64{0, 3600, 7200}, 2, []int64{-7200, -3600, 0}, []int64{0, 3600, 7200}, 7200, 2},
		{"all hidden", []int64{3600, 7200}, 2, []int64{0, 3600}, []int64{0, 3600}, 0, 2},
		{"taken twice", []int64{0, 3600, 3600, 3600}, 0, []int64{0, 3600, 3601, 3602}, []int64{0, 3600, 3601, 3602}, 0, 0},
		{"one unknown", []int64{9000, no, 16200}, 0, []int64{0, 3600, 7200}, []int64{0, 3600, 7200}, 0, 0},
		{"first unknown", []int64{no, no, 16200}, 0, []int64{0, 3600, 7200}, []int64{0, 3600, 7200}, 0, 0},
		{"all unknown", []int64{no, no, no}, 0, []int64{0, 3600, 7200}, []int64{0, 3600, 7200}, 0, 0},
		{"rate changes", []int64{0, 1800, 9000}, 0, []int64{0, 1800, 9000}, []int64{0, 1800, 9000}, 0, 0},
	}
	for _, tt := range tests {
		var units []timedUnit
		for i, pts := range tt.pts {
			units = append(units, timedUnit{AccessUnit: h264.AccessUnit{PTS: pts, NALUs: [][]byte{{9}}}, hidden: i < tt.hidden})
		}
		if i := slices.Index(tt.pts, no); i >= 0 {
			// Pictures without slices have no order of showing to speak of.
			for j := range units {
				units[j].NALUs = [][]byte{{0x61}}
			}
		}
		units, err := timeUnits(units, h264.Config{}, Rate{25, 1})
		if missing := slices.Contains(tt.pts, no); (err != nil) != missing {
			t.Errorf("%s: error %v", tt.name, err)
		}
		delay, hidden := pace(units)
		var pts, dts []int64
		for _, u := range units {
			pts, dts = append(pts, u.PTS), append(dts, u.DTS)
		}
		if !slices.Equal(pts, tt.want) || !slices.Equal(dts, tt.dts) || delay != tt.delay || hidden != int(tt.count) {
			t.Errorf("%s: PTS %v, DTS %v, delay %d, hidden %d, want %v, %v, %d, %d", tt.name, pts, dts, delay, hidden, tt.want, tt.dts, tt.delay, tt.count)
		}
	}
}

// Both fields of a frame have one rank and become one unit.
func TestJoinFields(t *testing.T) {
	units := make([]timedUnit, 6)
	for i := range units {
		units[i].NALUs = [][]byte{{byte(i)}}
	}
	got, ranks := joinFields(units, []int{0, 0, 2, 2, 1, 1})
	if !slices.Equal(ranks, []int{0, 2, 1}) {
		t.Errorf("ranks %v, want [0 2 1]", ranks)
	}
	for i, u := range got {
		if len(u.NALUs) != 2 || u.NALUs[0][0] != byte(2*i) || u.NALUs[1][0] != byte(2*i+1) {
			t.Errorf("unit %d has NAL units %v", i, u.NALUs)
		}
	}
}

func TestRate(t *testing.T) {
	for _, tt := range []struct {
		r    Rate
		n    int
		want int64
	}{{Rate{}, 2, 7200}, {Rate{25, 1}, 0, 0}, {Rate{30000, 1001}, 1, 3003}, {Rate{24000, 1001}, 3, 11261}, {Rate{24000, 1001}, 24000, 90000 * 1001}} {
		if got := tt.r.ticks(tt.n); got != tt.want {
			t.Errorf("%v: frame %d at %d ticks, want %d", tt.r, tt.n, got, tt.want)
		}
	}
	if (Rate{}).Float() != 0 || (Rate{30, 2}).Float() != 15 || (Rate{25, 1}).String() != "25" || (Rate{30000, 1001}).String() != "30000/1001" {
		t.Error("Float or String is wrong")
	}
}

func TestRangeText(t *testing.T) {
	for _, want := range []Range{RangeUnknown, RangeLimited, RangeFull} {
		text, _ := want.MarshalText()
		var got Range
		if err := got.UnmarshalText(text); err != nil || got != want {
			t.Errorf("%q reads back as %v, %v", text, got, err)
		}
	}
	var r Range
	if err := r.UnmarshalText([]byte("tv")); err == nil {
		t.Error("no error of a bad range")
	}
}

func TestWarningText(t *testing.T) {
	for want, w := range map[string]Warning{
		"the file ends inside frame 212 of 300":                       {Kind: Truncated, Frame: 212, Total: 300},
		"the file ends inside frame 0":                                {},
		"broken data in 1 picture, first near frame 10: bad NAL":      {Kind: Corrupt, Frame: 10, Count: 1, Detail: "bad NAL"},
		"broken data in 3 pictures, first near frame 0":               {Kind: Corrupt, Count: 3},
		"the container's edit list hides 10 pictures":                 {Kind: Hidden, Count: 10},
		"the alpha plane is left out: yuva420p":                       {Kind: NoAlpha, Detail: "yuva420p"},
		"pictures change at frame 5: gray 4x4 before, gray 8x8 after": {Kind: SizeChange, Frame: 5, Detail: "gray 4x4 before, gray 8x8 after"},
	} {
		if got := w.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestRepeatable(t *testing.T) {
	c := readUnits(t, "testdata/pframes.mp4")
	lost := slices.Delete(slices.Clone(c.Units), 10, 11)
	for _, tt := range []struct {
		name  string
		units []h264.AccessUnit
		o     Options
		want  bool
	}{
		{"clean", c.Units, Options{Threads: 2}, true},
		{"lost pictures alone", lost, Options{Threads: 2}, true},
		{"broken, two threads", damage(c.Units), Options{Threads: 2}, false},
		{"broken, one thread", damage(c.Units), Options{Threads: 2, Damaged: true}, true},
	} {
		var file []byte
		for _, u := range tt.units {
			file = h264.AppendAnnexB(file, u.NALUs...)
		}
		d := open1(t, write(t, "x.h264", file), tt.o)
		sums(t, d)
		if got := d.Repeatable(); got != tt.want {
			t.Errorf("%s: repeatable %t, want %t", tt.name, got, tt.want)
		}
		d.Close()
		if got := d.Repeatable(); got != tt.want {
			t.Errorf("%s: repeatable after Close %t, want %t", tt.name, got, tt.want)
		}
	}
}
