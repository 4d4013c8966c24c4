package h264

import (
	"bytes"
	"testing"
)

// A bitWriter builds NAL units for tests.
type bitWriter struct {
	b    []byte
	free int // bits still free in the last byte
}

// u appends the low n bits of v.
func (w *bitWriter) u(n int, v int) *bitWriter {
	for n--; n >= 0; n-- {
		if w.free == 0 {
			w.b, w.free = append(w.b, 0), 8
		}
		w.free--
		w.b[len(w.b)-1] |= byte(v>>n&1) << w.free
	}
	return w
}

func (w *bitWriter) flag(v bool) *bitWriter {
	if v {
		return w.u(1, 1)
	}
	return w.u(1, 0)
}

func (w *bitWriter) ue(values ...int) *bitWriter {
	for _, v := range values {
		size := 0
		for (v+1)>>size > 1 {
			size++
		}
		w.u(size, 0).u(size+1, v+1)
	}
	return w
}

func (w *bitWriter) se(values ...int) *bitWriter {
	for _, v := range values {
		if v > 0 {
			w.ue(2*v - 1)
		} else {
			w.ue(-2 * v)
		}
	}
	return w
}

// nalu closes the RBSP with its stop bit and returns the NAL unit.
func (w *bitWriter) nalu() []byte { return AddEmulation(w.u(1, 1).b) }

func TestExpGolomb(t *testing.T) {
	unsigned := []int{0, 1, 2, 3, 7, 8, 254, 255, 65535, 1<<31 - 1, 1<<32 - 2}
	signed := []int{0, 1, -1, 2, -2, 1000, -1000, 1<<31 - 1}
	r := newBitReader(new(bitWriter).u(8, 0x67).ue(unsigned...).se(signed...).nalu())
	for _, want := range unsigned {
		if got := int(r.ue()); got != want {
			t.Errorf("ue() = %d, want %d", got, want)
		}
	}
	for _, want := range signed {
		if got := int(r.se()); got != want {
			t.Errorf("se() = %d, want %d", got, want)
		}
	}
	if r.err != nil || r.more() {
		t.Errorf("at the end: err %v, more %v; want neither", r.err, r.more())
	}
}

func TestBitReaderEnds(t *testing.T) {
	tests := []struct {
		name string
		nalu []byte
		read func(*bitReader)
	}{
		{"empty", nil, func(*bitReader) {}},
		{"u", []byte{0x67, 0xff}, func(r *bitReader) { r.u(9) }},
		{"ue", []byte{0x67, 0x00}, func(r *bitReader) { r.ue() }},
		{"ue of 32 zeros", []byte{0x67, 0, 0, 3, 0, 0, 3, 0, 0xff}, func(r *bitReader) { r.ue() }},
		{"emulation byte at the end", []byte{0x67, 0, 0, 3}, func(r *bitReader) { r.u(17) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newBitReader(tt.nalu)
			tt.read(r)
			if r.err == nil {
				t.Error("no error")
			}
			if got := r.u(8); got != 0 {
				t.Errorf("read %d after the error, want 0", got)
			}
		})
	}
}

func TestEmulation(t *testing.T) {
	tests := []struct{ rbsp, nalu []byte }{
		{nil, nil},
		{[]byte{0x65, 1, 2, 3}, []byte{0x65, 1, 2, 3}},
		{[]byte{0x65, 0, 0, 0, 5}, []byte{0x65, 0, 0, 3, 0, 5}},
		{[]byte{0x65, 0, 0, 1, 9}, []byte{0x65, 0, 0, 3, 1, 9}},
		{[]byte{0x65, 0, 0, 2, 9}, []byte{0x65, 0, 0, 3, 2, 9}},
		{[]byte{0x65, 0, 0, 3, 9}, []byte{0x65, 0, 0, 3, 3, 9}},
		{[]byte{0x65, 0, 0, 4, 9}, []byte{0x65, 0, 0, 4, 9}},
		{[]byte{0x65, 0, 0, 0, 0, 0, 1}, []byte{0x65, 0, 0, 3, 0, 0, 3, 0, 1}},
		{[]byte{0x65, 7, 0, 0}, []byte{0x65, 7, 0, 0, 3}},
	}
	for _, tt := range tests {
		if got := AddEmulation(tt.rbsp); !bytes.Equal(got, tt.nalu) {
			t.Errorf("AddEmulation(% x) = % x, want % x", tt.rbsp, got, tt.nalu)
		}
		if got := RemoveEmulation(tt.nalu); !bytes.Equal(got, tt.rbsp) {
			t.Errorf("RemoveEmulation(% x) = % x, want % x", tt.nalu, got, tt.rbsp)
		}
	}
}
