package h264

import (
	"errors"
	"fmt"
)

// A Ratio is a fraction; 0/0 means unknown.
type Ratio struct{ Num, Den int }

// An SPS is a sequence parameter set (7.3.2.1.1), as far as sizes, rates and
// slice headers need it.
type SPS struct {
	ID          int // seq_parameter_set_id, 0 to 31
	Profile     int // profile_idc: 66 Baseline, 77 Main, 100 High, ...
	Constraints int // the eight bits behind profile_idc
	Level       int // level_idc: 40 means level 4.0

	Width, Height           int // samples of the picture shown, cropping applied
	CodedWidth, CodedHeight int // samples before cropping, a multiple of 16
	CropLeft, CropTop       int // samples cut off at the left and at the top

	ChromaFormat         int  // 0 monochrome, 1 4:2:0, 2 4:2:2, 3 4:4:4
	SeparatePlanes       bool // separate_colour_plane_flag
	BitDepth, ChromaBits int  // bits of a luma and of a chroma sample, 8 to 14

	FrameBits      int     // bits of frame_num, 4 to 16
	POCType        int     // pic_order_cnt_type, 0 to 2
	POCBits        int     // bits of pic_order_cnt_lsb (type 0), 4 to 16
	POCDeltaZero   bool    // delta_pic_order_always_zero_flag (type 1)
	POCNonRef      int32   // offset_for_non_ref_pic (type 1)
	POCTopToBottom int32   // offset_for_top_to_bottom_field (type 1)
	POCRefOffsets  []int32 // offset_for_ref_frame (type 1), at most 255
	MaxRefFrames   int
	GapsAllowed    bool // gaps_in_frame_num_value_allowed_flag
	FrameOnly      bool // frame_mbs_only_flag: no fields, no MBAFF
	AdaptiveFields bool // mb_adaptive_frame_field_flag

	VUI VUI
	// FrameRate is the frames (not fields) of a second that the VUI tells,
	// 0/0 where it tells none. It is a promise only if VUI.FixedRate is set.
	FrameRate Ratio
}

// highProfile reports whether profile_idc is one of those whose SPS tells the
// chroma format (7.3.2.1.1).
func highProfile(idc int) bool {
	switch idc {
	case 100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135:
		return true
	}
	return false
}

// ParseSPS reads a sequence parameter set, a NAL unit of type 7.
func ParseSPS(n []byte) (SPS, error) {
	if TypeOf(n) != TypeSPS {
		return SPS{}, fmt.Errorf("sps: got NAL unit type %d, want 7", TypeOf(n))
	}
	r := newBitReader(n)
	s := SPS{Profile: int(r.u(8)), Constraints: int(r.u(8)), Level: int(r.u(8)), ID: int(r.ue())}
	s.readChroma(r)
	s.FrameBits = int(r.ue()) + 4
	s.readOrderCount(r)
	s.MaxRefFrames, s.GapsAllowed = int(r.ue()), r.flag()
	if r.err == nil {
		r.err = s.check()
	}
	if r.err == nil {
		s.readSize(r)
	}
	if r.err == nil && r.flag() {
		s.readVUI(r)
	}
	if r.err != nil {
		return SPS{}, fmt.Errorf("sps: %w", r.err)
	}
	return s, nil
}

// readVUI reads the last part. Some encoders cut it off; since nothing in it is
// needed to decode, it is then left out and the rest of the set stands.
func (s *SPS) readVUI(r *bitReader) {
	s.VUI.read(r)
	if r.err != nil {
		s.VUI, r.err = VUI{}, nil
	}
	s.FrameRate = s.VUI.frameRate()
}

// readChroma reads what only the high profiles have.
func (s *SPS) readChroma(r *bitReader) {
	s.ChromaFormat, s.BitDepth, s.ChromaBits = 1, 8, 8
	if !highProfile(s.Profile) {
		return
	}
	s.ChromaFormat = int(r.ue())
	if s.ChromaFormat == 3 {
		s.SeparatePlanes = r.flag()
	}
	s.BitDepth, s.ChromaBits = int(r.ue())+8, int(r.ue())+8
	r.flag() // qpprime_y_zero_transform_bypass_flag
	if r.flag() {
		lists := 8
		if s.ChromaFormat == 3 {
			lists = 12
		}
		skipScaling(r, lists)
	}
}

