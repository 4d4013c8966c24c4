package decode

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/asticode/go-astiav"
)

// clock is the rate of all times that leave this package, ticks/s.
const clock = 90000

// An input is an open container and the one video stream in it that counts.
type input struct {
	path      string
	container *astiav.FormatContext
	stream    *astiav.Stream
	packet    *astiav.Packet
	ahead     *astiav.Packet // the one behind packet, where that is marked as broken
	pushed    bool           // packet is not yet used
	held      bool           // ahead is not yet used
	hasPTS    bool           // the container has presentation times
	read      int            // packets of the stream so far
	cut       bool           // the file ends inside a packet
	stopped   string         // why reading ended before the end of the file; empty = it did not
}

// openInput opens a file whatever its name: the file: prefix keeps libavformat
// from reading clip:1.mp4 as a protocol, and the whitelist keeps a playlist from
// opening anything else than files.
func openInput(path, format string, options map[string]string) (*input, error) {
	in := &input{path: path, container: astiav.AllocFormatContext()}
	d := astiav.NewDictionary()
	defer d.Free()
	for k, v := range options {
		if err := d.Set(k, v, 0); err != nil {
			in.container.Free()
			return nil, err
		}
	}
	if err := d.Set("protocol_whitelist", "file", 0); err != nil {
		in.container.Free()
		return nil, err
	}
	var demuxer *astiav.InputFormat
	if format != "" {
		demuxer = astiav.FindInputFormat(format)
	}
	if err := libav(func() error { return in.container.OpenInput("file:"+path, demuxer, d) }); err != nil {
		in.container.Free()
		return nil, fmt.Errorf("%s: %w: %w", path, ErrFormat, err)
	}
	if err := in.prepare(); err != nil {
		in.close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return in, nil
}

// prepare finds the streams and reads the first packet of the one that counts.
func (in *input) prepare() error {
	in.packet, in.ahead = astiav.AllocPacket(), astiav.AllocPacket()
	name := in.container.InputFormat().Name()
	if name == "tty" {
		return fmt.Errorf("%w: it is text", ErrFormat) // libavformat would draw it
	}
	if err := libav(func() error { return in.container.FindStreamInfo(nil) }); err != nil {
		return fmt.Errorf("%w: %w", ErrFormat, err)
	}
	in.stream = pickVideo(in.container.Streams())
	if in.stream == nil {
		return fmt.Errorf("%w in this %s file", ErrNoVideo, in.kind())
	}
	for _, s := range in.container.Streams() {
		if s.Index() != in.stream.Index() {
			discard(s)
		}
	}
	switch err := in.next(); {
	case errors.Is(err, io.EOF):
		return fmt.Errorf("%w: its video stream has no data", ErrNoPicture)
	case err != nil:
		return err
	}
	in.pushed = true
	untimed := in.container.InputFormat().Flags().Has(astiav.IOFormatFlagNotimestamps)
	in.hasPTS = !untimed && in.packet.Pts() != astiav.NoPtsValue
	return nil
}

// pickVideo finds the real video: the largest picture that is no cover, the first
// of several. A preview of 64x36 in front of it loses. Codecs for stills count
// only where there is nothing else.
func pickVideo(streams []*astiav.Stream) (best *astiav.Stream) {
	area := -1
	for _, still := range []bool{false, true} {
		for _, s := range streams {
			par := s.CodecParameters()
			if par.MediaType() != astiav.MediaTypeVideo || attachedPicture(s) || isStill(s) != still {
				continue
			}
			if a := par.Width() * par.Height(); a > area {
				best, area = s, a
			}
		}
		if best != nil {
			return best
		}
	}
	return nil
}

// isStill tells a single picture, such as a cover that is not marked as one.
func isStill(s *astiav.Stream) bool {
	switch s.CodecParameters().CodecID() {
	case astiav.CodecIDPng, astiav.CodecIDMjpeg, astiav.CodecIDBmp, astiav.CodecIDGif, astiav.CodecIDTiff, astiav.CodecIDWebp:
		return s.NbFrames() <= 1
	}
	return false
}

// next reads the next packet of the video stream into in.packet; io.EOF is the
// end, also where the file ends too early (see in.stopped). A packet that the
// file ends in is left out.
func (in *input) next() error {
	switch {
	case in.pushed:
		in.pushed = false
		return nil
	case in.held:
		in.held = false
		in.packet.Unref()
		in.packet.MoveRef(in.ahead)
	default:
		if err := in.fetch(in.packet); err != nil {
			return err
		}
	}
	if in.packet.Flags().Has(astiav.PacketFlagCorrupt) && in.kind() != "mpegts" { // there it means a gap anywhere
		if err := in.fetch(in.ahead); err != nil {
			in.cut = errors.Is(err, io.EOF)
			return err
		}
		in.held = true
	}
	in.read++
	return nil
}

// fetch reads the next packet of the video stream into p.
func (in *input) fetch(p *astiav.Packet) error {
	for {
		p.Unref()
		err := in.container.ReadFrame(p)
		switch {
		case err == nil && p.StreamIndex() != in.stream.Index():
			continue
		case err == nil:
			return nil
		case errors.Is(err, astiav.ErrEagain):
			continue
		case !errors.Is(err, astiav.ErrEof):
			in.stopped = err.Error()
		}
		return io.EOF
	}
}

// warnings tells what the demuxer met, once the end is reached.
func (in *input) warnings() []Warning {
	if !in.cut && in.stopped == "" {
		return nil
	}
	total := int(in.stream.NbFrames())
	if in.read >= total {
		total = 0
	}
	return []Warning{{Kind: Truncated, Frame: in.read, Total: total}}
}

// rate is the stream's frame rate as far as the container knows it.
func (in *input) rate() Rate {
	if in.container.InputFormat().Name() == "h264" {
		return Rate{} // libavformat makes one up: what the SPS says is better
	}
	average, guess := in.stream.AvgFrameRate(), in.container.GuessFrameRate(in.stream, nil)
	if !in.hasPTS {
		average = guess // in an AVI the average may be that of fields
	}
	for _, r := range []astiav.Rational{average, guess} {
		if r.Num() > 0 && r.Den() > 0 {
			return Rate{r.Num(), r.Den()}
		}
	}
	return Rate{}
}

// frames guesses how many pictures there are; 0 = no idea.
func (in *input) frames() int {
	if n := in.stream.NbFrames(); n > 0 {
		return int(n)
	}
	seconds := 0.0
	if tb := in.stream.TimeBase(); in.stream.Duration() > 0 {
		seconds = float64(in.stream.Duration()) * tb.Float64()
	} else if in.hasPTS && in.container.Duration() > 0 {
		seconds = float64(in.container.Duration()) / 1e6 // AV_TIME_BASE
	}
	return int(seconds*in.rate().Float() + .5)
}

// ticks converts a time of the stream to 90 kHz.
func (in *input) ticks(t int64) int64 {
	if t == astiav.NoPtsValue {
		return noPTS
	}
	return astiav.RescaleQ(t, in.stream.TimeBase(), astiav.NewRational(1, clock))
}

// codec is the codec's name as libav has it, such as h264 or hevc.
func (in *input) codec() string { return in.stream.CodecParameters().CodecID().Name() }

// kind is the container's name, such as mov or matroska.
func (in *input) kind() string {
	name, _, _ := strings.Cut(in.container.InputFormat().Name(), ",")
	return name
}

func (in *input) close() {
	if in.packet != nil {
		in.packet.Free()
		in.ahead.Free()
	}
	in.container.CloseInput()
}
