package lab

import (
	"slices"
	"time"

	"github.com/vqeval/vqeval/stream/transport"
)

// What runs cost in processor time. Measured with the clip of lab/fullhd.yaml
// (375 frames of 1920x1080, 11.6 MB) on one 2 GHz Xeon that was busy with other
// work: 0.3 to 0.4 s to send over UDP and 0.6 to 1.2 s over QUIC (summary.json's
// cpu_ms), 8.7 s to decode the clip and 11 s to decode a UDP capture that lost 29 %
// of its packets (ffmpeg -threads 1), beside which measuring is small (0.4 s).
// drawPerPixel and bulkPerByte are guesses that erred on the long side so far.
const (
	sendPerByte     = 60 * time.Nanosecond
	sendPerRun      = 60 * time.Millisecond
	wholePerPixel   = 11 * time.Nanosecond
	damagedPerPixel = 14 * time.Nanosecond
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
		if e.Score.DeliveryOnly {
			continue
		}
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
