package decode

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"

	"github.com/vqeval/vqeval/metrics"
)

// A plainSource hands out bare planar pictures, with or without the marks of a
// .y4m, as they lie in the file. They go neither through libavformat nor libavcodec.
type plainSource struct {
	file   *mapping
	at     int  // next byte of the file
	marked bool // a line FRAME… stands before each picture
	size   Size
	format metrics.Format
	bytes  int // of a picture
	rate   Rate
	frames int
	short  bool // the file ends inside a picture
}

// openPlain opens a file that plainSource can read: a regular one, of a .y4m or,
// where raw is set, as o says. A nil source is one that libav must read.
func openPlain(path string, o Options, raw bool) (source, Info, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, Info{}, err
	}
	st, err := f.Stat()
	if err != nil || !st.Mode().IsRegular() {
		f.Close()
		return nil, Info{}, err
	}
	m, err := mapFile(f, int(st.Size()))
	if err != nil { // some file systems cannot: libav reads what we cannot map
		f.Close()
		return nil, Info{}, nil
	}
	s, info, err := newPlainSource(m, o, raw)
	if s == nil || err != nil {
		m.forget(0, 0)
		return nil, Info{}, err
	}
	return s, info, nil
}

func newPlainSource(m *mapping, o Options, raw bool) (*plainSource, Info, error) {
	h, ok := y4mHeader{size: o.RawSize, rate: o.RawRate, format: o.RawFormat}, true
	if !raw {
		var err error
		if h, ok, err = readY4M(m.data); !ok || err != nil {
			return nil, Info{}, err
		}
	}
	l, err := layoutByName(h.format)
	if err != nil || l.convert || l.from != "" {
		return nil, Info{}, err
	}
	s := &plainSource{file: m, at: h.length, marked: !raw, size: h.size, rate: h.rate, format: l.format}
	s.format.FullRange = h.tag == RangeFull || l.full
	info := Info{PixelFormat: l.name, RangeTag: h.tag, Codec: "rawvideo", Container: "rawvideo", FrameRate: s.rate, Frames: s.measure()}
	if l.full {
		info.RangeTag = RangeFull
	}
	if !raw {
		info.Container = "yuv4mpegpipe"
	}
	return s, info, nil
}

// measure computes the size of a picture and how many the file holds, if marks
// have no parameters.
func (s *plainSource) measure() int {
	for i := range s.format.Planes {
		w, h := s.format.PlaneSize(i, s.size.Width, s.size.Height)
		s.bytes += w * h * s.format.BytesPerSample()
	}
	each := s.bytes
	if s.marked {
		each += len(frameMark) + 1
	}
	return (len(s.file.data) - s.at) / each
}

func (s *plainSource) read(ctx context.Context, f *Frame) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if s.short || s.at == len(s.file.data) {
		return io.EOF
	}
	if !s.file.holds(min(s.at+y4mLine+s.bytes, len(s.file.data))) {
		s.short = true
		return io.EOF
	}
	start, err := s.mark()
	if err != nil {
		return err
	}
	if start+s.bytes > len(s.file.data) {
		s.short = true
		return io.EOF
	}
	s.at = start + s.bytes
	f.PTS, f.Unit, f.Concealed = s.rate.ticks(s.frames), s.frames, false
	s.frames++
	s.file.lend()
	f.mapped, f.from, f.to = s.file, start, s.at
	s.picture(f)
	return nil
}

// mark reads the line before a picture, whose parameters do not concern us, and
// returns where the picture begins.
func (s *plainSource) mark() (int, error) {
	if !s.marked {
		return s.at, nil
	}
	rest := s.file.data[s.at:min(s.at+y4mLine, len(s.file.data))]
	end := bytes.IndexByte(rest, '\n')
	switch {
	case end >= 0 && bytes.HasPrefix(rest, []byte(frameMark)):
		return s.at + end + 1, nil
	case end < 0 && len(rest) < y4mLine: // there is no more of the file
		return len(s.file.data), nil
	}
	return 0, fmt.Errorf("frame %d: no line %s before it: the file is damaged", s.frames, frameMark)
}

// picture points f's planes into the file.
func (s *plainSource) picture(f *Frame) {
	f.Format = s.format
	rest := s.file.data[f.from:f.to]
	for i := range s.format.Planes {
		w, h := s.format.PlaneSize(i, s.size.Width, s.size.Height)
		stride := w * s.format.BytesPerSample()
		f.Planes[i] = metrics.Plane{Pix: rest[: stride*h : stride*h], Stride: stride, Width: w, Height: h}
		rest = rest[stride*h:]
	}
}

func (s *plainSource) warnings() []Warning {
	if s.short {
		return []Warning{{Kind: Truncated, Frame: s.frames}}
	}
	return nil
}

func (s *plainSource) repeatable() bool { return true }

func (s *plainSource) close() { s.file.forget(0, 0) }
