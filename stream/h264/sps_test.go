package h264

import (
	"slices"
	"testing"
)

// TestFixtureSPS compares with ffprobe -show_entries
// stream=width,height,profile,level,r_frame_rate,pix_fmt,color_range,sample_aspect_ratio,has_b_frames;
// the SPS of mbaff says 50 fields a second, which ffmpeg's filter made 12.5 frames/s of.
func TestFixtureSPS(t *testing.T) {
	tests := []struct {
		name                          string
		width, height, profile, level int
		rate, aspect                  Ratio
		chroma, bits, reorder         int
		frames, full                  bool
	}{
		{"bframes", 96, 64, 100, 10, Ratio{25, 1}, Ratio{}, 1, 8, 2, true, false},
		{"baseline", 96, 64, 66, 10, Ratio{25, 1}, Ratio{}, 1, 8, 0, true, false},
		{"mbaff", 96, 64, 100, 21, Ratio{25, 2}, Ratio{}, 1, 8, 2, false, false},
		{"high422", 50, 34, 122, 9, Ratio{25, 1}, Ratio{40, 33}, 2, 10, 2, true, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			units := Group(SplitAnnexB(read(t, tt.name)))
			c, err := NewConfig(units)
			if err != nil {
				t.Fatal(err)
			}
			s, err := ParseSPS(c.SPS[0])
			if err != nil {
				t.Fatal(err)
			}
			if s.Width != tt.width || s.Height != tt.height || s.Profile != tt.profile || s.Level != tt.level {
				t.Errorf("%dx%d profile %d level %d, want %dx%d profile %d level %d",
					s.Width, s.Height, s.Profile, s.Level, tt.width, tt.height, tt.profile, tt.level)
			}
			if s.FrameRate != tt.rate || s.VUI.Reorder != tt.reorder || s.VUI.FullRange != tt.full ||
				tt.aspect.Num != 0 && s.VUI.SampleAspect != tt.aspect {
				t.Errorf("frame rate %v, VUI %+v; want %v, reorder %d, full range %v, aspect %v",
					s.FrameRate, s.VUI, tt.rate, tt.reorder, tt.full, tt.aspect)
			}
			if s.ChromaFormat != tt.chroma || s.BitDepth != tt.bits || s.FrameOnly != tt.frames {
				t.Errorf("chroma format %d, %d bits, frames only %v; want %d, %d, %v",
					s.ChromaFormat, s.BitDepth, s.FrameOnly, tt.chroma, tt.bits, tt.frames)
			}
		})
	}
}

// spsHead begins an SPS of a high profile up to and including chroma format.
func spsHead(profile, chroma int) *bitWriter {
	w := new(bitWriter).u(8, 0x67).u(8, profile).u(8, 0).u(8, 40).ue(0)
	return w.ue(chroma)
}

// spsSize ends an SPS: frame_num of 4 bits, order count type 2, 4 reference
// frames, a size in macroblocks and a cropping rectangle, no VUI.
func spsSize(w *bitWriter, width, height int, frames bool, crop ...int) []byte {
	w.ue(0).ue(2).ue(4).u(1, 0).ue(width-1, height-1).flag(frames)
	if !frames {
		w.u(1, 1)
	}
	w.u(1, 1).flag(len(crop) > 0)
	w.ue(crop...)
	return w.u(1, 0).nalu()
}

// TestSPSSize holds the units of cropping, equations 7-19 to 7-22.
func TestSPSSize(t *testing.T) {
	lists := func(w *bitWriter, count int) *bitWriter {
		w.u(1, 1)
		for i := range count {
			size := 16
			if i >= 6 {
				size = 64
			}
			switch i % 3 {
			case 0:
				w.u(1, 0)
			case 1:
				w.u(1, 1).se(-8) // next scale 0: the default list
			case 2:
				w.u(1, 1)
				for k := range size {
					w.se(k%3 - 1)
				}
			}
		}
		return w
	}
	flat := func(w *bitWriter) *bitWriter { return w.u(1, 0) }
	tests := []struct {
		name          string
		nalu          []byte
		width, height int
	}{
		{"1080p", spsSize(flat(spsHead(100, 1).ue(0, 0).u(1, 0)), 120, 68, true, 0, 0, 0, 4), 1920, 1080},
		{"1080i", spsSize(flat(spsHead(100, 1).ue(0, 0).u(1, 0)), 120, 34, false, 0, 0, 0, 2), 1920, 1080},
		{"monochrome", spsSize(flat(spsHead(100, 0).ue(0, 0).u(1, 0)), 4, 4, true, 1, 2, 3, 4), 61, 57},
		{"4:2:2 fields", spsSize(flat(spsHead(122, 2).ue(2, 2).u(1, 0)), 4, 2, false, 1, 1, 1, 1), 60, 60},
		{"4:4:4", spsSize(flat(spsHead(244, 3).u(1, 0).ue(0, 0).u(1, 0)), 4, 4, true, 1, 2, 3, 4), 61, 57},
		{"4:4:4 separate planes", spsSize(flat(spsHead(244, 3).u(1, 1).ue(0, 0).u(1, 0)), 4, 4, true, 1, 2, 3, 4), 61, 57},
		{"8 scaling lists", spsSize(lists(spsHead(100, 1).ue(0, 0).u(1, 0), 8), 4, 4, true), 64, 64},
		{"12 scaling lists", spsSize(lists(spsHead(244, 3).u(1, 0).ue(0, 0).u(1, 0), 12), 4, 4, true), 64, 64},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			before := slices.Clone(tt.nalu)
			s, err := ParseSPS(tt.nalu)
			if err != nil {
				t.Fatal(err)
			}
			if s.Width != tt.width || s.Height != tt.height || s.MaxRefFrames != 4 || s.POCType != 2 {
				t.Errorf("got %+v, want %dx%d", s, tt.width, tt.height)
			}
			if !slices.Equal(before, tt.nalu) {
				t.Error("the input was changed")
			}
		})
	}
}

