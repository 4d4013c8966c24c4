package lab

import "time"

// What runs cost, measured on two cores of 2.1 GHz (FullHD, 375 frames, 11.6 MB:
// 0.3 to 0.6 s of CPU to send over UDP or QUIC, 2.6 s to decode and measure a
// capture, 3 s to draw what belongs to a link and deadline).
const (
	sendPerByte   = 45 * time.Nanosecond
	sendPerRun    = 60 * time.Millisecond
	scorePerPixel = 3 * time.Nanosecond // decoding and MSE, PSNR, SSIM of all planes
	bulkPerByte   = 30 * time.Nanosecond
	drawPerPixel  = 4 * time.Nanosecond
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
	Scoring time.Duration `json:"scoring_ns"` // wall time, if all runs turn out differently
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
		out.Scoring += scorePerPixel * time.Duration(c.Pixels) * time.Duration(len(e.Deadlines))
		if s.Seed == e.Seeds[0] && s.Transport == e.Transports[0] {
			out.Scoring += drawPerPixel * time.Duration(c.Pixels) * time.Duration(len(e.Deadlines))
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
