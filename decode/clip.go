package decode

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/asticode/go-astiav"

	"github.com/vqeval/vqeval/stream/h264"
)

// A Clip is an H.264 stream as access units.
type Clip struct {
	// Units are in decoding order. Their parameter sets stand in the first one
	// and in every IDR, wherever the container kept them.
	//
	// PTS counts from the picture that is shown first; pictures that the
	// container's edit list hides (see Hidden) come before it, with a negative PTS.
	// Units without a time of their own get one from their picture order.
	//
	// DTS is the time to send a unit: 0 for the first, never falling, at the pace
	// of the pictures (the n-th smallest PTS, on its own axis). A player that
	// starts Delay after the first unit has every picture in time.
	Units []h264.AccessUnit

	Config        h264.Config // parameter sets of the container's header
	Width, Height int         // cropped
	FrameRate     Rate        // never zero: 25 where nothing says a rate
	Codec         string      // "h264"
	Container     string      // libav's name, such as mov, matroska, mpegts, flv, h264
	HasPTS        bool        // the container had presentation times
	Delay         int64       // ticks: the most by which a DTS is later than the same unit's PTS
	Hidden        int         // units that decode but are not shown
	Notes         []Warning
}

// Duration is the time from the first picture shown to the end of the last, ticks.
func (c Clip) Duration() int64 {
	var last int64
	for _, u := range c.Units {
		last = max(last, u.PTS)
	}
	return last + c.FrameRate.ticks(1)
}

// ReadUnits reads the H.264 video of a file: any container that libavformat knows
// (MP4 with avc1 or avc3, MKV, MPEG-TS, FLV, AVI), or a bare .h264. Errors name
// the file: ErrCodec for another codec, ErrNoVideo, ErrFormat, ErrEmpty,
// ErrDirectory, fs.ErrNotExist, ctx's own.
func ReadUnits(ctx context.Context, path string) (Clip, error) {
	if err := checkFile(path); err != nil {
		return Clip{}, err
	}
	in, err := openInput(path, "", nil)
	if err != nil {
		return Clip{}, err
	}
	defer in.close()
	if c := in.codec(); c != "h264" {
		return Clip{}, fmt.Errorf("%s: %w: the video is %s", path, ErrCodec, c)
	}
	r, err := newUnitReader(in)
	if err != nil {
		return Clip{}, fmt.Errorf("%s: %w", path, err)
	}
	if err := r.readAll(ctx); err != nil {
		return Clip{}, fmt.Errorf("%s: %w", path, err)
	}
	clip, err := r.clip()
	if err != nil {
		return Clip{}, fmt.Errorf("%s: %w", path, err)
	}
	return clip, nil
}

// A unitReader collects the access units of an input.
type unitReader struct {
	in     *input
	config h264.Config // current: a new one may come with any packet
	header h264.Config // the first
	units  []timedUnit
	loose  [][]byte // NAL units without a picture, for the next unit
	broken Warning
}

func newUnitReader(in *input) (*unitReader, error) {
	r := &unitReader{in: in}
	header := in.stream.CodecParameters().ExtraData()
	if len(header) == 0 {
		return r, nil // parameter sets in the stream
	}
	c, err := h264.ParseConfig(header)
	if err != nil {
		return nil, fmt.Errorf("%w: bad codec header: %w", ErrFormat, err)
	}
	r.config, r.header = c, c
	return r, nil
}

func (r *unitReader) readAll(ctx context.Context) error {
	if r.in.kind() == "h264" {
		return r.readBare(ctx)
	}
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := r.in.next(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return err
		}
		r.add(r.in.packet)
	}
	return nil
}

// add takes in one packet of a container: one access unit.
func (r *unitReader) add(p *astiav.Packet) {
	var fresh [][]byte
	if header := p.SideData(astiav.PacketSideDataTypeNewExtradata); len(header) > 0 {
		if c, err := h264.ParseConfig(header); err == nil {
			r.config = c
			fresh = append(append(fresh, c.SPS...), c.PPS...)
		}
	}
	nalus, err := split(p.Data(), r.config.LengthSize)
	if err != nil {
		if r.broken.Count == 0 {
			r.broken = Warning{Kind: Corrupt, Frame: len(r.units), Detail: err.Error()}
		}
		r.broken.Count++
	}
	nalus = append(append(r.loose, fresh...), nalus...)
	r.loose = nil
	if !hasPicture(nalus) {
		r.loose = nalus
		return
	}
	r.units = append(r.units, timedUnit{
		AccessUnit: h264.AccessUnit{NALUs: nalus, PTS: r.in.ticks(p.Pts())},
		hidden:     p.Flags().Has(astiav.PacketFlagDiscard),
	})
}

// split takes a packet apart. Of a length-prefixed one that breaks off, the NAL
// units before the break are returned with the error.
func split(data []byte, lengthSize int) ([][]byte, error) {
	if lengthSize == 0 {
		return h264.SplitAnnexB(data), nil
	}
	return h264.SplitAVCC(data, lengthSize)
}

func hasPicture(nalus [][]byte) bool {
	for _, n := range nalus {
		if h264.TypeOf(n).Slice() {
			return true
		}
	}
	return false
}

// readBare cuts a bare Annex B file, which has no packets, by the standard's own
// rules.
func (r *unitReader) readBare(ctx context.Context) error {
	data, err := os.ReadFile(r.in.path)
	if err != nil {
		return err
	}
	for _, u := range h264.Group(h264.SplitAnnexB(data)) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if hasPicture(u.NALUs) {
			u.NALUs, r.loose = append(r.loose, u.NALUs...), nil
			u.PTS = noPTS
			r.units = append(r.units, timedUnit{AccessUnit: u})
		} else {
			r.loose = append(r.loose, u.NALUs...)
		}
	}
	return nil
}

// clip completes what was read.
func (r *unitReader) clip() (Clip, error) {
	if len(r.units) == 0 {
		return Clip{}, ErrNoPicture
	}
	if firstParams(r.header, r.units) == nil {
		return Clip{}, fmt.Errorf("%w: there is no SPS in the stream", ErrNoPicture)
	}
	par := r.in.stream.CodecParameters()
	c := Clip{
		Config: r.header, Width: par.Width(), Height: par.Height(), FrameRate: r.in.rate(),
		Codec: "h264", Container: r.in.kind(), HasPTS: r.in.hasPTS, Notes: r.in.warnings(),
	}
	if !c.FrameRate.Known() {
		c.FrameRate = rateOf(firstParams(r.header, r.units)).orDefault()
	}
	if r.broken.Count > 0 {
		c.Notes = append(c.Notes, r.broken)
	}
	units, err := timeUnits(r.units, c.Config, c.FrameRate)
	if err != nil {
		c.Notes = append(c.Notes, Warning{Kind: Corrupt, Count: 1, Detail: "times follow the decoding order: " + err.Error()})
	}
	c.Delay, c.Hidden = pace(units)
	if c.Hidden > 0 {
		c.Notes = append(c.Notes, Warning{Kind: Hidden, Count: c.Hidden})
	}
	plain := make([]h264.AccessUnit, len(units))
	for i, u := range units {
		plain[i] = u.AccessUnit
	}
	c.Units = h264.WithParams(plain, c.Config)
	return c, nil
}

// firstParams returns the first sequence parameter set of a stream.
func firstParams(c h264.Config, units []timedUnit) []byte {
	if len(c.SPS) > 0 {
		return c.SPS[0]
	}
	for _, u := range units {
		if n := firstSPS(u.NALUs); n != nil {
			return n
		}
	}
	return nil
}
