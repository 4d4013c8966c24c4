package capture

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"io"
	"net/netip"
	"strings"
	"testing"
	"time"
)

func TestReadFormats(t *testing.T) {
	src, dst := addr("10.0.0.1:40000"), addr("10.0.0.2:5004")
	src6, dst6 := addr("[2001:db8::1]:40000"), addr("[2001:db8::2]:5004")
	payload := rtpPacket(7, 1, 9000)
	four := ipv4(src, dst, 1, 0x4000, 17, udp(src, dst, payload))
	six := ipv6(src6, dst6, 17, udp(src6, dst6, payload))
	options := ipv6(src6, dst6, 0, concat([]byte{60, 0, 0, 0, 0, 0, 0, 0}, []byte{17, 1}, make([]byte, 14), udp(src6, dst6, payload)))
	longHeader := concat([]byte{0x46}, four[1:20], []byte{1, 1, 1, 0}, four[20:])
	binary.BigEndian.PutUint16(longHeader[2:], uint16(len(longHeader)))
	offloaded := bytes.Clone(four)
	offloaded[2], offloaded[3] = 0, 0
	vlan := ether(0x8100, concat([]byte{0, 5, 8, 0}, four))
	qinq := ether(0x88a8, concat([]byte{0, 5, 0x81, 0, 0, 6, 0x86, 0xdd}, six))
	sll := concat(make([]byte, 14), []byte{8, 0}, four)
	sll2 := concat([]byte{0x86, 0xdd}, make([]byte, 18), six)
	le, be := binary.LittleEndian, binary.BigEndian

	tests := []struct {
		name string
		file []byte
		six  bool
	}{
		{"us little", pcap(le, false, 101, four), false},
		{"us big", pcap(be, false, 101, four), false},
		{"ns little", pcap(le, true, 101, four), false},
		{"ns big", pcap(be, true, 101, four), false},
		{"raw bsd", pcap(le, false, 12, four), false},
		{"raw v6", pcap(le, false, 101, six), true},
		{"ipv4", pcap(le, false, 228, four), false},
		{"ipv6", pcap(le, false, 229, six), true},
		{"ipv6 extension headers", pcap(le, false, 229, options), true},
		{"ipv4 options", pcap(le, false, 228, longHeader), false},
		{"no total length", pcap(le, false, 228, offloaded), false},
		{"ethernet", pcap(le, false, 1, ether(0x0800, four)), false},
		{"ethernet padded", pcap(le, false, 1, pad(ether(0x0800, four), 64)), false},
		{"ethernet v6", pcap(le, false, 1, ether(0x86dd, six)), true},
		{"vlan", pcap(le, false, 1, vlan), false},
		{"qinq", pcap(le, false, 1, qinq), true},
		{"pppoe", pcap(le, false, 1, ether(0x8864, concat([]byte{0x11, 0, 0, 1, 0, byte(len(four) + 2), 0, 0x21}, four))), false},
		{"pppoe v6", pcap(le, false, 1, ether(0x8100, concat([]byte{0, 7, 0x88, 0x64, 0x11, 0, 0, 1, 0, byte(len(six) + 2), 0, 0x57}, six))), true},
		{"sll", pcap(le, false, 113, sll), false},
		{"sll2", pcap(le, false, 276, sll2), true},
		{"null", pcap(le, false, 0, concat([]byte{2, 0, 0, 0}, four)), false},
		{"loop", pcap(le, false, 108, concat([]byte{0, 0, 0, 30}, six)), true},
		{"gzip", zipped(pcap(le, false, 101, four)), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			recs, counts, err := readAll(tt.file)
			if err != io.EOF || len(recs) != 1 {
				t.Fatalf("got %d records, counts %+v, error %v; want 1 and EOF", len(recs), counts, err)
			}
			want := Record{At: start(), Packet: payload, Src: src, Dst: dst}
			if tt.six {
				want.Src, want.Dst = src6, dst6
			}
			checkRecord(t, recs[0], want)
		})
	}
	for _, order := range []binary.AppendByteOrder{le, be} {
		t.Run("pcapng "+order.(interface{ String() string }).String(), func(t *testing.T) {
			recs, _, err := readAll(pcapng(order, four, vlan))
			if err != io.EOF || len(recs) != 2 {
				t.Fatalf("got %d records, error %v; want 2 and EOF", len(recs), err)
			}
			checkRecord(t, recs[0], Record{At: start(), Packet: payload, Src: src, Dst: dst})
			checkRecord(t, recs[1], Record{At: start().Add(time.Millisecond), Packet: payload, Src: src, Dst: dst})
		})
	}
}

