package stream

import (
	"bytes"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// sps and pps are those of x264 for 320x180, from an SDP that ffmpeg 5.1 wrote.
func sps() []byte {
	return []byte{0x67, 0xf4, 0x00, 0x0c, 0x91, 0x9b, 0x28, 0x28, 0x33, 0xf1, 0xb8, 0x08, 0x80, 0x00, 0x00, 0x03, 0x00, 0x80, 0x00, 0x00, 0x19, 0x07, 0x8a, 0x14, 0xcb}
}

func pps() []byte { return []byte{0x68, 0xeb, 0xe3, 0xc4, 0x48, 0x44} }

const golden = `v=0
o=- 0 0 IN IP4 192.0.2.7
s=clip over UDP
c=IN IP4 192.0.2.7
t=0 0
m=video 5004 RTP/AVP 96
a=rtpmap:96 H264/90000
a=fmtp:96 packetization-mode=1;profile-level-id=F4000C;sprop-parameter-sets=Z/QADJGbKCgz8bgIgAAAAwCAAAAZB4oUyw==,aOvjxEhE
a=rtcp-mux
a=recvonly
a=extmap:1 urn:ietf:params:rtp-hdrext:framemarking
a=extmap:2 https://github.com/vqeval/vqeval#reliability
`

func TestWriteSDP(t *testing.T) {
	var b bytes.Buffer
	s := SDP{Name: "clip over UDP", Host: netip.MustParseAddr("192.0.2.7"), Port: 5004, Params: [][]byte{sps(), pps()}}
	if err := WriteSDP(&b, s); err != nil {
		t.Fatal(err)
	}
	if got := strings.ReplaceAll(b.String(), "\r\n", "\n"); got != golden {
		t.Errorf("got\n%s\nwant\n%s", got, golden)
	}
	if n := strings.Count(b.String(), "\r\n"); n != strings.Count(golden, "\n") {
		t.Errorf("%d lines end in CRLF, want all", n)
	}
}

func TestSDPRoundTrip(t *testing.T) {
	both := [][]byte{sps(), pps()}
	tests := []struct {
		in   SDP
		want string // its connection line
	}{
		{SDP{Name: "x", Host: netip.MustParseAddr("192.0.2.7"), Port: 5004, PayloadType: 96, Params: both}, "c=IN IP4 192.0.2.7\r\n"},
		{SDP{Name: "x", Host: netip.MustParseAddr("2001:db8::1"), Port: 1, PayloadType: 127, Params: both, NoExtensions: true}, "c=IN IP6 2001:db8::1\r\n"},
		{SDP{Name: "x", Host: netip.MustParseAddr("239.1.2.3"), Port: 65535, PayloadType: 97}, "c=IN IP4 239.1.2.3/1\r\n"},
	}
	for _, tt := range tests {
		var b bytes.Buffer
		if err := WriteSDP(&b, tt.in); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), tt.want) {
			t.Errorf("%+v: no %q in\n%s", tt.in, tt.want, b.String())
		}
		got, err := ParseSDP(&b)
		if err != nil || !reflect.DeepEqual(got, tt.in) {
			t.Errorf("got %+v, %v; want %+v", got, err, tt.in)
		}
	}
}

func TestWriteSDPErrors(t *testing.T) {
	for name, s := range map[string]SDP{
		"no port":       {},
		"port":          {Port: 65536},
		"short SPS":     {Port: 1, Params: [][]byte{{0x67, 1}}},
		"a slice":       {Port: 1, Params: [][]byte{{0x65, 1, 2, 3}}},
		"an empty unit": {Port: 1, Params: [][]byte{{}}},
	} {
		var b bytes.Buffer
		if err := WriteSDP(&b, s); err == nil || b.Len() > 0 {
			t.Errorf("%s: got %v and %d bytes, want an error and nothing", name, err, b.Len())
		}
	}
}

