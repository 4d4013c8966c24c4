package decode

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/vqeval/vqeval/metrics"
)

// Info describes the pictures of a Decoder, by its first one.
type Info struct {
	Width, Height int            // of the pictures as handed out, cropped and scaled
	Format        metrics.Format // of the pictures as handed out
	PixelFormat   string         // libav's name of that, such as yuv420p; yuvj formats go by their plain name
	ConvertedFrom string         // what the pictures were before a conversion, such as nv12; empty = none took place
	RangeTag      Range          // what the stream says about its sample range, before any conversion
	Matrix        string         // luma coefficients: bt709, bt601, bt2020, or empty = not said
	Codec         string         // libav's name, such as h264 or rawvideo
	Container     string         // libav's name, such as mov; empty for access units
	FrameRate     Rate           // zero = not known
	Frames        int            // what the container promises or its length suggests; 0 = not known
	HasPTS        bool           // the input has presentation times; else they are made from FrameRate and the frame's number
	Start         int64          // time 0 on the container's own clock, 90 kHz ticks
}

// A Decoder gives the pictures of one input in the order they are shown. It has
// no goroutine of its own and is not safe for concurrent use; its frames may be
// released from anywhere.
type Decoder struct {
	info   Info
	source source
	pool   *pool
	first  *Frame // decoded to know the Info
	frames int
	end    error // how it ended
	closed bool
	notes  []Warning // of the time of Close
	steady bool      // Repeatable at the time of Close
}

// start decodes the first frame and takes the Info from it.
func start(s source, o Options, info Info) (*Decoder, error) {
	d := &Decoder{info: info, source: s, pool: newPool(o.pool())}
	f, err := d.decode(context.Background())
	switch {
	case errors.Is(err, io.EOF):
		d.end = io.EOF
	case err != nil:
		d.Close()
		return nil, err
	default:
		d.first = f
		d.info.Width, d.info.Height, d.info.Format = f.Planes[0].Width, f.Planes[0].Height, f.Format
	}
	return d, nil
}

// Info describes the pictures. Of a stream that changes on the way it describes
// the first: each frame knows its own size and format.
func (d *Decoder) Info() Info { return d.info }

// Next returns the next frame, which the caller must release; io.EOF is the end.
// It waits while Options.Pool frames are out, until one is released or ctx ends.
// What could not be decoded is left out and is in Notes.
func (d *Decoder) Next(ctx context.Context) (*Frame, error) {
	if f := d.first; f != nil {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		d.first = nil
		return f, nil
	}
	if d.end != nil {
		return nil, d.end
	}
	f, err := d.decode(ctx)
	if err != nil && ctx.Err() == nil {
		d.end = err
	}
	return f, err
}

func (d *Decoder) decode(ctx context.Context) (*Frame, error) {
	f, err := d.pool.get(ctx)
	if err != nil {
		return nil, err
	}
	if err := d.source.read(ctx, f); err != nil {
		f.Release()
		return nil, err
	}
	f.Number = d.frames
	d.frames++
	return f, nil
}

// Notes are the troubles met so far; they are complete once Next returned io.EOF.
func (d *Decoder) Notes() []Warning {
	if d.closed {
		return d.notes
	}
	return d.source.warnings()
}

// Repeatable reports whether another run would give the same pictures. It turns
// false when broken data are met with several decoder threads, as Options{} sets
// them: what follows may be concealed in another way next time. Then decode again
// with Options.Damaged. Lost pictures alone, with no broken one among those that
// are there, are decoded the same way by any number of threads.
func (d *Decoder) Repeatable() bool {
	if d.closed {
		return d.steady
	}
	return d.source.repeatable()
}

// Close frees the decoder. Frames that are still out stay valid until their
// Release. Closing twice does nothing.
func (d *Decoder) Close() error {
	if d.closed {
		return nil
	}
	d.notes, d.steady = d.source.warnings(), d.source.repeatable()
	d.closed = true
	d.first.Release()
	d.first = nil
	d.end = errors.New("decoder is closed")
	d.source.close()
	d.pool.close()
	return nil
}

// Open opens a video file: whatever libavformat reads, .y4m, or bare pictures
// (see Options.Raw). A file of which no picture can be decoded is an error.
func Open(path string, o Options) (*Decoder, error) {
	if err := checkFile(path); err != nil {
		return nil, err
	}
	d, err := open(path, o)
	if err != nil {
		return nil, err
	}
	if d.end == nil {
		return d, nil
	}
	d.Close()
	notes := d.Notes()
	err = fmt.Errorf("%s: %w", path, ErrNoPicture)
	if len(notes) > 0 {
		err = fmt.Errorf("%w: %v", err, notes[0])
	}
	return nil, err
}

// open picks the reader: our own for bare planar pictures that nobody wants
// converted, libav for all else.
func open(path string, o Options) (*Decoder, error) {
	raw, isRaw, err := rawOptions(path, &o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if !o.converts() {
		s, info, err := openPlain(path, o, isRaw)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if s != nil {
			return start(s, o, info)
		}
	}
	demuxer := ""
	if isRaw {
		demuxer = "rawvideo"
	}
	in, err := openInput(path, demuxer, raw)
	if err != nil {
		return nil, err
	}
	d, err := startInput(in, o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return d, nil
}
