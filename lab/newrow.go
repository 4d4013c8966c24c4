package lab

import (
	"math"
	"time"

	"github.com/vqeval/vqeval/metrics"
	"github.com/vqeval/vqeval/stream"
)

// linkRow is what is known of a run without looking at what arrived.
func linkRow(w *scoring) Row {
	s, o := w.spec, w.outcome
	r := Row{Run: s.Name, Clip: s.Clip, Transport: s.Transport.Label(), Mode: s.Transport.Mode, Profile: s.Link.Name,
		RateMbps: math.NaN(), Seed: s.Seed, Deadline: w.deadline, Frames: len(w.series.Rows), MSEY: math.NaN(), PSNRY: math.NaN(), PSNRYTotal: math.NaN(), SSIMY: math.NaN(), Booking: o.Booking,
		WirePackets: o.Link.Down.Packets, WireBytes: o.Link.Down.Bytes, BackPackets: o.Link.Up.Packets, BackBytes: o.Link.Up.Bytes,
		RetransmittedBytes: o.Sender.QUIC.RetransmittedBytes, DelayP50: math.NaN(), DelayP95: math.NaN(), StartupMS: math.NaN()}
	if s.Link.Down.Rate > 0 {
		r.RateMbps = float64(s.Link.Down.Rate) / 1e6
	}
	return r
}

// newRow sums up one run at one deadline. It takes nothing but what the result
// folder holds.
func newRow(w *scoring, a assessment) Row {
	r := linkRow(w)
	if len(w.series.Rows) > 0 {
		r.pictures(w.series)
	} else {
		r.Frames = len(a.sent.Units)
	}
	r.delays(a.all)
	r.Complete, r.OnTime = shares(a)
	if a.rec == nil {
		return r
	}
	media := w.outcome.media()
	series := a.rec.Goodput(media)
	r.GoodputMbps, r.GoodputCV = a.rec.MeanGoodput()/1e6, stream.Variation(series)
	r.Stalls = stream.Stalls(series, float64(a.sent.Bytes)*8/media.Seconds())
	r.WastedBytes = wasted(w.series.Rows, a)
	return r
}

// pictures takes over what was scored.
func (r *Row) pictures(s metrics.Series) {
	pooled := s.Pool(metrics.Filter{})
	r.MSEY, r.PSNRY, r.PSNRYTotal, r.SSIMY = pooled["mse_y"].Mean, pooled["psnr_y"].Mean, pooled["psnr_y"].Total, pooled["ssim_y"].Mean
	counts := s.Counts()
	for v, n := range map[metrics.Verdict]*int{metrics.OK: &r.OK, metrics.Damaged: &r.Damaged, metrics.Frozen: &r.Frozen,
		metrics.Late: &r.Late, metrics.Expired: &r.Expired, metrics.Missing: &r.Missing} {
		*n = counts[v.String()]
	}
	interval := 0.0
	if n := len(s.Rows); n > 1 {
		interval = ms(s.Rows[n-1].PTS-s.Rows[0].PTS) / float64(n-1)
	}
	run := 0
	for _, row := range s.Rows {
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

// delays takes the time from the moment at which a frame was captured to its
// complete arrival. A player can start with the first whole key frame.
func (r *Row) delays(all []fate) {
	var delays []float64
	start := time.Duration(-1)
	for _, f := range all {
		if f.complete < 0 {
			continue
		}
		delays = append(delays, max(0, ms(f.complete-f.captured)))
		if f.key && (start < 0 || f.complete < start) {
			start = f.complete
		}
	}
	if start >= 0 {
		r.StartupMS = ms(start)
	}
	if len(delays) > 0 {
		r.DelayP50, r.DelayP95 = quantile(delays, .5), quantile(delays, .95)
	}
}

// shares returns which share of the access units arrived completely, and which
// did so before it was due.
func shares(a assessment) (complete, onTime float64) {
	whole := map[int64]bool{}
	for _, au := range a.timely.AUs {
		whole[au.PTS] = au.Whole
	}
	for _, f := range a.all {
		if f.complete < 0 {
			continue
		}
		complete++
		if whole[f.pts] {
			onTime++
		}
	}
	n := float64(max(1, len(a.all)))
	return complete / n, onTime / n
}

// wasted counts the RTP bytes that arrived for nothing: too late even for the
// decoder, or of frames that could not be shown and were not waited for.
func wasted(rows []metrics.Row, a assessment) int64 {
	sum := a.rec.Stats().Bytes - a.timely.Stats.Bytes
	byTime := map[int64]stream.AU{}
	for _, au := range a.timely.AUs {
		byTime[au.PTS] = au
	}
	for i, u := range unitsOf(rows, a.all) {
		if u < 0 || rows[i].Verdict.Shown() || rows[i].Verdict == metrics.Late {
			continue
		}
		if au, ok := byTime[a.all[u].pts]; ok && au.Unit >= 0 {
			sum += int64(a.timely.Units[au.Unit].Bytes)
		}
	}
	return sum
}
