package lab

import (
	"math"
	"time"

	"github.com/vqeval/vqeval/metrics"
	"github.com/vqeval/vqeval/stream"
)

// newRow sums up one run at one deadline.
func newRow(w *scoring, e Experiment) (Row, error) {
	s, o := w.spec, w.outcome
	r := Row{Run: s.Name, Clip: s.Clip, Transport: s.Transport.Label(), Mode: s.Transport.Mode, Profile: s.Link.Name,
		RateMbps: math.NaN(), Seed: s.Seed, Deadline: w.deadline, Frames: len(w.series.Rows),
		PacketsSent: int64(o.Booking.Sent), Lost: int64(o.Booking.Lost() + o.Booking.Unsent),
		WirePackets: o.Link.Down.Packets, WireBytes: o.Link.Down.Bytes, BackPackets: o.Link.Up.Packets,
		RetransmittedBytes: o.Sender.QUIC.RetransmittedBytes, DelayP50: math.NaN(), DelayP95: math.NaN(), StartupMS: math.NaN(), Align: w.series.Settings["align"]}
	if s.Link.Down.Rate > 0 {
		r.RateMbps = float64(s.Link.Down.Rate) / 1e6
	}
	r.pictures(w.series)
	if w.rec == nil {
		return r, nil
	}
	return r, r.recording(w, e)
}

// pictures takes over what was scored.
func (r *Row) pictures(s metrics.Series) {
	pooled := s.Pool(metrics.Filter{})
	r.MSEY, r.PSNRY, r.PSNRYTotal, r.SSIMY = pooled["mse_y"].Mean, pooled["psnr_y"].Mean, pooled["psnr_y"].Total, pooled["ssim_y"].Mean
	interval := 0.0
	if s.FrameRate > 0 {
		interval = 1000 / s.FrameRate
	} else if n := len(s.Rows); n > 1 {
		interval = ms(s.Rows[n-1].PTS-s.Rows[0].PTS) / float64(n-1)
	}
	run := 0
	for _, row := range s.Rows {
		switch row.Verdict {
		case metrics.OK:
			r.OK++
		case metrics.Damaged:
			r.Damaged++
		case metrics.Frozen:
			r.Frozen++
		case metrics.Late:
			r.Late++
		case metrics.Expired:
			r.Expired++
		case metrics.Missing:
			r.Missing++
		}
		if row.Score.Identical {
			r.Identical++
		}
		if row.Verdict.Shown() || row.Verdict == metrics.Missing {
			run = 0
			continue
		}
		if run++; run == 1 {
			r.Freezes++
		}
		r.FrozenMS += interval
		r.LongestMS = max(r.LongestMS, float64(run)*interval)
	}
}

// recording takes over what the capture tells: delays, goodput, waste.
func (r *Row) recording(w *scoring, e Experiment) error {
	all, err := w.rec.Assemble(stream.AssembleOptions{})
	if err != nil {
		return err
	}
	r.delays(all, w.outcome.Start)
	media := time.Duration(w.outcome.MediaMS * float64(time.Millisecond))
	series := w.rec.Goodput(media)
	r.GoodputMbps, r.GoodputCV = w.rec.MeanGoodput()/1e6, stream.Variation(series)
	r.Stalls = stream.Stalls(series, float64(w.outcome.Sender.BytesSent)*8/media.Seconds())
	if w.deadline == 0 {
		return nil
	}
	timely, err := w.rec.Assemble(stream.AssembleOptions{Policy: e.Score.BrokenNAL, Deadline: time.Duration(w.deadline), Late: stream.LatePolicy(e.Late)})
	if err != nil {
		return err
	}
	if u := timely.Use; u.Received > 0 {
		r.WastedBytes = w.rec.Stats().Bytes * int64(u.Late) / int64(u.Received)
	}
	return nil
}

// delays takes the time from the moment at which a frame was captured to its
// complete arrival. A player can start with the first whole key frame.
func (r *Row) delays(a stream.Assembled, start time.Time) {
	var delays []float64
	for _, u := range a.Units {
		if !u.Complete {
			continue
		}
		captured := start.Add(time.Duration(u.Timestamp) * time.Second / 90000)
		delays = append(delays, ms(u.Last.Sub(captured)))
		if u.Key && math.IsNaN(r.StartupMS) {
			r.StartupMS = ms(u.Last.Sub(start))
		}
	}
	if len(delays) > 0 {
		r.DelayP50, r.DelayP95 = quantile(delays, .5), quantile(delays, .95)
	}
}
