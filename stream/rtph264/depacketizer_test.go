package rtph264

import (
	"slices"
	"testing"
	"time"

	"github.com/pion/rtp"
)

// TestDatagrams holds what is no packet of the stream.
func TestDatagrams(t *testing.T) {
	good := raw(5, 1, true, 0x65, 0x88)
	edit := func(change func(b []byte) []byte) []byte { return change(slices.Clone(good)) }
	tests := []struct {
		name      string
		b         []byte
		foreign   int
		malformed int
	}{
		{"good", good, 0, 0},
		{"empty", nil, 0, 1},
		{"one byte", []byte{0x80}, 0, 1},
		{"eleven bytes", good[:11], 0, 1},
		{"version 0", edit(func(b []byte) []byte { b[0] = 0; return b }), 1, 0},
		{"version 1", edit(func(b []byte) []byte { b[0] = 0x40; return b }), 1, 0},
		{"version 3", edit(func(b []byte) []byte { b[0] = 0xc0; return b }), 1, 0},
		{"RTCP", edit(func(b []byte) []byte { b[1] = 203; return b }), 1, 0},
		{"payload type", edit(func(b []byte) []byte { b[1] = 97; return b }), 1, 0},
		{"CSRCs longer than the packet", edit(func(b []byte) []byte { b[0] |= 15; return b }), 0, 1},
		{"no extension header", edit(func(b []byte) []byte { b[0] |= 0x10; return b }), 0, 1},
		{"extension longer than the packet", edit(func(b []byte) []byte { b[0] |= 0x10; return append(b, 0, 9) }), 0, 1},
		{"padding of 0", edit(func(b []byte) []byte { b[0] |= 0x20; return append(b, 0) }), 0, 1},
		{"padding longer than the packet", edit(func(b []byte) []byte { b[0] |= 0x20; return append(b, 9) }), 0, 1},
		{"padding in the header", edit(func(b []byte) []byte { b[0] |= 0x20; return b[:12] }), 0, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := Depacketizer{PayloadType: 96, SSRC: 9, HasSSRC: true}
			units := receive(&d, [][]byte{tt.b})
			s := d.Stats()
			if s.Foreign != tt.foreign || s.Malformed != tt.malformed || len(units) != 1-tt.foreign-tt.malformed {
				t.Errorf("%d units, counted %+v; want foreign %d, malformed %d", len(units), s, tt.foreign, tt.malformed)
			}
		})
	}
}

// TestLearnsPayloadType: the first packet that looks like H.264 settles it.
func TestLearnsPayloadType(t *testing.T) {
	typed := func(pt byte, payload ...byte) []byte {
		b := raw(1, 1, false, payload...)
		b[1] = pt
		return b
	}
	tests := []struct {
		name  string
		want  int // configured
		in    [][]byte
		units int
	}{
		{"dynamic", 0, [][]byte{typed(100, 0x65, 0x88)}, 1},
		{"unknown is -1, too", -1, [][]byte{typed(100, 0x65, 0x88)}, 1},
		{"static", 0, [][]byte{typed(33, 0x65, 0x88)}, 0},
		{"static, asked for", 33, [][]byte{typed(33, 0x65, 0x88)}, 1},
		{"type 31 first", 0, [][]byte{typed(97, 0x7f, 0x88), typed(100, 0x65, 0x88)}, 1},
		{"bad STAP-A first", 0, [][]byte{typed(97, 0x78, 9, 9, 9), typed(100, 0x78, 0, 1, 0x67)}, 1},
		{"bad FU-A first", 0, [][]byte{typed(97, 0x7c, 0x9c), typed(100, 0x7c, 0xc5, 0x88)}, 1},
		{"nothing first", 0, [][]byte{typed(97), typed(100, 0x65, 0x88)}, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := Depacketizer{PayloadType: tt.want}
			if units := receive(&d, tt.in); len(units) != tt.units {
				t.Errorf("%d units, want %d; %+v", len(units), tt.units, d.Stats())
			}
			if s := d.Stats(); s.Foreign != len(tt.in)-tt.units {
				t.Errorf("%d foreign, want %d", s.Foreign, len(tt.in)-tt.units)
			}
		})
	}
}

// TestHeaderAgrees: where pion/rtp reads a packet, so do we, with the same result.
func TestHeaderAgrees(t *testing.T) {
	sent := packets(t, Packetizer{SSRC: 77, Seq: 9}, clip{}.units())[:40]
	for _, ps := range [][][]byte{sent, padding(t, sent), extended(t, sent)} {
		for i, b := range ps {
			var want rtp.Packet
			if err := want.Unmarshal(b); err != nil {
				t.Fatal(err)
			}
			var got packet
			if err := got.readHeader(b); err != nil {
				t.Fatal(err)
			}
			if err := got.readBody(b); err != nil {
				t.Fatal(err)
			}
			if got.seq != want.SequenceNumber || got.timestamp != want.Timestamp || got.ssrc != want.SSRC ||
				got.marker != want.Marker || got.payloadType != want.PayloadType || !slices.Equal(got.payload, want.Payload) {
				t.Errorf("packet %d: got %+v, want %+v", i, got, want)
			}
		}
	}
}

// TestForeignExtensions: other senders use the same numbers for other things.
func TestForeignExtensions(t *testing.T) {
	tests := []struct{ name, ext string }{
		{"audio level", "bede0001 10ff0000"},
		{"reserved bits of frame marking", "bede0001 108f207f"},
		{"longer elements", "bede0002 11800021 7f7f0000"},
		{"two bytes", "10000001 01800000"},
		{"end mark", "bede0002 f0001080 207f0000"},
		{"cut element", "bede0001 1080 2f7f"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := raw(1, 1, true)
			b[0] |= 0x10
			b = append(append(b, unhex(t, tt.ext)...), 0x65, 0x88)
			d := Depacketizer{}
			units := receive(&d, [][]byte{b})
			if len(units) != 1 || units[0].HasMark || !units[0].Complete {
				t.Errorf("got %+v, %+v", units, d.Stats())
			}
		})
	}
}

func TestArrivalTimes(t *testing.T) {
	d := Depacketizer{}
	for i, at := range []int{3, 1, 7, 5} {
		d.Push(raw(uint16(i), 0, i == 3, 0x41, 0x88), epoch.Add(time.Duration(at)*time.Second))
	}
	d.Flush()
	u, _ := d.Next()
	if u.First != epoch.Add(time.Second) || u.Last != epoch.Add(7*time.Second) || u.Packets != 4 || u.Bytes != 4*14 {
		t.Errorf("got %+v", u)
	}
	if au := u.AccessUnit(); len(au.NALUs) != 4 || au.PTS != u.Timestamp {
		t.Errorf("access unit %+v", au)
	}
}

func TestPolicyText(t *testing.T) {
	for p, want := range map[Policy]string{KeepPrefix: "keep-prefix", Drop: "drop", WaitIDR: "wait-idr"} {
		b, err := p.MarshalText()
		if err != nil || string(b) != want || p.String() != want {
			t.Errorf("%d is written as %q, %v; want %q", p, b, err, want)
		}
		var got Policy
		if err := got.UnmarshalText(b); err != nil || got != p {
			t.Errorf("%q is read as %v, %v", b, got, err)
		}
	}
	if err := new(Policy).UnmarshalText([]byte("splice")); err == nil {
		t.Error("splice: no error")
	}
	if _, err := Policy(9).MarshalText(); err == nil {
		t.Errorf("%v: no error", Policy(9))
	}
}
