package lab

import (
	"slices"
	"time"

	"github.com/vqeval/vqeval/stream/transport"
)

// What runs cost in processor time, as summary.json of a run counts it for
// sending and time(1) for a whole vqeval run, over lab/fullhd.yaml,
// deadlines.yaml and satellite.yaml (a clip of 375 frames of 1920x1080 and
// 11.6 MB; AVX2): 0.3 to 0.4 s to send over UDP, 0.6 to 1.2 s over QUIC; 10 s to
// decode and measure a damaged capture, most of it libavcodec's concealment in
// its one thread; 2.5 s for one that came whole; 3 s to draw what belongs to a
// link and deadline.
const (
	sendPerByte     = 60 * time.Nanosecond
	sendPerRun      = 60 * time.Millisecond
	wholePerPixel   = 3 * time.Nanosecond
	damagedPerPixel = 13 * time.Nanosecond
	bulkPerByte     = 30 * time.Nanosecond
	drawPerPixel    = 4 * time.Nanosecond
)

// A ClipSize is what an estimate needs to know of a clip.
type ClipSize struct {
	Bytes  int64
	Pixels int64         // of all frames
	Length time.Duration // of playing it
}

// An Estimate is about how long an experiment takes.
type Estimate struct {
	Virtual time.Duration `json:"media_ns"`   // how long all runs last by their own clocks, at least
	Sending time.Duration `json:"sending_ns"` // wall time
	Scoring time.Duration `json:"scoring_ns"` // wall time, if no two runs receive the same with losses
}

// Estimate says about how long e takes with so many processors. clip tells the
// size of a clip by its name.
func (e Experiment) Estimate(specs []Spec, processors int, clip func(name string) ClipSize) Estimate {
	var out Estimate
	for _, s := range specs {
		if s.Bulk.On() {
			length := time.Duration(s.Bulk.Length)
			out.Virtual += length
			out.Sending += sendPerRun + time.Duration(float64(bulkPerByte)*float64(s.Link.Down.Rate)/8*length.Seconds())
			continue
		}
		c := clip(s.Clip)
		out.Virtual += c.Length
		out.Sending += sendPerRun + sendPerByte*time.Duration(c.Bytes)
		out.Scoring += damagedPerPixel * time.Duration(c.Pixels) * time.Duration(e.lossy(s.Transport))
		if s.Seed == e.Seeds[0] && s.Transport == e.Transports[0] {
			out.Scoring += wholePerPixel*time.Duration(c.Pixels) + drawPerPixel*time.Duration(c.Pixels)*time.Duration(len(e.Deadlines))
		}
	}
	out.Scoring /= time.Duration(max(1, processors))
	if e.Real {
		out.Sending = out.Virtual + 2*time.Second*time.Duration(len(specs))
	} else {
		out.Sending /= time.Duration(max(1, processors))
	}
	return out
}

// lossy counts the deadlines at which t may lack frames: without a deadline a
// reliable transport delivers all of them, and equal captures are scored once.
func (e Experiment) lossy(t Transport) int {
	n := len(e.Deadlines)
	switch transport.Mode(t.Mode) {
	case transport.QUIC, transport.QUICAU, transport.TCP, transport.TLS:
		if slices.Contains(e.Deadlines, 0) {
			n--
		}
	}
	return n
}
