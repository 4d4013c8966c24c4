// Package h264 takes H.264 byte streams apart and puts them together: NAL
// units in Annex B and length-prefixed (AVCC) form, access units, parameter
// sets, and the order in which pictures are shown.
//
// It decodes no picture. Clause numbers in this package mean ITU-T H.264
// (08/2021) unless another document is named. Nothing here keeps or changes
// the bytes it is given; what it returns may share memory with them.
package h264

import "fmt"

// NALU is one NAL unit: the header byte first, no start code and no length
// before it, emulation prevention bytes left in.
type NALU = []byte

// A Type is a nal_unit_type (table 7-1), 0 to 31.
type Type uint8

// The NAL unit types that this project tells apart.
const (
	SliceNonIDR Type = 1
	PartitionA  Type = 2
	PartitionB  Type = 3
	PartitionC  Type = 4
	IDR         Type = 5
	SEI         Type = 6
	TypeSPS     Type = 7
	TypePPS     Type = 8
	AUD         Type = 9
	EndOfSeq    Type = 10
	EndOfStream Type = 11
	Filler      Type = 12
	PrefixNAL   Type = 14
	SliceAux    Type = 19
	SliceExt    Type = 20
)

// TypeOf returns the type of a NAL unit, 0 for an empty one.
func TypeOf(n []byte) Type {
	if len(n) == 0 {
		return 0
	}
	return Type(n[0] & 0x1f)
}

// RefIDC returns nal_ref_idc, 0 to 3. 0 means that no other picture is
// predicted from this NAL unit. An empty NAL unit has 0.
func RefIDC(n []byte) int {
	if len(n) == 0 {
		return 0
	}
	return int(n[0] >> 5 & 3)
}

// Slice reports whether a NAL unit of this type carries picture data of the
// primary coded picture: a slice or a partition of one.
func (t Type) Slice() bool { return t >= SliceNonIDR && t <= IDR }

// header reports whether a NAL unit of this type begins with a slice header.
func (t Type) header() bool { return t == SliceNonIDR || t == PartitionA || t == IDR }

func (t Type) String() string {
	switch t {
	case SliceNonIDR:
		return "slice"
	case PartitionA, PartitionB, PartitionC:
		return "partition " + string(rune('A'+t-PartitionA))
	case IDR:
		return "IDR slice"
	case SEI:
		return "SEI"
	case TypeSPS:
		return "SPS"
	case TypePPS:
		return "PPS"
	case AUD:
		return "AUD"
	case Filler:
		return "filler"
	default:
		return fmt.Sprintf("NAL type %d", uint8(t))
	}
}
