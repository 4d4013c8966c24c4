package rtph264

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pion/rtp"

	"github.com/vqeval/vqeval/stream/h264"
)

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A way is a test in both directions: an access unit and its payloads.
type way struct {
	name     string
	room     int    // bytes of H.264 in a packet
	nalus    string // NAL units in hex, parted by spaces
	payloads string // payloads in hex, parted by spaces
}

func ways() []way {
	return []way{
		{"single", 8, "6588010203040506", "6588010203040506"},
		{"two singles", 8, "0601ff 4188", "0601ff 4188"},
		{"one over", 8, "658801020304050607", "7c85880102030405 7c450607"},
		{"three fragments", 5, "4188010203040506", "5c81880102 5c01030405 5c4106"},
		{"last fragment full", 5, "41880102030405", "5c81880102 5c41030405"},
		{"least room", 3, "41880102", "5c8188 5c0101 5c4102"},
		{"forbidden bit", 5, "e18801020304", "fc81880102 fc410304"},
		{"SPS and PPS", 16, "6742 68ce 6588", "78000267420002" + "68ce 6588"},
		{"SPS, PPS and SEI", 16, "6742 68ce 06ff 6588", "78000267420002" + "68ce000206ff 6588"},
		{"delimiter before", 16, "09f0 6742 68ce 6588", "09f0 78000267420002" + "68ce 6588"},
		{"SEI does not fit", 9, "6742 68ce 06ff", "78000267420002" + "68ce 06ff"},
		{"PPS does not fit", 9, "6742 68ce01 06", "6742 78000368ce01000106"},
		{"SPS in fragments", 9, "67420102030405060708 68ce 06ff", "7c8742010203040506 7c470708 78000268ce000206ff"},
		{"two SEI alone", 16, "06ff 0601 4188", "06ff 0601 4188"},
		{"highest nal_ref_idc", 16, "2742 48ce", "5800022742000248ce"},
		{"forbidden bit of one", 16, "2742 c8ce", "d8000227420002c8ce"},
		{"reserved types", 8, "1088 1788", "1088 1788"},
	}
}

// words reads NAL units or payloads.
func words(t testing.TB, s string) [][]byte {
	var out [][]byte
	for word := range strings.FieldsSeq(s) {
		out = append(out, unhex(t, word))
	}
	return out
}

func TestWays(t *testing.T) {
	for _, w := range ways() {
		for _, bare := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s/bare=%v", w.name, bare), func(t *testing.T) {
				nalus, want := words(t, w.nalus), words(t, w.payloads)
				header := 20
				if bare {
					header = 12
				}
				p := Packetizer{MaxPacket: header + w.room, SSRC: 7, Seq: 65535, FirstTimestamp: 1<<32 - 1, NoExtensions: bare}
				got, err := p.Packetize(h264.AccessUnit{NALUs: nalus, PTS: 2}, Mark{})
				if err != nil {
					t.Fatal(err)
				}
				checkPackets(t, got, want, header, w.room)
				if p.Seq != 65535+uint16(len(got)) || p.Skipped != 0 {
					t.Errorf("next sequence number %d, skipped %d", p.Seq, p.Skipped)
				}
				units := receive(&Depacketizer{Window: 4}, got)
				if len(units) != 1 || !same(units[0], h264.AccessUnit{NALUs: nalus}) {
					t.Errorf("came back as %+v, want %x", units, nalus)
				}
			})
		}
	}
}

// checkPackets reads packets with pion/rtp and compares.
func checkPackets(t *testing.T, got, want [][]byte, header, room int) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d packets %x, want %d", len(got), got, len(want))
	}
	for i, b := range got {
		var p rtp.Packet
		if err := p.Unmarshal(b); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(p.Payload, want[i]) {
			t.Errorf("payload %d is %x, want %x", i, p.Payload, want[i])
		}
		if len(b) > header+room || len(b) != header+len(p.Payload) {
			t.Errorf("packet %d has %d bytes, payload %d", i, len(b), len(p.Payload))
		}
		if p.SequenceNumber != uint16(65535+i) || p.Timestamp != 1 || p.SSRC != 7 || p.PayloadType != 96 || p.Marker != (i == len(got)-1) {
			t.Errorf("packet %d has header %+v", i, p.Header)
		}
	}
}