func checkRecord(t *testing.T, got, want Record) {
	t.Helper()
	if !got.At.Equal(want.At) || got.Src != want.Src || got.Dst != want.Dst || !bytes.Equal(got.Packet, want.Packet) {
		t.Errorf("got %v %v -> %v %x, want %v %v -> %v %x", got.At, got.Src, got.Dst, got.Packet, want.At, want.Src, want.Dst, want.Packet)
	}
}

func zipped(b []byte) []byte {
	var buf bytes.Buffer
	z := gzip.NewWriter(&buf)
	z.Write(b)
	z.Close()
	return buf.Bytes()
}

func TestReadOther(t *testing.T) {
	src, dst := addr("10.0.0.1:40000"), addr("10.0.0.2:5004")
	packet := ipv4(src, dst, 1, 0, 17, udp(src, dst, rtpPacket(7, 1, 9000)))
	tests := []struct {
		name  string
		link  uint32
		frame []byte
		want  Counts
	}{
		{"wireless", 105, packet, Counts{Frames: 1, UnknownLink: 1, LinkType: 105}},
		{"arp", 1, ether(0x0806, packet), Counts{Frames: 1, Other: 1}},
		{"tcp", 101, ipv4(src, dst, 1, 0, 6, packet), Counts{Frames: 1, Other: 1}},
		{"empty", 101, nil, Counts{Frames: 1, Other: 1}},
		{"short ethernet", 1, []byte{1, 2, 3}, Counts{Frames: 1, Other: 1}},
		{"pppoe control", 1, ether(0x8864, []byte{0x11, 0, 0, 1, 0, 4, 0xc0, 0x21, 9, 1}), Counts{Frames: 1, Other: 1}},
		{"short pppoe", 1, ether(0x8864, []byte{0x11, 0, 0, 1}), Counts{Frames: 1, Other: 1}},
		{"endless tags", 1, ether(0x8100, bytes.Repeat([]byte{0, 1, 0x81, 0}, 50)), Counts{Frames: 1, Other: 1}},
		{"header length", 101, concat([]byte{0x42}, packet[1:]), Counts{Frames: 1, Other: 1}},
		{"snap length", 101, packet[:len(packet)-3], Counts{Frames: 1, Cut: 1}},
		{"cut udp header", 101, packet[:24], Counts{Frames: 1, Cut: 1}},
		{"cut fragment", 101, ipv4(src, dst, 1, 0x2000, 17, packet)[:40], Counts{Frames: 1, Fragments: 1, Cut: 1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			recs, got, err := readAll(pcap(binary.LittleEndian, false, tt.link, tt.frame))
			if err != io.EOF || len(recs) != 0 || got != tt.want {
				t.Errorf("got %d records, %+v, %v; want none, %+v, EOF", len(recs), got, err, tt.want)
			}
		})
	}
}

func TestOpenErrors(t *testing.T) {
	tests := []struct{ name, file, want string }{
		{"empty", "", "empty"},
		{"text", "this is not a capture, only text of some length", "neither pcap nor pcapng"},
		{"short", "\xd4\xc3\xb2\xa1\x02", "ends early"},
		{"short ng", "\x0a\x0d\x0d\x0a\x1c\x00", "ends early"},
		{"one byte", "x", "ends early"},
		{"bad order", "\x0a\x0d\x0d\x0a\x1c\x00\x00\x00abcdefghijklmnopqrst", "neither pcap nor pcapng"},
		{"bad gzip", "\x1f\x8bxxxxxxxxxxxx", "capture"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := Open(strings.NewReader(tt.file)); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want an error with %q", err, tt.want)
			}
		})
	}
}

