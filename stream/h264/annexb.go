package h264

import "bytes"

var startCode = []byte{0, 0, 1}

// SplitAnnexB returns the NAL units of a byte stream (annex B), in order and
// sharing its memory. Start codes may have three or four bytes; zero bytes
// after a NAL unit (trailing_zero_8bits) belong to none, and neither do bytes
// before the first start code. Without a start code there is no NAL unit.
func SplitAnnexB(b []byte) [][]byte {
	var nalus [][]byte
	at := bytes.Index(b, startCode)
	for at >= 0 {
		b = b[at+len(startCode):]
		at = bytes.Index(b, startCode)
		end := at
		if at < 0 {
			end = len(b)
		}
		if n := bytes.TrimRight(b[:end], "\x00"); len(n) > 0 {
			nalus = append(nalus, n[:len(n):len(n)])
		}
	}
	return nalus
}

// AppendAnnexB appends NAL units to dst, each after a start code of four bytes.
func AppendAnnexB(dst []byte, nalus ...[]byte) []byte {
	for _, n := range nalus {
		dst = append(dst, 0, 0, 0, 1)
		dst = append(dst, n...)
	}
	return dst
}
