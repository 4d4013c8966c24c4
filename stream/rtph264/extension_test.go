package rtph264

import (
	"bytes"
	"testing"
)

// FuzzExtension takes any bytes as a header extension, behind any number of CSRCs
// and in front of any padding: the payload is what is left, the bytes stay as they
// were, and the marks are taken from nothing but the pair of them.
func FuzzExtension(f *testing.F) {
	f.Add(uint16(oneByte), []byte{0x10, 0xe0, 0x20, 0x85}, uint8(0), uint8(0))
	f.Add(uint16(oneByte), []byte{0, 0, 0x10, 0xe0, 0x20, 0x85, 0, 0}, uint8(2), uint8(7))
	f.Add(uint16(oneByte), []byte{0x10, 0xe0, 0xf0, 1}, uint8(15), uint8(1))         // 15 ends the elements
	f.Add(uint16(oneByte), []byte{0x1f, 1, 2, 3}, uint8(0), uint8(0))                // longer than all
	f.Add(uint16(oneByte), []byte{0x12, 1, 2, 3, 0x20, 5, 0, 0}, uint8(0), uint8(0)) // another's number 1
	f.Add(uint16(oneByte), []byte{0x10, 0xef, 0x20, 0x85}, uint8(0), uint8(0))       // reserved bits set
	f.Add(uint16(0x1000), []byte{1, 1, 0xe0, 2, 1, 0x85, 0, 0}, uint8(0), uint8(0))
	f.Add(uint16(oneByte), []byte{}, uint8(0), uint8(255))
	f.Fuzz(func(t *testing.T, profile uint16, ext []byte, sources, padding uint8) {
		ext = ext[:len(ext)/4*4]
		sources &= 15
		payload := []byte{0x65, 1, 2, 3}
		b := []byte{0x90 | sources, 96, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3}
		b = append(b, make([]byte, 4*int(sources))...)
		b = append(b, byte(profile>>8), byte(profile), byte(len(ext)>>10), byte(len(ext)>>2))
		b = append(append(b, ext...), payload...)
		if padding > 0 {
			b[0] |= 0x20
			b = append(append(b, make([]byte, padding-1)...), padding)
		}
		before := bytes.Clone(b)
		var p packet
		if len(ext) >= 1<<18 {
			return // more than the length can say
		}
		if err := p.readHeader(b); err != nil {
			t.Fatal(err)
		}
		if err := p.readBody(b); err != nil || !bytes.Equal(p.payload, payload) {
			t.Errorf("got payload %x, error %v, want %x", p.payload, err, payload)
		}
		if !bytes.Equal(b, before) {
			t.Error("the packet was changed")
		}
		if p.hasMark && (profile != oneByte || p.mark&0x0f != 0 || !bytes.Contains(ext, []byte{0x10, p.mark})) {
			t.Errorf("marks %+v of %x", p, ext)
		}
		for n := range b { // cut anywhere, it is no more than malformed
			var cut packet
			if cut.readHeader(b[:n]) == nil {
				_ = cut.readBody(b[:n])
			}
		}
	})
}
