package stream

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"strconv"
	"strings"

	"github.com/pion/sdp/v3"

	"github.com/vqeval/vqeval/stream/h264"
	"github.com/vqeval/vqeval/stream/rtph264"
)

// The header extensions of our packets, by the names that stand in an SDP
// (RFC 8285 section 5).
const (
	frameMarkingURI = "urn:ietf:params:rtp-hdrext:framemarking" // RFC 9626
	reliabilityURI  = "https://github.com/vqeval/vqeval#reliability"
)

// maxSDP bounds a session description, bytes. Real ones have a few hundred.
const maxSDP = 1 << 20

// An SDP is the session description of one H.264 stream over RTP (RFC 8866,
// RFC 6184 section 8.2).
type SDP struct {
	Name         string     // of the session; "" = "vqeval"
	Host         netip.Addr // where the stream is received, or its multicast group; zero = 127.0.0.1
	Port         int        // 1..65535
	PayloadType  uint8      // 0 = rtph264.DefaultPayloadType
	Params       [][]byte   // SPS and PPS
	NoExtensions bool       // packets have no header extensions
}

// WriteSDP writes a description that ffplay, ffmpeg, GStreamer and VLC open to
// receive the stream.
func WriteSDP(w io.Writer, s SDP) error {
	if s.Port < 1 || s.Port > 65535 {
		return fmt.Errorf("sdp: port %d: want 1 to 65535", s.Port)
	}
	s.Host = s.Host.Unmap().WithZone("")
	if !s.Host.IsValid() {
		s.Host = netip.AddrFrom4([4]byte{127, 0, 0, 1})
	}
	if s.PayloadType == 0 {
		s.PayloadType = rtph264.DefaultPayloadType
	}
	if s.Name == "" {
		s.Name = "vqeval"
	}
	media, err := s.media()
	if err != nil {
		return err
	}
	family, address := "IP6", sdp.Address{Address: s.Host.String()}
	if s.Host.Is4() {
		family = "IP4"
		if s.Host.IsMulticast() {
			ttl := 1 // must be there (RFC 8866 section 5.7)
			address.TTL = &ttl
		}
	}
	text, err := (&sdp.SessionDescription{
		Origin:                sdp.Origin{Username: "-", NetworkType: "IN", AddressType: family, UnicastAddress: s.Host.String()},
		SessionName:           sdp.SessionName(s.Name),
		ConnectionInformation: &sdp.ConnectionInformation{NetworkType: "IN", AddressType: family, Address: &address},
		TimeDescriptions:      []sdp.TimeDescription{{}},
		MediaDescriptions:     []*sdp.MediaDescription{media},
	}).Marshal()
	if err != nil {
		return fmt.Errorf("sdp: %w", err)
	}
	_, err = w.Write(text)
	return err
}

// media is the description's only medium.
func (s SDP) media() (*sdp.MediaDescription, error) {
	parameters, err := formatParameters(s.Params)
	if err != nil {
		return nil, err
	}
	pt := strconv.Itoa(int(s.PayloadType))
	m := &sdp.MediaDescription{
		MediaName: sdp.MediaName{Media: "video", Port: sdp.RangedPort{Value: s.Port}, Protos: []string{"RTP", "AVP"}, Formats: []string{pt}},
	}
	m.WithValueAttribute("rtpmap", pt+" H264/"+strconv.Itoa(tickRate))
	m.WithValueAttribute("fmtp", pt+" "+parameters)
	m.WithPropertyAttribute("rtcp-mux").WithPropertyAttribute("recvonly")
	if !s.NoExtensions {
		m.WithValueAttribute("extmap", "1 "+frameMarkingURI)
		m.WithValueAttribute("extmap", "2 "+reliabilityURI)
	}
	return m, nil
}

// formatParameters returns the value of the fmtp attribute (RFC 6184 8.1).
func formatParameters(params [][]byte) (string, error) {
	var sets []string
	profile := ""
	for _, n := range params {
		switch h264.TypeOf(n) {
		case h264.TypeSPS:
			if len(n) < 4 {
				return "", errors.New("sdp: the SPS is too short")
			}
			if profile == "" {
				profile = fmt.Sprintf(";profile-level-id=%02X%02X%02X", n[1], n[2], n[3])
			}
		case h264.TypePPS:
		default:
			return "", fmt.Errorf("sdp: NAL unit type %d is no parameter set", h264.TypeOf(n))
		}
		sets = append(sets, base64.StdEncoding.EncodeToString(n))
	}
	value := "packetization-mode=1" + profile
	if len(sets) > 0 {
		value += ";sprop-parameter-sets=" + strings.Join(sets, ",")
	}
	return value, nil
}

