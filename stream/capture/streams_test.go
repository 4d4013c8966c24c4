package capture

import (
	"bytes"
	"errors"
	"net/netip"
	"strconv"
	"strings"
	"testing"
	"time"
)

// traffic is a list of datagrams between two hosts, a millisecond apart.
type traffic []Record

func (l *traffic) add(dst string, packets ...[]byte) {
	for _, p := range packets {
		at := start().Add(time.Duration(len(*l)) * time.Millisecond)
		*l = append(*l, Record{At: at, Packet: p, Src: addr("10.0.0.1:40000"), Dst: netip.MustParseAddrPort(dst)})
	}
}

func video(ssrc uint32, seq uint16, n int) [][]byte {
	var out [][]byte
	for i := range n {
		out = append(out, rtpPacket(ssrc, seq+uint16(i), uint32(i)*3600))
	}
	return out
}

func audio(ssrc uint32, n int) [][]byte {
	out := video(ssrc, 1, n)
	for _, p := range out {
		p[1], p[12] = 111, 0xfc // Opus, F bit set
	}
	return out
}

func census(l traffic) []Stream {
	var c Census
	for _, r := range l {
		c.Add(r)
	}
	return c.Streams()
}

func TestStreams(t *testing.T) {
	rtcp := []byte{0x80, 200, 0, 6, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
	stun := []byte{0, 1, 0, 0, 0x21, 0x12, 0xa4, 0x42, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}
	quic := append([]byte{0xc0, 0, 0, 0, 1}, make([]byte, 40)...)
	random := video(99, 1, 6)
	for i, p := range random {
		p[2] = byte(i * 77) // sequence numbers all over the place
	}
	tests := []struct {
		name string
		fill func(*traffic)
		want string
	}{
		{"nothing", func(*traffic) {}, ""},
		{"one", func(l *traffic) { l.add("10.0.0.2:5004", video(7, 65534, 5)...) }, "5004/7/5"},
		{"few packets", func(l *traffic) { l.add("10.0.0.2:5004", video(7, 1, 2)...) }, "5004/7/2"},
		{"chance", func(l *traffic) {
			l.add("10.0.0.2:5004", video(7, 1, 9)...)
			l.add("10.0.0.2:53", video(8, 1, 2)...)
		}, "5004/7/9"},
		{"noise", func(l *traffic) {
			for i, p := range video(7, 1, 9) {
				l.add("10.0.0.2:5004", p, [][]byte{rtcp, stun, quic, {0x80}, {}}[i%5])
			}
		}, "5004/7/9"},
		{"not RTP", func(l *traffic) { l.add("10.0.0.2:9", random...) }, ""},
		{"audio too", func(l *traffic) {
			l.add("10.0.0.2:5006", audio(3, 9)...)
			l.add("10.0.0.2:5004", video(7, 1, 9)...)
		}, "5006/3/9 5004/7/9"},
		{"restart", func(l *traffic) {
			l.add("10.0.0.2:5004", video(7, 1, 9)...)
			l.add("10.0.0.2:5004", video(8, 40000, 7)...)
		}, "5004/7+8/16"},
		{"restart with a straggler", func(l *traffic) {
			old := video(7, 1, 20)
			l.add("10.0.0.2:5004", old[:19]...)
			l.add("10.0.0.2:5004", rtpPacket(8, 1, 0), old[19])
			l.add("10.0.0.2:5004", video(8, 2, 9)...)
		}, "5004/7+8/30"},
		{"side by side", func(l *traffic) {
			for i := range 9 {
				l.add("10.0.0.2:5004", rtpPacket(7, uint16(i), 0), rtpPacket(8, uint16(i), 0))
			}
		}, "5004/7/9 5004/8/9"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var l traffic
			tt.fill(&l)
			var got []string
			for _, s := range census(l) {
				got = append(got, short(s))
			}
			if got := strings.Join(got, " "); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// short is port/ssrcs/packets.
func short(s Stream) string {
	var b strings.Builder
	b.WriteString(strconv.Itoa(int(s.Dst.Port())) + "/" + strconv.Itoa(int(s.SSRC)))
	for _, r := range s.Restarts {
		b.WriteString("+" + strconv.Itoa(int(r)))
	}
	return b.String() + "/" + strconv.Itoa(s.Packets)
}

func TestPick(t *testing.T) {
	var l traffic
	for i := range 9 {
		l.add("10.0.0.2:5004", rtpPacket(7, uint16(i), 0), rtpPacket(8, uint16(i), 0))
		l.add("10.0.0.2:6000", rtpPacket(9, uint16(i), 0))
		l.add("10.0.0.2:6002", audio(3, 9)[i])
	}
	all := census(l)
	tests := []struct {
		name    string
		streams []Stream
		filter  Filter
		want    uint32
		err     string
	}{
		{"none", nil, Filter{}, 0, "no RTP stream"},
		{"only one", all[:1], Filter{}, 7, ""},
		{"H.264 beside audio", all[2:], Filter{}, 9, ""},
		{"several", all, Filter{}, 0, "ssrc 0x00000008 payload type 96, H.264, 9 packets"},
		{"by SSRC", all, Filter{SSRC: 8, HasSSRC: true}, 8, ""},
		{"by port", all, Filter{Port: 6000}, 9, ""},
		{"audio on purpose", all, Filter{Port: 6002}, 3, ""},
		{"port with two", all, Filter{Port: 5004}, 0, "choose one"},
		{"no such port", all, Filter{Port: 1}, 0, "fits port 1; there are: "},
		{"no such SSRC", all, Filter{SSRC: 1, HasSSRC: true}, 0, "fits SSRC 0x00000001"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Pick(tt.streams, tt.filter)
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) {
					t.Errorf("got %v, want an error with %q", err, tt.err)
				}
				return
			}
			if err != nil || got.SSRC != tt.want {
				t.Errorf("got %v, %v; want SSRC %d", got, err, tt.want)
			}
		})
	}
}

func TestStreamsOfFile(t *testing.T) {
	file, recs := written(t, 12, WriterOptions{})
	r, err := Open(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	got, err := Streams(r)
	if err != nil || len(got) != 1 || got[0].Packets != 12 || !got[0].H264 || !got[0].Last.Equal(recs[11].At) {
		t.Errorf("got %v, %v; want one stream of 12 packets until %v", got, err, recs[11].At)
	}
	r, err = Open(bytes.NewReader(file[:len(file)-1]))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Streams(r); !errors.Is(err, ErrTruncated) || len(got) != 1 || got[0].Packets != 11 {
		t.Errorf("cut off: got %v, %v; want 11 packets and %v", got, err, ErrTruncated)
	}
}
