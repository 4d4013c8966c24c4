package h264

// A VUI holds video usability information (annex E): what a player should know
// and a decoder need not. The zero VUI says nothing.
type VUI struct {
	SampleAspect Ratio // width to height of a sample; 0/0 unknown
	FullRange    bool  // luma spans 0 to the maximum, not 16 to 235 (8 bits)
	// Primaries, Transfer and Matrix are codes of ITU-T H.273; 0 where unsaid
	// (the code for "unspecified" is 2).
	Primaries, Transfer, Matrix int
	UnitsInTick, TimeScale      uint32 // a tick, half a frame, lasts UnitsInTick/TimeScale s
	FixedRate                   bool
	// Reorder is max_num_reorder_frames and Buffered max_dec_frame_buffering;
	// both are meaningful only if HasReorder is set.
	HasReorder        bool
	Reorder, Buffered int
}

// extendedSAR is the aspect_ratio_idc that is followed by the ratio itself.
const extendedSAR = 255

// aspects is table E-1.
var aspects = [...]Ratio{{0, 0}, {1, 1}, {12, 11}, {10, 11}, {16, 11}, {40, 33}, {24, 11}, {20, 11}, {32, 11},
	{80, 33}, {18, 11}, {15, 11}, {64, 33}, {160, 99}, {4, 3}, {3, 2}, {2, 1}}

// read parses vui_parameters (E.1.1).
func (v *VUI) read(r *bitReader) {
	if r.flag() {
		v.readAspect(r)
	}
	if r.flag() { // overscan_info_present_flag
		r.flag()
	}
	if r.flag() { // video_signal_type_present_flag
		r.u(3)
		v.FullRange = r.flag()
		if r.flag() {
			v.Primaries, v.Transfer, v.Matrix = int(r.u(8)), int(r.u(8)), int(r.u(8))
		}
	}
	if r.flag() { // chroma_loc_info_present_flag
		r.ue()
		r.ue()
	}
	if r.flag() {
		v.UnitsInTick, v.TimeScale, v.FixedRate = r.u(32), r.u(32), r.flag()
	}
	nal := r.flag()
	if nal {
		skipHRD(r)
	}
	vcl := r.flag()
	if vcl {
		skipHRD(r)
	}
	if nal || vcl {
		r.flag() // low_delay_hrd_flag
	}
	r.flag() // pic_struct_present_flag
	v.readRestriction(r)
}

func (v *VUI) readAspect(r *bitReader) {
	idc := int(r.u(8))
	if idc == extendedSAR {
		v.SampleAspect = Ratio{int(r.u(16)), int(r.u(16))}
	} else if idc < len(aspects) {
		v.SampleAspect = aspects[idc]
	}
	if v.SampleAspect.Num == 0 || v.SampleAspect.Den == 0 {
		v.SampleAspect = Ratio{}
	}
}

// readRestriction reads bitstream_restriction, the last part. Some encoders cut
// the set off before or inside it; what came before is still good then.
func (v *VUI) readRestriction(r *bitReader) {
	if r.err != nil || !r.flag() {
		return
	}
	r.flag()
	for range 4 {
		r.ue()
	}
	v.Reorder, v.Buffered = int(r.ue()), int(r.ue())
	v.HasReorder = r.err == nil && v.Reorder <= v.Buffered
	if !v.HasReorder {
		v.Reorder, v.Buffered, r.err = 0, 0, nil
	}
}

// skipHRD reads over hrd_parameters (E.1.2).
func skipHRD(r *bitReader) {
	count := int(r.ue()) + 1
	if count > 32 {
		count = 32
	}
	r.u(8)
	for range count {
		r.ue()
		r.ue()
		r.flag()
	}
	r.u(20)
}

// frameRate is time_scale / (2 * num_units_in_tick) in lowest terms: a tick is
// the duration of a field (E.2.1).
func (v *VUI) frameRate() Ratio {
	num, den := int(v.TimeScale), 2*int(v.UnitsInTick)
	if num == 0 || den == 0 {
		return Ratio{}
	}
	a, b := num, den
	for b != 0 {
		a, b = b, a%b
	}
	return Ratio{num / a, den / a}
}
