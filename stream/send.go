package stream

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/vqeval/vqeval/stream/h264"
	"github.com/vqeval/vqeval/stream/rtph264"
	"github.com/vqeval/vqeval/stream/transport"
)

// SendOptions say how a clip is sent. The zero value sends it in real time,
// with nothing reliable and nothing expiring.
type SendOptions struct {
	Max        bool               // as fast as the transport takes it, instead of in real time
	Packetizer rtph264.Packetizer // a copy is used

	// Expire is the age at which a unit that is not reliable is worthless;
	// 0 = never. In real time a unit's age counts from the moment it is due.
	Expire time.Duration

	// Reliable says which units are delivered at any cost, if the transport
	// can; nil = none.
	Reliable func(i int, au h264.AccessUnit) bool

	// Repeat says which of the others a transport that can choose repeats as long
	// as it keeps up; nil = none.
	Repeat func(i int, au h264.AccessUnit) bool

	Progress func(done, total int) // called after each unit; nil = nobody wants to know
	Start    time.Time             // when the first unit is due; zero = now
}

// A SentUnit records how one access unit was sent. Times count from the start.
type SentUnit struct {
	Index     int           `json:"index"` // in decoding order
	PTS       int64         `json:"pts_90khz"`
	DTS       int64         `json:"dts_90khz"`
	Packets   int           `json:"packets"`
	Bytes     int           `json:"bytes"` // RTP packets with their headers
	NALUs     int           `json:"nalus"`
	FirstSeq  uint16        `json:"first_seq"` // sequence number of its first packet
	Due       time.Duration `json:"due_ns"`
	Handed    time.Duration `json:"handed_ns"` // given to the transport
	Done      time.Duration `json:"done_ns"`   // taken by it
	Key       bool          `json:"key"`
	Reference bool          `json:"reference"`
	Reliable  bool          `json:"reliable"`
	Cut       bool          `json:"cut,omitempty"` // the transport failed, or was interrupted, inside it
}

// Sent records how a clip was sent.
type Sent struct {
	Start    time.Time     `json:"start"`
	Units    []SentUnit    `json:"units"`
	Packets  int           `json:"packets"` // made; of a unit that was cut, some may not have gone out
	Bytes    int           `json:"bytes"`
	Skipped  int           `json:"skipped_nalus"` // NAL units that RTP cannot carry
	Duration time.Duration `json:"duration_ns"`   // from the start until the transport took the last unit
}

// ErrNoUnits says that there is nothing to send.
var ErrNoUnits = errors.New("no access units to send")

// Send sends a clip's access units, given in decoding order: each at its
// decoding time after the first one's, or at once if that has passed. It does
// not close s. With an error it returns the record up to there.
func Send(ctx context.Context, s transport.Sender, units []h264.AccessUnit, o SendOptions) (Sent, error) {
	if len(units) == 0 {
		return Sent{}, ErrNoUnits
	}
	if o.Start.IsZero() {
		o.Start = time.Now()
	}
	sent := Sent{Start: o.Start, Units: make([]SentUnit, 0, len(units))}
	for i, au := range units {
		var due time.Duration
		if !o.Max {
			due = ticks(au.DTS - units[0].DTS)
		}
		if err := sleepUntil(ctx, o.Start.Add(due)); err != nil {
			return sent, fmt.Errorf("before access unit %d of %d: %w", i, len(units), err)
		}
		u, err := o.send(ctx, s, i, au, due)
		sent.add(u, o.Packetizer.Skipped)
		if err != nil {
			return sent, fmt.Errorf("access unit %d of %d: %w", i, len(units), err)
		}
		if o.Progress != nil {
			o.Progress(i+1, len(units))
		}
	}
	return sent, nil
}

// send packetises one unit and hands it over.
func (o *SendOptions) send(ctx context.Context, s transport.Sender, i int, au h264.AccessUnit, due time.Duration) (SentUnit, error) {
	u := SentUnit{
		Index: i, PTS: au.PTS, DTS: au.DTS, NALUs: len(au.NALUs), FirstSeq: o.Packetizer.Seq,
		Due: due, Handed: time.Since(o.Start), Key: au.Key(), Reference: au.Reference(),
	}
	u.Reliable = o.Reliable != nil && o.Reliable(i, au)
	mark := rtph264.Mark{Reliable: u.Reliable}
	if !u.Reliable {
		mark.Expires = o.Expire
	}
	packets, err := o.Packetizer.Packetize(au, mark)
	if err != nil {
		return u, err
	}
	u.Packets = len(packets)
	for _, p := range packets {
		u.Bytes += len(p)
	}
	if u.Packets > 0 { // a unit of nothing that RTP can carry
		unit := transport.Unit{Packets: packets, Reliable: u.Reliable, Repeat: !u.Reliable && o.Repeat != nil && o.Repeat(i, au)}
		if mark.Expires > 0 {
			unit.Expires = o.born(u).Add(mark.Expires)
		}
		err = s.Send(ctx, unit)
	}
	u.Done, u.Cut = time.Since(o.Start), err != nil
	return u, err
}

// born returns the moment from which a unit's age counts.
func (o *SendOptions) born(u SentUnit) time.Time {
	if o.Max {
		return o.Start.Add(u.Handed)
	}
	return o.Start.Add(u.Due)
}

func (s *Sent) add(u SentUnit, skipped int) {
	s.Units = append(s.Units, u)
	s.Packets += u.Packets
	s.Bytes += u.Bytes
	s.Skipped = skipped
	s.Duration = max(s.Duration, u.Done)
}

// sleepUntil returns at t, or earlier with ctx's error.
func sleepUntil(ctx context.Context, t time.Time) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	wait := time.Until(t)
	if wait <= 0 {
		return nil
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