// skipScaling reads over scaling lists (7.3.2.1.1.1): six of 16 entries, the
// others of 64.
func skipScaling(r *bitReader, lists int) {
	for i := range lists {
		if !r.flag() {
			continue
		}
		size := 16
		if i >= 6 {
			size = 64
		}
		last, next := int32(8), int32(8)
		for range size {
			if next != 0 {
				next = (last + r.se()) & 0xff
			}
			if next != 0 {
				last = next
			}
		}
	}
}

func (s *SPS) readOrderCount(r *bitReader) {
	s.POCType = int(r.ue())
	switch s.POCType {
	case 0:
		s.POCBits = int(r.ue()) + 4
	case 1:
		s.POCDeltaZero = r.flag()
		s.POCNonRef, s.POCTopToBottom = r.se(), r.se()
		count := int(r.ue())
		for range min(count, 255) {
			s.POCRefOffsets = append(s.POCRefOffsets, r.se())
		}
		if count > 255 && r.err == nil {
			r.err = fmt.Errorf("%d frames in the picture order count cycle, want at most 255", count)
		}
	}
}

// check refuses values outside the ranges of 7.4.2.1.1.
func (s *SPS) check() error {
	switch {
	case s.ID > 31:
		return fmt.Errorf("id %d, want at most 31", s.ID)
	case s.ChromaFormat > 3:
		return fmt.Errorf("chroma format %d, want at most 3", s.ChromaFormat)
	case s.BitDepth > 14 || s.ChromaBits > 14:
		return fmt.Errorf("bit depth %d/%d, want at most 14", s.BitDepth, s.ChromaBits)
	case s.FrameBits > 16 || s.POCBits > 16:
		return fmt.Errorf("frame_num of %d bits, pic_order_cnt_lsb of %d bits, want at most 16", s.FrameBits, s.POCBits)
	case s.POCType > 2:
		return fmt.Errorf("picture order count type %d, want at most 2", s.POCType)
	case s.MaxRefFrames > 16:
		return fmt.Errorf("%d reference frames, want at most 16", s.MaxRefFrames)
	}
	return nil
}

// maxMacroblocks bounds a side of the picture: 16384 samples, beyond level 6.2.
const maxMacroblocks = 16384 / 16

// readSize reads from pic_width_in_mbs_minus1 to the cropping rectangle.
func (s *SPS) readSize(r *bitReader) {
	width, height := int(r.ue())+1, int(r.ue())+1
	s.FrameOnly = r.flag()
	fields := 1
	if !s.FrameOnly {
		s.AdaptiveFields = r.flag()
		fields = 2
	}
	r.flag() // direct_8x8_inference_flag
	if r.err == nil && (width > maxMacroblocks || height*fields > maxMacroblocks) {
		r.err = fmt.Errorf("picture of %dx%d macroblocks, want at most %d a side", width, height*fields, maxMacroblocks)
		return
	}
	s.CodedWidth, s.CodedHeight = 16*width, 16*height*fields
	s.Width, s.Height = s.CodedWidth, s.CodedHeight
	if r.flag() {
		s.crop(r, fields)
	}
}

// crop applies the cropping rectangle, whose unit depends on the chroma format
// and on fields (7.4.2.1.1, equations 7-19 to 7-22).
func (s *SPS) crop(r *bitReader, fields int) {
	unitX, unitY := 1, fields
	if !s.SeparatePlanes {
		if s.ChromaFormat == 1 || s.ChromaFormat == 2 {
			unitX = 2
		}
		if s.ChromaFormat == 1 {
			unitY = 2 * fields
		}
	}
	left, right, top, bottom := int(r.ue()), int(r.ue()), int(r.ue()), int(r.ue())
	s.Width -= (left + right) * unitX
	s.Height -= (top + bottom) * unitY
	s.CropLeft, s.CropTop = left*unitX, top*unitY
	if r.err == nil && (s.Width <= 0 || s.Height <= 0) {
		r.err = errors.New("cropping leaves no picture")
	}
}
