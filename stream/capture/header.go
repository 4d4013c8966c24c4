package capture

import (
	"encoding/binary"

	"github.com/pion/rtp"
)

// Header reads the header of an RTP packet of version 2, and returns its length in
// bytes. RTCP and anything else is !ok. Only the length of a header extension
// counts: what its elements are like is nobody's business but the sender's, so
// that an extension with elements that cannot be read is there, and empty.
func Header(packet []byte) (h rtp.Header, n int, ok bool) {
	if len(packet) < 2 || packet[0]>>6 != 2 || isRTCP(packet) {
		return h, 0, false
	}
	n, err := h.Unmarshal(packet)
	if err == nil {
		return h, n, true
	}
	const extended, fixed = 0x10, 12
	at := fixed + 4*int(packet[0]&15)
	if packet[0]&extended == 0 || len(packet) < at+4 {
		return h, 0, false
	}
	n = at + 4 + 4*int(binary.BigEndian.Uint16(packet[at+2:]))
	if n > len(packet) {
		return h, 0, false
	}
	bare := append([]byte{packet[0] &^ extended}, packet[1:at]...)
	h = rtp.Header{}
	_, err = h.Unmarshal(bare)
	h.Extension = true
	return h, n, err == nil
}