// others is what other senders write.
func others() map[string]string {
	return map[string]string{
		// ffmpeg -i … -c:v libx264 -flags +global_header -f rtp rtp://127.0.0.1:5994 -sdp_file …
		"ffmpeg": "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=No Name\nc=IN IP4 127.0.0.1\nt=0 0\na=tool:libavformat LIBAVFORMAT_VERSION\n" +
			"m=video 5994 RTP/AVP 96\na=rtpmap:96 H264/90000\na=fmtp:96 packetization-mode=1; " +
			"sprop-parameter-sets=Z/QADJGbKCgz8bgIgAAAAwCAAAAZB4oUyw==,aOvjxEhE; profile-level-id=F4000C\n",
		// the same on its standard output
		"ffmpeg's output": "SDP:\nv=0\no=- 0 0 IN IP4 127.0.0.1\ns=No Name\nc=IN IP4 127.0.0.1\nt=0 0\na=tool:libavformat 59.27.100\n" +
			"m=video 5994 RTP/AVP 96\na=rtpmap:96 H264/90000\na=fmtp:96 packetization-mode=1\n\n",
		// two media, the video behind the sound
		"two media": "v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=No Name\r\nt=0 0\r\n" +
			"m=audio 5996 RTP/AVP 97\r\nc=IN IP4 127.0.0.1\r\nb=AS:69\r\na=rtpmap:97 MPEG4-GENERIC/44100/1\r\na=fmtp:97 profile-level-id=1;mode=AAC-hbr\r\n" +
			"m=video 5994 RTP/AVP 96\r\nc=IN IP4 127.0.0.1\r\na=rtpmap:96 H264/90000\r\na=fmtp:96 packetization-mode=1\r\n",
		// several formats of one media, the codec's name in small letters
		"formats": "v=0\r\no=- 1 1 IN IP4 10.0.0.9\r\ns=x\r\nc=IN IP4 127.0.0.1/127\r\nt=0 0\r\nm=video 5994 RTP/AVP 98 96\r\n" +
			"a=rtpmap:98 VP8/90000\r\na=rtpmap:96 h264/90000\r\na=fmtp:96 Packetization-Mode=0;sprop-parameter-sets=Z/QADJGbKCgz8bgIgAAAAwCAAAAZB4oUyw,aOvjxEhE\r\n",
	}
}

func TestParseSDP(t *testing.T) {
	for name, text := range others() {
		got, err := ParseSDP(strings.NewReader(text))
		if err != nil || got.Port != 5994 || got.PayloadType != 96 || got.Host.String() != "127.0.0.1" || !got.NoExtensions {
			t.Errorf("%s: got %+v, %v; want port 5994, type 96", name, got, err)
		}
		if strings.Contains(text, "sprop") && !reflect.DeepEqual(got.Params, [][]byte{sps(), pps()}) {
			t.Errorf("%s: parameter sets %x, want %x %x", name, got.Params, sps(), pps())
		}
	}
}

func TestParseSDPErrors(t *testing.T) {
	good := others()["ffmpeg"]
	tests := []struct{ name, text, want string }{
		{"empty", "", "sdp: "},
		{"not one", "<html>", "sdp: "},
		{"no media", "v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=x\r\nt=0 0\r\n", "no media"},
		{"HEVC", strings.Replace(good, "H264", "H265", 1), "only video H265/90000"},
		{"interleaved", strings.Replace(good, "mode=1", "mode=2", 1), "packetization mode 2"},
		{"base64", strings.Replace(good, "Z/QAD", "Z!QAD", 1), "sprop-parameter-sets"},
		{"endless", good + strings.Repeat("a=x\n", maxSDP/4), "longer"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := ParseSDP(strings.NewReader(tt.text)); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want an error with %q", err, tt.want)
			}
		})
	}
}

// TestFFmpegOpensSDP asks ffmpeg to read the description; without packets it
// gives up on its own, having printed what it understood:
// ffmpeg -protocol_whitelist file,udp,rtp -listen_timeout 1 -i FILE.
func TestFFmpegOpensSDP(t *testing.T) {
	ffmpeg, err := exec.LookPath("ffmpeg")
	if err != nil {
		t.Skip("ffmpeg is not installed")
	}
	var b bytes.Buffer
	if err := WriteSDP(&b, SDP{Port: 45994, Params: [][]byte{sps(), pps()}}); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "x.sdp")
	if err := os.WriteFile(name, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	out, _ := exec.Command(ffmpeg, "-nostdin", "-hide_banner", "-protocol_whitelist", "file,udp,rtp", "-listen_timeout", "1", "-i", name).CombinedOutput()
	if !strings.Contains(string(out), "Stream #0:0: Video: h264") {
		t.Errorf("ffmpeg understands\n%s", out)
	}
}

func FuzzParseSDP(f *testing.F) {
	f.Add(golden)
	for _, text := range others() {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseSDP(strings.NewReader(text))
		if err != nil {
			return
		}
		for _, n := range s.Params {
			if len(n) == 0 {
				t.Errorf("an empty parameter set of %q", text)
			}
		}
	})
}
