package h264

// An AccessUnit is one coded picture with all that belongs to it, in decoding
// order. A field is a picture of its own (7.4.1.2.4), unless a container put
// both fields of a frame into one unit.
type AccessUnit struct {
	NALUs [][]byte
	PTS   int64 // ticks of 90 kHz; 0 is the first picture shown
	DTS   int64 // ticks of 90 kHz on the same axis; may be negative
}

// Key reports whether the unit holds an IDR slice.
func (a AccessUnit) Key() bool {
	for _, n := range a.NALUs {
		if TypeOf(n) == IDR {
			return true
		}
	}
	return false
}

// Reference reports whether other pictures may be predicted from this one: a
// slice has a nal_ref_idc other than 0.
func (a AccessUnit) Reference() bool {
	for _, n := range a.NALUs {
		if TypeOf(n).Slice() && RefIDC(n) != 0 {
			return true
		}
	}
	return false
}

// Disposable reports whether the picture can be lost without damage to any
// other.
func (a AccessUnit) Disposable() bool { return !a.Reference() }

// HasParams reports whether the unit holds a parameter set.
func (a AccessUnit) HasParams() bool {
	for _, n := range a.NALUs {
		if t := TypeOf(n); t == TypeSPS || t == TypePPS {
			return true
		}
	}
	return false
}

// Size returns the bytes of all NAL units, without start codes or lengths.
func (a AccessUnit) Size() int {
	size := 0
	for _, n := range a.NALUs {
		size += len(n)
	}
	return size
}
