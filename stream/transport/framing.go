package transport

import (
	"errors"
	"fmt"
)

// ErrPacketSize reports a packet that the transport cannot carry.
var ErrPacketSize = errors.New("packet does not fit the transport")

// checkSizes returns ErrPacketSize unless each of u's packets has 1 to limit bytes.
func checkSizes(u Unit, limit int) error {
	for i, p := range u.Packets {
		if len(p) == 0 || len(p) > limit {
			return fmt.Errorf("%w: packet %d of the unit has %d bytes, the limit is %d", ErrPacketSize, i, len(p), limit)
		}
	}
	return nil
}

// framing is one unit as the bytes of a stream. Its memory is used again.
type framing struct {
	buf   []byte
	start int   // bytes before the first packet's frame
	ends  []int // where each packet's frame ends in buf
	sizes []int // RTP bytes of each packet
}

// reset empties f but for a head that belongs to no packet.
func (f *framing) reset(head []byte) {
	f.buf = append(f.buf[:0], head...)
	f.start = len(head)
	f.ends, f.sizes = f.ends[:0], f.sizes[:0]
}

// add frames the packets of u one behind another with appendFrame.
func (f *framing) add(u Unit, appendFrame func(dst, packet []byte) []byte) {
	for _, p := range u.Packets {
		f.buf = appendFrame(f.buf, p)
		f.ends = append(f.ends, len(f.buf))
		f.sizes = append(f.sizes, len(p))
	}
}

// cut says what n written bytes of f amount to: how many packets have begun,
// their RTP bytes, and what is missing of the last of them.
func (f *framing) cut(n int) (packets int, bytes int64, rest []byte) {
	begin := f.start
	for i, end := range f.ends {
		if n <= begin {
			return packets, bytes, nil
		}
		packets, bytes = packets+1, bytes+int64(f.sizes[i])
		if n < end {
			return packets, bytes, f.buf[n:end]
		}
		begin = end
	}
	return packets, bytes, nil
}
