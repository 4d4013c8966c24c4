package h264

import "fmt"

// A PPS is a picture parameter set (7.3.2.2), as far as slice headers need it.
type PPS struct {
	ID, SPS           int    // pic_parameter_set_id, 0 to 255, and the SPS it refers to
	CABAC             bool   // entropy_coding_mode_flag
	FieldOrder        bool   // bottom_field_pic_order_in_frame_present_flag
	SliceGroups       int    // 1 to 8
	RefIdx            [2]int // default number of reference indices of lists 0 and 1
	Weighted          bool   // weighted_pred_flag
	WeightedB         int    // weighted_bipred_idc
	DeblockingControl bool
	RedundantPictures bool // redundant_pic_cnt_present_flag
	Transform8x8      bool
}

// ParsePPS reads a picture parameter set, a NAL unit of type 8. Scaling lists
// at its end are not read.
func ParsePPS(n []byte) (PPS, error) {
	if TypeOf(n) != TypePPS {
		return PPS{}, fmt.Errorf("pps: got NAL unit type %d, want 8", TypeOf(n))
	}
	r := newBitReader(n)
	p := PPS{ID: int(r.ue()), SPS: int(r.ue()), CABAC: r.flag(), FieldOrder: r.flag()}
	p.SliceGroups = int(r.ue()) + 1
	if p.ID > 255 || p.SPS > 31 || p.SliceGroups > 8 {
		return PPS{}, fmt.Errorf("pps: id %d, SPS %d, %d slice groups; want at most 255, 31 and 8", p.ID, p.SPS, p.SliceGroups)
	}
	if p.SliceGroups > 1 {
		skipSliceGroups(r, p.SliceGroups)
	}
	p.RefIdx = [2]int{int(r.ue()) + 1, int(r.ue()) + 1}
	p.Weighted, p.WeightedB = r.flag(), int(r.u(2))
	r.se() // pic_init_qp_minus26
	r.se() // pic_init_qs_minus26
	r.se() // chroma_qp_index_offset
	p.DeblockingControl = r.flag()
	r.flag() // constrained_intra_pred_flag
	p.RedundantPictures = r.flag()
	if r.err == nil && (p.RefIdx[0] > 32 || p.RefIdx[1] > 32) {
		r.err = fmt.Errorf("%d and %d reference indices, want at most 32", p.RefIdx[0], p.RefIdx[1])
	}
	if r.err != nil {
		return PPS{}, fmt.Errorf("pps: %w", r.err)
	}
	if r.more() {
		p.Transform8x8 = r.flag()
	}
	return p, nil
}

// skipSliceGroups reads over the slice group map (7.3.2.2).
func skipSliceGroups(r *bitReader, groups int) {
	switch kind := r.ue(); kind {
	case 0:
		for range groups {
			r.ue()
		}
	case 2:
		for range 2 * (groups - 1) {
			r.ue()
		}
	case 3, 4, 5:
		r.flag()
		r.ue()
	case 6:
		width := 1
		for 1<<width < groups {
			width++
		}
		for count := int(r.ue()); count >= 0 && r.err == nil; count-- {
			r.u(width)
		}
	}
}
