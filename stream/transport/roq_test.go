package transport

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"testing"
)

// rtpVector is the first vector of the wire design: FU-A start of an IDR,
// sequence number 1, reliable, never expiring.
const rtpVector = "906000010000232811223344bede000110a020ff7c8588"

func unhex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestFramingVectors(t *testing.T) {
	p := unhex(t, rtpVector)
	for _, c := range []struct {
		name string
		got  []byte
		want string
	}{
		{"datagram", append(AppendFlow(nil, 1), p...), "01" + rtpVector},
		{"stream", AppendRecord(AppendFlow(nil, 1), p), "0117" + rtpVector},
		{"tcp", appendRFC4571(nil, p), "0017" + rtpVector},
		{"varint 63", AppendFlow(nil, 63), "3f"},
		{"varint 64", AppendFlow(nil, 64), "4040"},
		{"varint 16383", AppendFlow(nil, 16383), "7fff"},
		{"varint 16384", AppendFlow(nil, 16384), "80004000"},
		{"bye", bye(0x11223344), "80c900011122334481cb000111223344"},
	} {
		if got := hex.EncodeToString(c.got); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

func TestReadRecord(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     error
	}{
		{"end", "", io.EOF},
		{"one byte", "0180", nil},
		{"length 0", "00", ErrRecord},
		{"length 65536", "80010000", ErrRecord},
		{"length cut", "40", io.ErrUnexpectedEOF},
		{"packet missing", "05", io.ErrUnexpectedEOF},
		{"packet cut", "058000", io.ErrUnexpectedEOF},
		{"length not minimal", "400180", nil},
	} {
		p, err := ReadRecord(bufio.NewReader(bytes.NewReader(unhex(t, c.in))))
		if !errors.Is(err, c.want) || (c.want == nil && !bytes.Equal(p, []byte{0x80})) {
			t.Errorf("%s: got %x, %v, want %v", c.name, p, err, c.want)
		}
	}
}

func TestReadFlow(t *testing.T) {
	for in, want := range map[string]error{"": io.ErrUnexpectedEOF, "40": io.ErrUnexpectedEOF, "01": nil, "4001": nil} {
		flow, err := ReadFlow(bufio.NewReader(bytes.NewReader(unhex(t, in))))
		if !errors.Is(err, want) || (want == nil && flow != 1) {
			t.Errorf("%q: got %d, %v, want %v", in, flow, err, want)
		}
	}
}

// FuzzStream: no input makes the reader of a stream panic, and what it takes
// is written back to the same packets.
func FuzzStream(f *testing.F) {
	f.Add([]byte{1, 2, 0x80, 96})
	f.Add([]byte{1, 0})
	f.Add([]byte{0xc0})
	f.Fuzz(func(t *testing.T, in []byte) {
		before := bytes.Clone(in)
		var out []byte
		r := bufio.NewReader(bytes.NewReader(in))
		flow, err := ReadFlow(r)
		if err != nil {
			return
		}
		out = AppendFlow(out, flow)
		var packets [][]byte
		for {
			p, err := ReadRecord(r)
			if err != nil {
				break
			}
			validRTP(p)
			byeSSRCs(p)
			packets, out = append(packets, p), AppendRecord(out, p)
		}
		r = bufio.NewReader(bytes.NewReader(out))
		if again, err := ReadFlow(r); err != nil || again != flow {
			t.Fatalf("flow %d became %d, %v", flow, again, err)
		}
		for i, want := range packets {
			if p, err := ReadRecord(r); err != nil || !bytes.Equal(p, want) {
				t.Fatalf("packet %d: %x became %x, %v", i, want, p, err)
			}
		}
		if !bytes.Equal(in, before) {
			t.Fatal("input changed")
		}
	})
}

// FuzzDatagram: no datagram makes a receiver panic.
func FuzzDatagram(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{1, 0x81, 203, 0, 1, 1, 2, 3, 4})
	f.Add([]byte{0x90, 96, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xbe, 0xde, 0xff, 0xff})
	f.Fuzz(func(t *testing.T, in []byte) {
		before := bytes.Clone(in)
		if _, p, err := ParseDatagram(in); err == nil {
			validRTP(p)
		}
		if ssrc, ok := mediaSSRC(in); ok && len(in) < 12 {
			t.Fatalf("SSRC %d of %d bytes", ssrc, len(in))
		}
		byeSSRCs(in)
		if !bytes.Equal(in, before) {
			t.Fatal("input changed")
		}
	})
}
