package capture

import (
	"cmp"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"
)

// A Stream is one RTP stream of a capture. A sender that starts again with a
// new SSRC gives one Stream: see Restarts.
type Stream struct {
	Src         netip.AddrPort `json:"src"`
	Dst         netip.AddrPort `json:"dst"`
	SSRC        uint32         `json:"ssrc"`
	PayloadType uint8          `json:"payload_type"` // the most frequent one
	Packets     int            `json:"packets"`
	Bytes       int64          `json:"bytes"` // RTP packets, headers included
	First       time.Time      `json:"first"` // arrival
	Last        time.Time      `json:"last"`
	H264        bool           `json:"h264"`               // payloads look like RFC 6184; a guess
	Restarts    []uint32       `json:"restarts,omitempty"` // further SSRCs, one after the other
}

// Has reports whether ssrc is one of the stream's.
func (s Stream) Has(ssrc uint32) bool { return s.SSRC == ssrc || slices.Contains(s.Restarts, ssrc) }

func (s Stream) String() string {
	kind := ""
	if s.H264 {
		kind = ", H.264"
	}
	return fmt.Sprintf("%v -> %v ssrc 0x%08x payload type %d%s, %d packets", s.Src, s.Dst, s.SSRC, s.PayloadType, kind, s.Packets)
}

// A Filter says which stream is meant. The zero Filter is any.
type Filter struct {
	Port    uint16 // UDP port it was sent to; 0 = any
	SSRC    uint32
	HasSSRC bool // SSRC counts
}

// Match reports whether s may be the stream that is meant.
func (f Filter) Match(s Stream) bool {
	return (f.Port == 0 || f.Port == s.Dst.Port()) && (!f.HasSSRC || s.Has(f.SSRC))
}

// ErrNoStream says that a capture has no RTP stream of the kind looked for.
var ErrNoStream = errors.New("no RTP stream")

// Pick returns the stream that f means: the only one, or the only one that
// looks like H.264. The error names what there is to choose from.
func Pick(streams []Stream, f Filter) (Stream, error) {
	var fit []Stream
	for _, s := range streams {
		if f.Match(s) {
			fit = append(fit, s)
		}
	}
	if avc := slices.DeleteFunc(slices.Clone(fit), func(s Stream) bool { return !s.H264 }); len(avc) == 1 {
		fit = avc
	}
	switch {
	case len(fit) == 1:
		return fit[0], nil
	case len(fit) > 1:
		return Stream{}, fmt.Errorf("several RTP streams, choose one by port or SSRC: %s", join(fit))
	case len(streams) > 0:
		return Stream{}, fmt.Errorf("%w fits%s; there are: %s", ErrNoStream, f, join(streams))
	}
	return Stream{}, ErrNoStream
}

func (f Filter) String() string {
	var b strings.Builder
	if f.Port != 0 {
		fmt.Fprintf(&b, " port %d", f.Port)
	}
	if f.HasSSRC {
		fmt.Fprintf(&b, " SSRC 0x%08x", f.SSRC)
	}
	return b.String()
}

func join(streams []Stream) string {
	sorted := slices.SortedFunc(slices.Values(streams), func(a, b Stream) int { return cmp.Compare(b.Packets, a.Packets) })
	lines := make([]string, len(sorted))
	for i, s := range sorted {
		lines[i] = s.String()
	}
	return strings.Join(lines, "; ")
}