type failing struct{ io.Reader }

var errDisk = errors.New("disk fell off")

func (f failing) Read(p []byte) (int, error) {
	n, err := f.Reader.Read(p)
	if err == io.EOF {
		err = errDisk
	}
	return n, err
}

func TestReadFault(t *testing.T) {
	src, dst := addr("10.0.0.1:40000"), addr("10.0.0.2:5004")
	packet := ipv4(src, dst, 1, 0, 17, udp(src, dst, rtpPacket(7, 1, 9000)))
	r, err := Open(failing{bytes.NewReader(pcap(binary.LittleEndian, false, 101, packet))})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Next(); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Next(); !errors.Is(err, errDisk) || errors.Is(err, ErrTruncated) {
		t.Errorf("got %v, want %v", err, errDisk)
	}
}

// A length of gigabytes must neither be allocated nor believed.
func TestReadHugeLength(t *testing.T) {
	file := pcap(binary.LittleEndian, false, 101, []byte{1})
	binary.LittleEndian.PutUint32(file[24+8:], 1<<31-1)
	binary.LittleEndian.PutUint32(file[24+12:], 1<<31-1)
	r, err := Open(io.MultiReader(bytes.NewReader(file), zeros{}))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Next(); !errors.Is(err, ErrTruncated) {
		t.Errorf("got %v, want %v", err, ErrTruncated)
	}
}

// zeros has no end.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func FuzzReader(f *testing.F) {
	src, dst := addr("10.0.0.1:40000"), addr("10.0.0.2:5004")
	src6, dst6 := addr("[2001:db8::1]:40000"), addr("[2001:db8::2]:5004")
	payload := rtpPacket(7, 1, 9000)
	four := ipv4(src, dst, 1, 0x4000, 17, udp(src, dst, payload))
	six := ipv6(src6, dst6, 17, udp(src6, dst6, payload))
	f.Add(pcap(binary.LittleEndian, false, 101, four, six))
	f.Add(pcap(binary.BigEndian, true, 1, ether(0x0800, four), ether(0x8100, concat([]byte{0, 5, 8, 0}, four))))
	f.Add(pcap(binary.LittleEndian, true, 276, concat([]byte{0x86, 0xdd}, make([]byte, 18), six)))
	f.Add(pcap(binary.LittleEndian, false, 101, fragments(src, dst, bytes.Repeat(payload, 20), 104)...))
	f.Add(pcapng(binary.LittleEndian, four, ether(0x0800, four)))
	f.Add(pcapng(binary.BigEndian, six, ether(0x86dd, six)))
	f.Add(pcapng(binary.LittleEndian, four, four)[:150])
	f.Add(zipped(pcap(binary.LittleEndian, false, 101, four)))
	f.Fuzz(func(t *testing.T, file []byte) {
		before := bytes.Clone(file)
		recs, counts, err := readAll(file)
		if err == nil {
			t.Fatal("reading ended without an error")
		}
		if !bytes.Equal(file, before) {
			t.Fatal("the input was changed")
		}
		if counts.Datagrams != len(recs) || counts.Frames > len(file)*1100 { // 1032:1 is gzip's limit
			t.Fatalf("got %d records, counts %+v", len(recs), counts)
		}
		var c Census
		for _, r := range recs {
			c.Add(r)
		}
		for _, s := range c.Streams() {
			if _, err := Pick([]Stream{s}, Filter{Port: s.Dst.Port(), SSRC: s.SSRC, HasSSRC: true}); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// fragments cuts a datagram into IPv4 packets of at most step bytes of payload.
func fragments(src, dst netip.AddrPort, payload []byte, step int) [][]byte {
	datagram := udp(src, dst, payload)
	var out [][]byte
	for at := 0; at < len(datagram); at += step {
		end, flags := min(at+step, len(datagram)), uint16(at/8)
		if end < len(datagram) {
			flags |= 0x2000
		}
		out = append(out, ipv4(src, dst, 77, flags, 17, datagram[at:end]))
	}
	return out
}
