package h264

import (
	"errors"
	"math/bits"
)

var errShort = errors.New("ends too early")

// A bitReader reads syntax elements from a NAL unit and skips emulation
// prevention bytes on the way. After the first read beyond the end err is set
// and every further read gives 0, so that callers check once.
type bitReader struct {
	b     []byte
	next  int  // index of the byte after cur
	cur   uint // the byte being read
	left  int  // bits of cur not yet read
	zeros int  // zero bytes in a row before next
	err   error
}

// newBitReader reads behind the NAL unit header.
func newBitReader(n []byte) *bitReader {
	r := &bitReader{b: n}
	r.u(8)
	return r
}

// load takes the next byte that is no emulation prevention byte.
func (r *bitReader) load() {
	if r.next < len(r.b) && r.zeros >= 2 && r.b[r.next] == 3 {
		r.next, r.zeros = r.next+1, 0
	}
	if r.next >= len(r.b) {
		r.err = errShort
		return
	}
	r.cur, r.left = uint(r.b[r.next]), 8
	r.next++
	if r.cur == 0 {
		r.zeros++
	} else {
		r.zeros = 0
	}
}

// u reads n bits, at most 32 (u(n), 7.2).
func (r *bitReader) u(n int) uint32 {
	v := uint32(0)
	for n > 0 {
		if r.left == 0 {
			r.load()
		}
		if r.err != nil {
			return 0
		}
		take := min(n, r.left)
		r.left -= take
		n -= take
		v = v<<take | uint32(r.cur>>r.left&(1<<take-1))
	}
	return v
}

func (r *bitReader) flag() bool { return r.u(1) == 1 }

// ue reads an unsigned Exp-Golomb code (9.1), at most 2^32-2.
func (r *bitReader) ue() uint32 {
	zeros := 0
	for r.u(1) == 0 {
		zeros++
		if r.err != nil {
			return 0
		}
		if zeros > 31 {
			r.err = errors.New("Exp-Golomb code of more than 63 bits")
			return 0
		}
	}
	return 1<<zeros - 1 + r.u(zeros)
}

// se reads a signed Exp-Golomb code (9.1.1).
func (r *bitReader) se() int32 {
	k := int64(r.ue())
	if k&1 == 1 {
		return int32((k + 1) / 2)
	}
	return int32(-k / 2)
}

// more is more_rbsp_data (7.2): it reports whether anything stands before the
// stop bit.
func (r *bitReader) more() bool {
	last := len(r.b) - 1
	for last >= 0 && r.b[last] == 0 {
		last--
	}
	if r.err != nil || last < 0 {
		return false
	}
	end := 8*last + 7 - bits.TrailingZeros8(r.b[last])
	return 8*r.next-r.left < end
}