// TestVectors holds the packets byte by byte: frame marking of RFC 9626, and
// the reliability octet: 400 ms are 25 units of 16 ms.
func TestVectors(t *testing.T) {
	p := Packetizer{MaxPacket: 23, SSRC: 0x11223344, Seq: 1}
	first, err := p.Packetize(h264.AccessUnit{PTS: 9000, NALUs: [][]byte{unhex(t, "658884ff")}}, Mark{Reliable: true})
	if err != nil {
		t.Fatal(err)
	}
	if want := "906000010000232811223344bede000110a020ff7c8588"; hex.EncodeToString(first[0]) != want {
		t.Errorf("first packet %x, want %s", first[0], want)
	}
	p.Seq = 1
	last, err := p.Packetize(h264.AccessUnit{PTS: 9000, NALUs: [][]byte{{1, 2}, unhex(t, "01aabb")}}, Mark{Expires: 400 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if want := "90e000020000232811223344bede00011050201901aabb"; hex.EncodeToString(last[1]) != want {
		t.Errorf("last packet %x, want %s", last[1], want)
	}
}

func TestMarks(t *testing.T) {
	const ms = time.Millisecond
	tests := []struct {
		name  string
		nalus string
		mark  Mark
		want  string // both extensions of the only packet
	}{
		{"key", "6588", Mark{}, "10e0207f"},
		{"P", "4188", Mark{}, "10c0207f"},
		{"disposable", "0188", Mark{}, "10d0207f"},
		{"sets alone", "6742", Mark{}, "10c0207f"},
		{"reliable", "4188", Mark{Reliable: true}, "10c020ff"},
		{"1 ns", "4188", Mark{Expires: 1}, "10c02001"},
		{"16 ms", "4188", Mark{Expires: 16 * ms}, "10c02001"},
		{"17 ms, reliable", "4188", Mark{Expires: 17 * ms, Reliable: true}, "10c02082"},
		{"2016 ms", "4188", Mark{Expires: 2016 * ms}, "10c0207e"},
		{"an hour", "4188", Mark{Expires: time.Hour}, "10c0207e"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := Packetizer{}
			got, err := p.Packetize(h264.AccessUnit{NALUs: [][]byte{unhex(t, tt.nalus)}}, tt.mark)
			if err != nil {
				t.Fatal(err)
			}
			if ext := hex.EncodeToString(got[0][16:20]); ext != tt.want {
				t.Errorf("extensions %s, want %s", ext, tt.want)
			}
			u := receive(&Depacketizer{}, got)[0]
			if !u.HasMark || u.Reliable != tt.mark.Reliable || u.Key != (tt.name == "key") || !u.Complete {
				t.Errorf("received %+v", u)
			}
		})
	}
}

func TestPacketizerLimits(t *testing.T) {
	for _, tt := range []struct {
		max  int
		bare bool
		ok   bool
	}{{22, false, false}, {23, false, true}, {14, true, false}, {15, true, true}, {-1, true, false}} {
		p := Packetizer{MaxPacket: tt.max, NoExtensions: tt.bare}
		_, err := p.Packetize(h264.AccessUnit{NALUs: [][]byte{{0x65, 1, 2, 3, 4}}}, Mark{})
		if (err == nil) != tt.ok {
			t.Errorf("packets of %d bytes, bare %v: %v", tt.max, tt.bare, err)
		}
	}
}

// TestPacketizerSkips: NAL units of types that RTP uses itself, and empty ones.
func TestPacketizerSkips(t *testing.T) {
	p := Packetizer{}
	got, err := p.Packetize(h264.AccessUnit{NALUs: [][]byte{{0x60}, {}, {0x78, 1}, {0x7f}}}, Mark{})
	if err != nil || len(got) != 0 || p.Skipped != 4 || p.Seq != 0 {
		t.Errorf("%d packets, %v, skipped %d; want none, no error, 4", len(got), err, p.Skipped)
	}
	got, err = p.Packetize(h264.AccessUnit{NALUs: [][]byte{{0x7e, 1}, {0x65, 1}}}, Mark{})
	if err != nil || len(got) != 1 || p.Skipped != 5 || p.Seq != 1 {
		t.Errorf("%d packets, %v, skipped %d; want one, no error, 5", len(got), err, p.Skipped)
	}
}

// TestPacketizerDefault: 1199 bytes hold 1179 of H.264.
func TestPacketizerDefault(t *testing.T) {
	for size, want := range map[int][]int{1179: {1199}, 1180: {1199, 24}} {
		p := Packetizer{}
		got, err := p.Packetize(h264.AccessUnit{NALUs: [][]byte{append([]byte{0x65}, make([]byte, size-1)...)}}, Mark{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range got {
			if len(got) != len(want) || len(got[i]) != want[i] {
				t.Errorf("NAL unit of %d bytes: packet %d of %d has %d bytes, want %v", size, i, len(got), len(got[i]), want)
			}
		}
	}
}
