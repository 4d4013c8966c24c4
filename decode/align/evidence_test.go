package align

import (
	"slices"
	"testing"
)

// smeared returns frame n as a decoder shows it that lost the frame before: the
// motion of one frame is missing, and the bottom is destroyed.
func smeared(n int) Signature {
	pix := picture(n - 1)
	copy(pix[height*2/3*width:], flat(128))
	return sign(pix)
}

// TestTimesOutweighDamage: what is damaged looks like the frame before its own;
// times that leave a gap for the lost frame must win.
func TestTimesOutweighDamage(t *testing.T) {
	ref := timed(moving(40))
	frames := []int{}
	for i := range 40 {
		if i != 10 {
			frames = append(frames, i)
		}
	}
	got := choose(ref, frames, true)
	for j := 10; j < 24; j++ {
		got.Sigs[j] = smeared(frames[j])
	}
	r, err := Align(ref, got, Auto)
	if err != nil {
		t.Fatal(err)
	}
	if want := pairs(40, frames); !slices.Equal(r.Pair, want) || r.Method != PTS {
		t.Errorf("got %v by %v, want %v by pts", r.Pair, r.Method, want)
	}
}

// TestCoarse: a capture whose pictures are far from the reference's, but nearest
// to those of their time, needs no search and is no reason for doubt.
func TestCoarse(t *testing.T) {
	ref := timed(moving(60))
	got := timed(make([]Signature, 60))
	for j := range got.Sigs {
		pix := picture(j)
		for k := range pix {
			pix[k] = pix[k]/64*64 + byte(k*7%40)
		}
		got.Sigs[j] = sign(pix)
	}
	r, err := Align(ref, got, Auto)
	if err != nil {
		t.Fatal(err)
	}
	if r.Method != PTS || r.Unsure {
		t.Errorf("got method %v, unsure %v, notes %q; want pts, sure", r.Method, r.Unsure, r.Notes)
	}
	got.Sigs = slices.Repeat([]Signature{sign(flat(90))}, 60)
	if r, _ := Align(ref, got, Auto); !r.Unsure {
		t.Errorf("nothing but grey: got notes %q, want doubt", r.Notes)
	}
}

// TestCoarseDeleted deletes frames of a coarsely coded capture.
func TestCoarseDeleted(t *testing.T) {
	ref := timed(moving(60))
	var frames []int
	got := Clip{}
	for i := range 60 {
		if slices.Contains([]int{5, 17, 33, 34, 58}, i) {
			continue
		}
		pix := picture(i)
		for k := range pix { // rough steps, and an error that the means of blocks see
			pix[k] = pix[k]/16*16 + byte((k/7+3*i)%16)
		}
		frames = append(frames, i)
		got.Sigs = append(got.Sigs, sign(pix))
	}
	got = timed(got.Sigs)
	r, err := Align(ref, got, Auto)
	if err != nil {
		t.Fatal(err)
	}
	if want := pairs(60, frames); !slices.Equal(r.Pair, want) {
		t.Errorf("got %v, want %v", r.Pair, want)
	}
}

// TestCoded: a stream that lost frame 5 and is damaged to its end, without times.
// Coded bytes tell which frame each is, but for one that arrived in part.
func TestCoded(t *testing.T) {
	ref := timed(moving(30))
	var frames []int
	got := Clip{}
	for i := range 30 {
		if i == 5 {
			continue
		}
		frames = append(frames, i)
		s, twin := ref.Sigs[i], i
		if i > 5 {
			s = smeared(i)
		}
		if i == 12 {
			twin = -1
		}
		got.Sigs, got.Twins = append(got.Sigs, s), append(got.Twins, twin)
		got.PTS = append(got.PTS, int64(len(got.PTS))*ticks25)
	}
	want := pairs(30, frames)
	for _, m := range []Method{Auto, Coded} {
		r, err := Align(ref, got, m)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(r.Pair, want) || r.Method != Coded {
			t.Errorf("got %v by %v, want %v by coded", r.Pair, r.Method, want)
		}
	}
	got.Sigs, ref.Sigs = nil, nil
	if r, err := Align(ref, got, Coded); err != nil || !slices.Equal(r.Pair, want) {
		t.Errorf("without signatures: got %v, %v, want %v", r.Pair, err, want)
	}
}

func TestAscending(t *testing.T) {
	for _, tt := range []struct{ twins, want []int }{
		{[]int{0, 1, -1, 3}, []int{0, 1, -1, 3}},
		{[]int{0, 7, 1, 2, 3}, []int{0, -1, 1, 2, 3}},
		{[]int{4, 4}, []int{4, -1}},
		{nil, nil},
	} {
		if got := ascending(tt.twins); !slices.Equal(got, tt.want) {
			t.Errorf("%v: got %v, want %v", tt.twins, got, tt.want)
		}
	}
}

