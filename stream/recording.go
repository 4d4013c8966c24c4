package stream

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/vqeval/vqeval/stream/capture"
	"github.com/vqeval/vqeval/stream/rtph264"
)

// unbounded lets a packet wait in the depacketiser for any other: all that
// will come is known. It is the most that sequence numbers of 16 bits allow.
const unbounded = 1<<15 - 1

// LoadOptions say what of a capture is meant.
type LoadOptions struct {
	Filter capture.Filter // which stream
	Origin OriginRule
}

// A Recording is one RTP stream of a capture, in memory, from which access
// units can be made for any deadline. It does not change and may be used by
// several goroutines at once.
type Recording struct {
	Streams      []capture.Stream // all RTP streams of the capture
	Stream       capture.Stream   // the one that is meant
	App, Comment string           // what the capture says about its making
	Counts       capture.Counts
	Damage       error  // is capture.ErrTruncated if the file ends early; what came before is here
	Origin       Origin // what timestamps count from

	records []capture.Record   // datagrams to the stream's port, in arrival order
	packets []packet           // one per record
	holders map[number][]int32 // units by the numbers of their packets
	units   []rtph264.Unit     // of all packets, without their NAL units
	slices  []bool             // per unit: of all its packets a slice can be made
	marks   []mark             // one per unit
	stats   rtph264.Stats      // of all packets
	foreign int                // datagrams to the port that were left out
	timed   bool               // the packets have times of arrival
	base    time.Time          // arrival of a packet of timestamp 0 on the fastest way
}

// Load reads all of a capture and keeps the stream that is meant. A capture
// that ends early is no error if it holds a stream: see Recording.Damage.
func Load(rd *capture.Reader, o LoadOptions) (*Recording, error) {
	var records []capture.Record
	var census capture.Census
	var damage error
	for {
		rec, err := rd.Next()
		if errors.Is(err, capture.ErrTruncated) {
			damage = err
			break
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		census.Add(rec)
		records = append(records, rec)
	}
	r := &Recording{Streams: census.Streams(), Counts: rd.Counts(), Damage: damage}
	r.App, r.Comment = rd.Made()
	var err error
	if r.Stream, err = capture.Pick(r.Streams, o.Filter); err != nil {
		return nil, noStream(err, r.Counts, damage)
	}
	r.keep(records)
	if err := r.survey(o.Origin); err != nil {
		return nil, err
	}
	return r, nil
}

// noStream adds to the error of Pick what the reader saw instead.
func noStream(err error, c capture.Counts, damage error) error {
	if errors.Is(err, capture.ErrNoStream) {
		err = fmt.Errorf("%w in %d packets, of which %d are UDP datagrams", err, c.Frames, c.Datagrams)
		if c.UnknownLink > 0 {
			err = fmt.Errorf("%w and %d of link type %d cannot be read", err, c.UnknownLink, c.LinkType)
		}
		if c.Cut > 0 {
			err = fmt.Errorf("%w; %d were cut short by the capture's snap length", err, c.Cut)
		}
	}
	return errors.Join(err, damage)
}

// keep selects the datagrams to the stream's port. Those of other RTP sources
// are only counted.
func (r *Recording) keep(records []capture.Record) {
	for _, rec := range records {
		switch {
		case rec.Dst != r.Stream.Dst:
		case isRTP(rec.Packet) && !r.Stream.Has(binary.BigEndian.Uint32(rec.Packet[8:])):
			r.foreign++
		default:
			r.records = append(r.records, rec)
		}
	}
	r.timed = timed(r.records)
}

// timed reports whether datagrams have times of arrival: they do not all bear the
// same, nor does a single one bear none.
func timed(records []capture.Record) bool {
	if len(records) == 1 {
		return records[0].At.Unix() > 0
	}
	return slices.ContainsFunc(records, func(rec capture.Record) bool { return !rec.At.Equal(records[0].At) })
}

// isRTP tells RTP from RTCP (RFC 5761 section 4) and from everything else.
func isRTP(p []byte) bool {
	return len(p) >= 12 && p[0]>>6 == 2 && (p[1] < 192 || p[1] > 223)
}

// depacketizer returns one for the stream.
func (r *Recording) depacketizer(p rtph264.Policy) *rtph264.Depacketizer {
	return &rtph264.Depacketizer{Policy: p, Window: unbounded, PayloadType: int(r.Stream.PayloadType)}
}

// Stats counts all packets of the stream, whenever they came.
func (r *Recording) Stats() rtph264.Stats { return r.stats }