// TestSPSCutVUI: what comes before a VUI that is cut off stands.
func TestSPSCutVUI(t *testing.T) {
	c, err := NewConfig(Group(SplitAnnexB(read(t, "bframes"))))
	if err != nil {
		t.Fatal(err)
	}
	whole := c.SPS[0]
	for size := 12; size < len(whole); size++ {
		if s, err := ParseSPS(whole[:size]); err != nil || s.Width != 96 {
			t.Errorf("%d of %d bytes: width %d, %v", size, len(whole), s.Width, err)
		}
	}
}

func TestParseSPSBroken(t *testing.T) {
	base := func() *bitWriter { return new(bitWriter).u(8, 0x67).u(8, 66).u(8, 0).u(8, 40) }
	tests := []struct {
		name string
		nalu []byte
	}{
		{"empty", nil},
		{"header alone", []byte{0x67}},
		{"a PPS", []byte{0x68, 1, 2, 3}},
		{"id 32", base().ue(32).ue(0, 2, 1).u(1, 0).nalu()},
		{"chroma format 4", spsHead(100, 4).ue(0, 0).u(2, 0).ue(0, 2, 1).u(1, 0).nalu()},
		{"15 bits", spsHead(100, 1).ue(7, 0).u(2, 0).ue(0, 2, 1).u(1, 0).nalu()},
		{"frame_num of 17 bits", base().ue(0, 13, 2, 1).u(1, 0).nalu()},
		{"order count type 3", base().ue(0, 0, 3, 1).u(1, 0).nalu()},
		{"order count cycle of 256", base().ue(0, 0, 1).u(1, 0).se(0, 0).ue(256).nalu()},
		{"17 reference frames", base().ue(0, 0, 2, 17).u(1, 0).nalu()},
		{"huge picture", base().ue(0, 0, 2, 1).u(1, 0).ue(1<<20, 1<<20).u(2, 3).nalu()},
		{"cropped to nothing", spsSize(base().ue(0), 1, 1, true, 4, 4, 0, 0)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if s, err := ParseSPS(tt.nalu); err == nil {
				t.Errorf("no error, got %+v", s)
			}
		})
	}
}

func TestParsePPS(t *testing.T) {
	head := func() *bitWriter { return new(bitWriter).u(8, 0x68).ue(3, 1).u(2, 3) }
	tail := func(w *bitWriter) *bitWriter { return w.ue(2, 1).u(1, 1).u(2, 2).se(-3, 2, 1).u(3, 5) }
	want := PPS{ID: 3, SPS: 1, CABAC: true, FieldOrder: true, SliceGroups: 1, RefIdx: [2]int{3, 2}, Weighted: true,
		WeightedB: 2, DeblockingControl: true, RedundantPictures: true}
	grouped, transform := want, want
	grouped.SliceGroups, transform.Transform8x8 = 2, true
	tests := []struct {
		name string
		nalu []byte
		want PPS
	}{
		{"plain", tail(head().ue(0)).nalu(), want},
		{"8x8 transform", tail(head().ue(0)).u(2, 2).se(0).nalu(), transform},
		{"interleaved groups", tail(head().ue(1, 0, 5, 6)).nalu(), grouped},
		{"dispersed groups", tail(head().ue(1, 1)).nalu(), grouped},
		{"foreground groups", tail(head().ue(1, 2, 5, 9)).nalu(), grouped},
		{"wipe groups", tail(head().ue(1, 5).u(1, 1).ue(3)).nalu(), grouped},
		{"explicit groups", tail(head().ue(1, 6, 3).u(4, 5)).nalu(), grouped},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, err := ParsePPS(tt.nalu); err != nil || got != tt.want {
				t.Errorf("got %+v, %v; want %+v", got, err, tt.want)
			}
		})
	}
}

func TestParsePPSBroken(t *testing.T) {
	tests := []struct {
		name string
		nalu []byte
	}{
		{"empty", nil},
		{"an SPS", []byte{0x67, 1, 2, 3}},
		{"cut", []byte{0x68, 0xce}},
		{"id 256", new(bitWriter).u(8, 0x68).ue(256, 0).u(2, 0).ue(0, 0, 0).u(3, 0).se(0, 0, 0).u(3, 0).nalu()},
		{"9 slice groups", new(bitWriter).u(8, 0x68).ue(0, 0).u(2, 0).ue(8).nalu()},
		{"33 references", new(bitWriter).u(8, 0x68).ue(0, 0).u(2, 0).ue(0, 32, 0).u(3, 0).se(0, 0, 0).u(3, 0).nalu()},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if p, err := ParsePPS(tt.nalu); err == nil {
				t.Errorf("no error, got %+v", p)
			}
		})
	}
}
