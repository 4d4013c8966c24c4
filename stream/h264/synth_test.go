package h264

// A stream describes the parameter sets of pictures built for tests.
type stream struct {
	pocType  int
	fields   bool  // frame_mbs_only_flag 0
	delta    bool  // bottom_field_pic_order_in_frame_present_flag
	redun    bool  // redundant_pic_cnt_present_flag
	planes   bool  // separate_colour_plane_flag
	cycle    []int // offset_for_ref_frame
	nonRef   int   // offset_for_non_ref_pic
	topToBot int   // offset_for_top_to_bottom_field
	weighted bool  // weighted_pred_flag and weighted_bipred_idc 1
}

// frame_num and pic_order_cnt_lsb have four bits, so that they wrap soon.
const synthBits = 4

func (s stream) sps(id int) []byte {
	w := new(bitWriter).u(8, 0x67)
	if s.planes {
		w.u(8, 244).u(16, 40).ue(id, 3).u(1, 1).ue(0, 0).u(2, 0)
	} else {
		w.u(8, 77).u(16, 40).ue(id)
	}
	w.ue(synthBits-4, s.pocType)
	switch s.pocType {
	case 0:
		w.ue(synthBits - 4)
	case 1:
		w.u(1, 0).se(s.nonRef, s.topToBot).ue(len(s.cycle)).se(s.cycle...)
	}
	w.ue(2).u(1, 0).ue(3, 3).flag(!s.fields)
	if s.fields {
		w.u(1, 0)
	}
	return w.u(1, 1).u(2, 0).nalu()
}

func (s stream) pps(id, sps int) []byte {
	w := new(bitWriter).u(8, 0x68).ue(id, sps).u(1, 0).flag(s.delta).ue(0, 0, 0).flag(s.weighted)
	if s.weighted {
		w.u(2, 1)
	} else {
		w.u(2, 0)
	}
	return w.se(0, 0, 0).u(2, 0).flag(s.redun).nalu()
}

// A pic is the header of one slice built for tests.
type pic struct {
	idr       bool
	ref       int // nal_ref_idc
	mb        int // first_mb_in_slice
	kind      int // slice_type
	pps       int
	plane     int
	num       int // frame_num
	field     int // 0 frame, 1 top, 2 bottom
	idrID     int
	lsb       int
	delta     [2]int // [0] is delta_pic_order_cnt_bottom with type 0
	redundant int
	reset     bool // memory_management_control_operation 5
}

func (s stream) slice(p pic) []byte {
	typ := SliceNonIDR
	if p.idr {
		typ = IDR
	}
	w := new(bitWriter).u(8, p.ref<<5|int(typ)).ue(p.mb, p.kind, p.pps)
	if s.planes {
		w.u(2, p.plane)
	}
	w.u(synthBits, p.num)
	if s.fields {
		w.flag(p.field > 0)
		if p.field > 0 {
			w.flag(p.field == 2)
		}
	}
	if p.idr {
		w.ue(p.idrID)
	}
	both := s.delta && p.field == 0
	switch s.pocType {
	case 0:
		w.u(synthBits, p.lsb)
		if both {
			w.se(p.delta[0])
		}
	case 1:
		w.se(p.delta[0])
		if both {
			w.se(p.delta[1])
		}
	}
	if s.redun {
		w.ue(p.redundant)
	}
	if !p.idr {
		s.prediction(w, p)
	}
	return w.u(8, 0x5a).nalu()
}

// prediction writes from direct_spatial_mv_pred_flag to dec_ref_pic_marking.
func (s stream) prediction(w *bitWriter, p pic) {
	lists := map[int]int{0: 1, 1: 2}[p.kind] // P, B, else none
	if p.kind == 1 {
		w.u(1, 1)
	}
	if lists > 0 {
		w.u(1, 1).ue(1) // two reference indices
		if lists == 2 {
			w.ue(0)
		}
	}
	for range lists {
		w.u(1, 1).ue(0, 5, 1, 7, 3) // two modifications
	}
	if s.weighted && lists > 0 {
		w.ue(2, 2)
		for range lists + 1 { // two entries of list 0, one of list 1
			w.u(1, 1).se(3, -3).u(1, 1).se(1, 2, 3, 4)
		}
	}
	if p.ref == 0 {
		return
	}
	w.u(1, 1).ue(1, 2, 3, 0, 0) // operations 1 and 3
	if p.reset {
		w.ue(5)
	}
	w.ue(0)
}

// units makes one access unit of each picture, parameter sets in the first.
func (s stream) units(pics ...pic) []AccessUnit {
	out := []AccessUnit{{NALUs: [][]byte{s.sps(0), s.pps(0, 0)}}}
	for i, p := range pics {
		if i > 0 {
			out = append(out, AccessUnit{})
		}
		out[i].NALUs = append(out[i].NALUs, s.slice(p))
	}
	return out
}