// ParseSDP reads a session description, of ours or of any other sender, and
// returns its first H.264 stream.
func ParseSDP(r io.Reader) (SDP, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxSDP+1))
	if err != nil {
		return SDP{}, fmt.Errorf("sdp: %w", err)
	}
	if len(text) > maxSDP {
		return SDP{}, fmt.Errorf("sdp: longer than %d bytes", maxSDP)
	}
	body := strings.TrimLeft(strings.TrimPrefix(string(text), "SDP:"), "\r\n") // as ffmpeg prints it
	var d sdp.SessionDescription
	if err := d.UnmarshalString(body); err != nil {
		return SDP{}, fmt.Errorf("sdp: %w", err)
	}
	var seen []string
	for _, m := range d.MediaDescriptions {
		for _, format := range m.MediaName.Formats {
			codec := attribute(m, "rtpmap", format)
			if strings.HasPrefix(strings.ToUpper(codec), "H264/") {
				return parseMedia(&d, m, format)
			}
			seen = append(seen, strings.TrimSpace(m.MediaName.Media+" "+codec))
		}
	}
	if len(seen) == 0 {
		return SDP{}, errors.New("sdp: no media in it")
	}
	return SDP{}, fmt.Errorf("sdp: no H.264 in it, only %s", strings.Join(seen, ", "))
}

// attribute returns what a media attribute says of a format ("96 VALUE").
func attribute(m *sdp.MediaDescription, key, format string) string {
	for _, a := range m.Attributes {
		if a.Key != key {
			continue
		}
		if id, value, ok := strings.Cut(strings.TrimSpace(a.Value), " "); ok && id == format {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

func parseMedia(d *sdp.SessionDescription, m *sdp.MediaDescription, format string) (SDP, error) {
	pt, err := strconv.ParseUint(format, 10, 7)
	if err != nil {
		return SDP{}, fmt.Errorf("sdp: payload type %q: want 0 to 127", format)
	}
	s := SDP{Name: string(d.SessionName), Port: m.MediaName.Port.Value, PayloadType: uint8(pt), NoExtensions: true}
	c := m.ConnectionInformation
	if c == nil {
		c = d.ConnectionInformation
	}
	if c != nil && c.Address != nil {
		host, _, _ := strings.Cut(c.Address.Address, "/") // a TTL may follow
		s.Host, _ = netip.ParseAddr(host)                 // a name stays out
	}
	for _, a := range m.Attributes {
		if a.Key == "extmap" && strings.HasSuffix(a.Value, " "+reliabilityURI) {
			s.NoExtensions = false
		}
	}
	for _, field := range strings.Split(attribute(m, "fmtp", format), ";") {
		key, value, _ := strings.Cut(strings.TrimSpace(field), "=")
		switch strings.ToLower(key) {
		case "packetization-mode":
			if value != "0" && value != "1" {
				return SDP{}, fmt.Errorf("sdp: packetization mode %s is not supported: want 0 or 1", value)
			}
		case "sprop-parameter-sets":
			if s.Params, err = parameterSets(value); err != nil {
				return SDP{}, err
			}
		}
	}
	return s, nil
}

// parameterSets reads base64 NAL units with commas between. Anything in it but
// SPS and PPS, such as the SPS extension of RFC 6184's examples, is left out.
func parameterSets(value string) ([][]byte, error) {
	var sets [][]byte
	for _, text := range strings.Split(value, ",") {
		n, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(strings.TrimSpace(text), "="))
		if err != nil {
			return nil, fmt.Errorf("sdp: sprop-parameter-sets: %w", err)
		}
		if len(n) > 0 && (h264.TypeOf(n) == h264.TypeSPS || h264.TypeOf(n) == h264.TypePPS) {
			sets = append(sets, n)
		}
	}
	return sets, nil
}
