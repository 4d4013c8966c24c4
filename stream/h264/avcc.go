package h264

import "fmt"

// SplitAVCC returns the NAL units of a sample as MP4 and Matroska hold it:
// each behind its length in lengthSize bytes, 1 to 4, big endian (ISO/IEC
// 14496-15, 5.3.4.2). They share the sample's memory; lengths of 0 are skipped.
// When a length reaches beyond the sample, the units before it are returned
// together with the error.
func SplitAVCC(b []byte, lengthSize int) ([][]byte, error) {
	if lengthSize < 1 || lengthSize > 4 {
		return nil, fmt.Errorf("avcc: length field of %d bytes, want 1 to 4", lengthSize)
	}
	var nalus [][]byte
	for rest := b; len(rest) > 0; {
		if len(rest) < lengthSize {
			return nalus, fmt.Errorf("avcc: sample ends inside a length field, at byte %d of %d", len(b)-len(rest), len(b))
		}
		size := 0
		for _, x := range rest[:lengthSize] {
			size = size<<8 | int(x)
		}
		rest = rest[lengthSize:]
		if size > len(rest) {
			return nalus, fmt.Errorf("avcc: NAL unit of %d bytes at byte %d, but %d are left", size, len(b)-len(rest), len(rest))
		}
		if size > 0 {
			nalus = append(nalus, rest[:size:size])
		}
		rest = rest[size:]
	}
	return nalus, nil
}

// AppendAVCC appends NAL units to dst, each behind its length in lengthSize
// bytes, 1 to 4. A NAL unit too long for the field is an error; dst is then
// returned as it was.
func AppendAVCC(dst []byte, lengthSize int, nalus ...[]byte) ([]byte, error) {
	if lengthSize < 1 || lengthSize > 4 {
		return dst, fmt.Errorf("avcc: length field of %d bytes, want 1 to 4", lengthSize)
	}
	out := dst
	for i, n := range nalus {
		if int64(len(n))>>(8*lengthSize) != 0 {
			return dst, fmt.Errorf("avcc: NAL unit %d has %d bytes, too long for a length field of %d", i, len(n), lengthSize)
		}
		for k := lengthSize - 1; k >= 0; k-- {
			out = append(out, byte(len(n)>>(8*k)))
		}
		out = append(out, n...)
	}
	return out, nil
}
