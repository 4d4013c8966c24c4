package h264

import (
	"errors"
	"fmt"
)

var errNoParams = errors.New("slice refers to a parameter set that is not there")

// A sliceHeader is slice_header (7.3.3) as far as picture boundaries and
// picture order counts need it.
type sliceHeader struct {
	typ       Type
	refIDC    int
	firstMB   int
	kind      int // slice_type modulo 5: 0 P, 1 B, 2 I, 3 SP, 4 SI
	ppsID     int
	plane     int // colour_plane_id
	frameNum  int
	field     bool
	bottom    bool
	idrID     int    // idr_pic_id
	lsb       int    // pic_order_cnt_lsb
	bottomLSB int    // delta_pic_order_cnt_bottom
	delta     [2]int // delta_pic_order_cnt
	redundant int    // redundant_pic_cnt; 0 in a primary picture
	reset     bool   // memory_management_control_operation 5
	sps       *SPS   // nil if the parameter sets are unknown: then only typ to ppsID hold
}

func (h *sliceHeader) idr() bool { return h.typ == IDR }

// paramSets holds the parameter sets in force. Its zero value knows none.
type paramSets struct {
	sps map[int]*SPS
	pps map[int]*PPS
}

// add takes in a NAL unit if it is a parameter set that can be read. Unless
// replace is set, one already known stays.
func (p *paramSets) add(n []byte, replace bool) {
	if p.sps == nil {
		p.sps, p.pps = map[int]*SPS{}, map[int]*PPS{}
	}
	switch TypeOf(n) {
	case TypeSPS:
		if s, err := ParseSPS(n); err == nil && (replace || p.sps[s.ID] == nil) {
			p.sps[s.ID] = &s
		}
	case TypePPS:
		if q, err := ParsePPS(n); err == nil && (replace || p.pps[q.ID] == nil) {
			p.pps[q.ID] = &q
		}
	}
}

// slice reads the header of a slice or partition A. With errNoParams, what
// does not depend on parameter sets is filled in.
func (p *paramSets) slice(n []byte) (sliceHeader, error) {
	r := newBitReader(n)
	h := sliceHeader{typ: TypeOf(n), refIDC: RefIDC(n)}
	h.firstMB, h.kind, h.ppsID = int(r.ue()), int(r.ue())%5, int(r.ue())
	if r.err != nil {
		return h, fmt.Errorf("slice header: %w", r.err)
	}
	pps := p.pps[h.ppsID]
	if pps == nil || p.sps[pps.SPS] == nil {
		return h, errNoParams
	}
	sps := p.sps[pps.SPS]
	h.read(r, sps, pps)
	if r.err != nil {
		return h, fmt.Errorf("slice header: %w", r.err)
	}
	h.sps = sps
	h.readMarking(r, sps, pps)
	return h, nil
}

// read parses from colour_plane_id to redundant_pic_cnt.
func (h *sliceHeader) read(r *bitReader, sps *SPS, pps *PPS) {
	if sps.SeparatePlanes {
		h.plane = int(r.u(2))
	}
	h.frameNum = int(r.u(sps.FrameBits))
	if !sps.FrameOnly {
		h.field = r.flag()
		h.bottom = h.field && r.flag()
	}
	if h.idr() {
		h.idrID = int(r.ue())
	}
	switch {
	case sps.POCType == 0:
		h.lsb = int(r.u(sps.POCBits))
		if pps.FieldOrder && !h.field {
			h.bottomLSB = int(r.se())
		}
	case sps.POCType == 1 && !sps.POCDeltaZero:
		h.delta[0] = int(r.se())
		if pps.FieldOrder && !h.field {
			h.delta[1] = int(r.se())
		}
	}
	if pps.RedundantPictures {
		h.redundant = int(r.ue())
	}
}

// readMarking parses on to dec_ref_pic_marking for the one operation that
// restarts the picture order count. A header cut off before it counts as one
// without: what matters more has been read.
func (h *sliceHeader) readMarking(r *bitReader, sps *SPS, pps *PPS) {
	if h.idr() || h.refIDC == 0 {
		return
	}
	const p, b, sp = 0, 1, 3
	refs := pps.RefIdx
	if h.kind == b {
		r.flag() // direct_spatial_mv_pred_flag
	}
	if h.kind == p || h.kind == b || h.kind == sp {
		if r.flag() { // num_ref_idx_active_override_flag
			refs[0] = int(r.ue()) + 1
			if h.kind == b {
				refs[1] = int(r.ue()) + 1
			}
		}
		skipReordering(r)
	}
	if h.kind == b {
		skipReordering(r)
	}
	if pps.Weighted && (h.kind == p || h.kind == sp) {
		skipWeights(r, sps, refs[:1])
	}
	if pps.WeightedB == 1 && h.kind == b {
		skipWeights(r, sps, refs[:])
	}
	if r.flag() { // adaptive_ref_pic_marking_mode_flag
		h.reset = readOperations(r) && r.err == nil
	}
}

// skipReordering reads over ref_pic_list_modification of one list (7.3.3.1).
func skipReordering(r *bitReader) {
	if !r.flag() {
		return
	}
	for r.err == nil && r.ue() != 3 {
		r.ue()
	}
}

// skipWeights reads over pred_weight_table (7.3.3.2); refs tells the number of
// entries of each list.
func skipWeights(r *bitReader, sps *SPS, refs []int) {
	chroma := sps.ChromaFormat != 0 && !sps.SeparatePlanes
	r.ue()
	if chroma {
		r.ue()
	}
	for _, count := range refs {
		for i := 0; i < count && r.err == nil; i++ {
			if r.flag() {
				r.se()
				r.se()
			}
			if chroma && r.flag() {
				for range 4 {
					r.se()
				}
			}
		}
	}
}

// readOperations reads the list of memory management control operations and
// reports whether number 5 is among them (7.3.3.3).
func readOperations(r *bitReader) (reset bool) {
	for r.err == nil {
		switch r.ue() {
		case 0:
			return reset
		case 1, 2, 4, 6:
			r.ue()
		case 3:
			r.ue()
			r.ue()
		case 5:
			reset = true
		default:
			return reset
		}
	}
	return false
}
