package score

import (
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/vqeval/vqeval/metrics"
	"github.com/vqeval/vqeval/stream"
	"github.com/vqeval/vqeval/stream/capture"
	"github.com/vqeval/vqeval/stream/h264"
	"github.com/vqeval/vqeval/stream/rtph264"
)

// isCapture reports whether a file is a recording of packets, by its first bytes:
// pcap in either byte order, with micro- or nanoseconds, pcapng, or one of them
// packed with gzip.
func isCapture(path string) (bool, error) {
	st, err := os.Stat(path)
	if err != nil || !st.Mode().IsRegular() {
		return false, nil // decode has better words for what is wrong
	}
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	var magic [4]byte
	if _, err := io.ReadFull(f, magic[:]); err != nil {
		return false, nil
	}
	switch string(magic[:]) {
	case "\x0a\x0d\x0d\x0a", "\xa1\xb2\xc3\xd4", "\xd4\xc3\xb2\xa1", "\xa1\xb2\x3c\x4d", "\x4d\x3c\xb2\xa1":
		return true, nil
	}
	return string(magic[:2]) == "\x1f\x8b", nil
}

// A recorded is a recording as a player with its deadline would have had it.
type recorded struct {
	assembled stream.Assembled
	auOf      []int // per unit: its access unit in assembled.AUs, -1 = none
	uncertain bool  // where the timestamps begin, or begin anew, is a guess
}

// A loading is a recording that was read, for the captures of one group that
// differ in their deadlines only.
type loading struct {
	recording *stream.Recording
	err       error
}

func loadRecording(c *captured, loaded map[string]*loading) (*stream.Recording, error) {
	if c.Recording != nil {
		return c.Recording, nil
	}
	key := fmt.Sprintf("%s %+v", c.path, c.Load)
	if l := loaded[key]; l != nil {
		return l.recording, l.err
	}
	l := &loading{}
	loaded[key] = l
	l.recording, l.err = readRecording(c.path, c.Load)
	if l.err != nil {
		l.err = fmt.Errorf("%s: %w", c.path, l.err)
	}
	return l.recording, l.err
}

func readRecording(path string, o stream.LoadOptions) (*stream.Recording, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rd, err := capture.Open(f)
	if err != nil {
		return nil, err
	}
	return stream.Load(rd, o)
}

// assemble makes the access units of a recording and the notes about it.
func (c *captured) assemble(loaded map[string]*loading) error {
	r, err := loadRecording(c, loaded)
	if err != nil {
		return err
	}
	a, err := r.Assemble(stream.AssembleOptions{
		Policy: c.Policy, Deadline: c.Deadline, Late: c.Late, Params: c.Params, Expired: c.Expired,
	})
	if err != nil {
		return fmt.Errorf("%s: %w", c.title(), err)
	}
	c.rec = &recorded{assembled: a, auOf: make([]int, len(a.Units))}
	c.rec.uncertain = a.Origin.Rule == stream.OriginFirst || a.Stats.SSRCChanges+a.Stats.ClockLeaps > 0
	for i := range c.rec.auOf {
		c.rec.auOf[i] = -1
	}
	for k, au := range a.AUs {
		if au.Unit >= 0 {
			c.rec.auOf[au.Unit] = k
		}
	}
	c.bare, c.source.units = true, make([]h264.AccessUnit, len(a.Units))
	for i, u := range a.Units {
		c.source.units[i] = u.AccessUnit()
	}
	c.notes = append(c.notes, packetNotes(r, a)...)
	c.notes = append(c.notes, paramNotes(c.source.units)...)
	return nil
}

// hides reports whether an access unit was not there when it had to be shown,
// although the decoder had it later.
func (c *captured) hides(unit int) bool {
	if c.rec == nil || unit < 0 || unit >= len(c.rec.auOf) || c.rec.auOf[unit] < 0 {
		return false
	}
	v := c.rec.assembled.AUs[c.rec.auOf[unit]].Verdict
	return v == stream.Late || v == stream.Expired
}

// restarts reports whether the sender began anew, or set its clock, between two units.
func (r *recorded) restarts(a, b int) bool {
	u := r.assembled.Units
	return a >= 0 && b >= 0 && a < len(u) && b < len(u) && u[a].Epoch != u[b].Epoch
}

// at returns the access unit that was sent for a reference frame at time pts, or
// nil: the one nearest to it, closer than half a frame interval.
func (r *recorded) at(pts, interval int64) *stream.AU {
	aus := r.assembled.AUs
	k, _ := slices.BinarySearchFunc(aus, pts-interval/2, func(a stream.AU, t int64) int { return int(a.PTS - t) })
	var best *stream.AU
	for ; k < len(aus) && aus[k].PTS < pts+interval/2; k++ {
		if best == nil || abs(aus[k].PTS-pts) < abs(best.PTS-pts) {
			best = &aus[k]
		}
	}
	return best
}

func abs(v int64) int64 {
	if v < 0 {
		return -v
	}
	return v
}

// explain says of each frame of a recording why it was not shown, what it lost,
// and how long it took.
func (c *captured) explain(pts []int64, interval int64) {
	expired := map[int64]bool{}
	for _, t := range c.Expired {
		expired[t] = true
	}
	lost := c.rec.lostBetween(pts, interval)
	for i := range c.rows {
		row := &c.rows[i]
		au := c.rec.at(pts[i], interval)
		row.Cause.LostPackets = lost[i]
		if au != nil && au.Unit >= 0 {
			row.Cause.LostPackets += c.rec.assembled.Units[au.Unit].Lost
		}
		if au != nil && au.Delay >= 0 {
			row.DelayMS = float64(au.Delay) / float64(time.Millisecond)
		}
		if row.Verdict.Shown() {
			continue
		}
		switch {
		case expired[pts[i]] || au != nil && au.Verdict == stream.Expired:
			row.Verdict = metrics.Expired
		case au != nil && au.Verdict == stream.Late:
			row.Verdict = metrics.Late
		}
	}
}

// lostBetween charges packets that were lost between two access units to the
// nearest reference frame of which nothing came.
func (r *recorded) lostBetween(pts []int64, interval int64) []int {
	lost := make([]int, len(pts))
	if len(pts) == 0 {
		return lost
	}
	var gaps []int // frames of which nothing came
	for i, t := range pts {
		if r.at(t, interval) == nil {
			gaps = append(gaps, i)
		}
	}
	for _, u := range r.assembled.Units {
		if u.LostBefore == 0 {
			continue
		}
		best := -1
		for _, i := range gaps {
			if lost[i] == 0 && (best < 0 || abs(pts[i]-u.Timestamp) < abs(pts[best]-u.Timestamp)) {
				best = i
			}
		}
		if best >= 0 {
			lost[best] = u.LostBefore
		}
	}
	return lost
}

// keyFrame reports whether a captured frame was an IDR picture, as far as that is
// known.
func (c *captured) keyFrame(frame int) bool {
	if frame < 0 || frame >= len(c.unitOf) {
		return false
	}
	u := c.unitOf[frame]
	return u >= 0 && u < len(c.source.units) && c.source.units[u].Key()
}

// statsOf returns what an Outcome tells about packets.
func (r *recorded) statsOf() (*rtph264.Stats, *stream.Use, *capture.Stream) {
	return &r.assembled.Stats, &r.assembled.Use, &r.assembled.Stream
}
