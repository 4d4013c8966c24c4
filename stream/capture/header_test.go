package capture

import (
	"bytes"
	"testing"
)

func TestHeader(t *testing.T) {
	plain := rtpPacket(5, 7, 9)
	with := func(first byte, extension ...byte) []byte {
		b := concat(plain[:12:12], extension, plain[12:])
		b[0] |= first
		return b
	}
	for _, tt := range []struct {
		name   string
		packet []byte
		n      int // -1 = it is no RTP
	}{
		{"plain", plain, 12},
		{"sources", with(2, 0, 0, 0, 1, 0, 0, 0, 2), 20},
		{"one-byte elements", with(0x10, 0xbe, 0xde, 0, 1, 0x10, 1, 0, 0), 20},
		{"an element longer than all", with(0x10, 0xbe, 0xde, 0, 1, 0x1f, 1, 0, 0), 20},
		{"two-byte elements that are none", with(0x10, 0x10, 0, 0, 1, 0xff, 0xff, 0xff, 0xff), 20},
		{"of a profile of its own", with(0x11, 0, 0, 0, 1, 0xab, 0xcd, 0, 0), 20},
		{"an extension longer than all", with(0x10, 0x10, 0, 0xff, 0xff), -1},
		{"half an extension", append(with(0x10)[:12:12], 0x10, 0), -1},
		{"rtcp", []byte{0x80, 200, 0, 1, 0, 0, 0, 5, 0, 0, 0, 0}, -1},
		{"stun", make([]byte, 20), -1},
		{"short", plain[:11], -1},
		{"nothing", nil, -1},
	} {
		before := bytes.Clone(tt.packet)
		h, n, ok := Header(tt.packet)
		if !ok {
			n = -1
		}
		if n != tt.n || ok && (h.SSRC != 5 || h.SequenceNumber != 7 || h.Timestamp != 9 || h.PayloadType != 96) {
			t.Errorf("%s: got %d bytes, %+v, want %d", tt.name, n, h, tt.n)
		}
		if !bytes.Equal(before, tt.packet) {
			t.Errorf("%s: the packet was changed", tt.name)
		}
	}
}