func TestRTP(t *testing.T) {
	ref := timed(moving(40))
	clip := func(times []int64, breaks []int, frames []int) Clip {
		c := Clip{RTP: true, HasPTS: true, Breaks: breaks}
		for j, i := range frames {
			c.PTS, c.Sigs = append(c.PTS, times[j]*ticks25), append(c.Sigs, ref.Sigs[i])
		}
		return c
	}
	tests := []struct {
		name   string
		times  []int64 // frame intervals
		breaks []int
		frames []int
	}{
		{"lost", []int64{0, 1, 5, 6}, nil, []int{0, 1, 5, 6}},
		{"first packets lost", []int64{0, 1, 3, 4}, nil, []int{4, 5, 7, 8}},
		{"sender began anew", []int64{0, 1, 2, 4, 5, 6}, []int{3}, []int{0, 1, 2, 3, 4, 5}},
	}
	for _, tt := range tests {
		r, err := Align(ref, clip(tt.times, tt.breaks, tt.frames), Auto)
		if err != nil {
			t.Fatal(err)
		}
		if want := pairs(40, tt.frames); !slices.Equal(r.Pair, want) || r.Method != RTP {
			t.Errorf("%s: got %v by %v, want %v by rtp", tt.name, r.Pair, r.Method, want)
		}
	}
	damaged := clip([]int64{0, 1, 2, 3}, nil, []int{0, 1, 2, 3})
	for j := range damaged.Sigs {
		damaged.Sigs[j] = smeared(j)
	}
	if r, _ := Align(ref, damaged, Auto); !slices.Equal(r.Pair[:4], []int{0, 1, 2, 3}) {
		t.Errorf("damaged: got %v, want pairs by time", r.Pair)
	}
	damaged.Sigs = nil
	if r, _ := Align(ref, damaged, Auto); !slices.Equal(r.Pair[:4], []int{0, 1, 2, 3}) {
		t.Errorf("without signatures: got %v, want pairs by time", r.Pair)
	}
}

func TestSlots(t *testing.T) {
	ref := timed(make([]Signature, 4)) // 0, 3600, 7200, 10800
	tests := []struct {
		name string
		pts  []int64
		want []int
	}{
		{"same", []int64{0, 3600, 7200, 10800}, []int{0, 1, 2, 3}},
		{"30 frames/s", []int64{0, 3000, 6000, 9000, 12000}, []int{0, 1, 2, 2, 3}},
		{"behind the end", []int64{10800, 14400, 18001, 90000}, []int{3, 4, 5, 25}},
		{"in front", []int64{-90000, -9000, -1800, -1799, 0}, []int{-25, -3, -1, 0, 0}},
		{"times stand still", []int64{5, 5, 5}, []int{0, 1, 2}},
	}
	for _, tt := range tests {
		if got := slots(ref, Clip{PTS: tt.pts, HasPTS: true}); !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
		}
	}
}

// TestInFront: pictures before the first one of the reference, which its container
// hides and a packet stream has, take nobody's place.
func TestInFront(t *testing.T) {
	ref := timed(moving(12))
	got := timed(make([]Signature, 15))
	got.RTP = true
	for j := range got.PTS {
		got.PTS[j] -= 3 * ticks25
	}
	for _, sigs := range [][]Signature{nil, append([]Signature{sign(picture(-3)), sign(picture(-2)), sign(picture(-1))}, ref.Sigs...)} {
		got.Sigs = sigs
		r, err := Align(ref, got, Auto)
		if err != nil {
			t.Fatal(err)
		}
		for i, j := range r.Pair {
			if j != i+3 {
				t.Errorf("signatures %v: frame %d is paired with %d, want %d", sigs != nil, i, j, i+3)
			}
		}
		if !slices.Equal(r.Extra, []int{0, 1, 2}) || r.Offset != 3 {
			t.Errorf("signatures %v: extra %v, offset %d, want 0 to 2 and 3", sigs != nil, r.Extra, r.Offset)
		}
	}
}

// TestLong finds a shift in a clip that is too long to compare all pairs.
func TestLong(t *testing.T) {
	base := moving(97)
	sigs := make([]Signature, 260)
	for i := range sigs {
		sigs[i] = base[i%97]
		sigs[i].sum = uint32(i)
		sigs[i].means[i%blocks] ^= uint16(i)
	}
	ref := timed(sigs)
	m := newMatcher(ref, timed(slices.Concat(sigs[80:150], sigs[170:])))
	m.narrow = 30
	m.window(m.anchors(), m.narrow)
	m.search()
	for j, i := range m.path {
		want := j + 80
		if j >= 70 {
			want += 20
		}
		if i != want {
			t.Fatalf("captured frame %d: got %d, want %d", j, i, want)
		}
	}
}
