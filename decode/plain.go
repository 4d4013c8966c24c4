package decode

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/vqeval/vqeval/metrics"
)

// rawEndings are the pixel formats of files of bare pictures that say no more
// about themselves than the end of their name.
func rawEndings(path string) (format string, ok bool) {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".yuv", ".raw", ".i420":
		return "yuv420p", true
	case ".gray", ".grey", ".y":
		return "gray", true
	case ".nv12":
		return "nv12", true
	case ".nv21":
		return "nv21", true
	case ".uyvy":
		return "uyvy422", true
	case ".yuyv", ".yuy2":
		return "yuyv422", true
	case ".rgb":
		return "rgb24", true
	case ".bgr":
		return "bgr24", true
	}
	return "", false
}

// rawOptions completes o for a file of bare pictures and returns what
// libavformat's rawvideo demuxer wants to be told.
func rawOptions(path string, o *Options) (options map[string]string, raw bool, err error) {
	format, raw := rawEndings(path)
	if !raw && !o.Raw {
		return nil, false, nil
	}
	if o.RawFormat == "" {
		o.RawFormat = format
	}
	if o.RawFormat == "" {
		o.RawFormat = "yuv420p"
	}
	o.RawRate = o.RawRate.orDefault()
	if (o.RawSize == Size{}) {
		return nil, true, ErrRawSize
	}
	if err := o.RawSize.check(); err != nil {
		return nil, true, err
	}
	if _, err := layoutByName(o.RawFormat); err != nil {
		return nil, true, err
	}
	return map[string]string{
		"pixel_format": o.RawFormat,
		"video_size":   o.RawSize.String(),
		"framerate":    fmt.Sprintf("%d/%d", o.RawRate.Num, o.RawRate.Den),
	}, true, nil
}

// A plainSource reads bare planar pictures, with or without the marks of a .y4m,
// straight into the frames. It keeps no more of the file than the frames that are
// out, and goes neither through libavformat nor libavcodec.
type plainSource struct {
	file   *os.File
	reader *bufio.Reader // small: what is longer than its buffer goes past it
	marked bool          // a line FRAME… stands before each picture
	size   Size
	format metrics.Format
	bytes  int // of a picture
	rate   Rate
	frames int
	total  int // whole pictures, 0 = not known
	short  bool
}

// openPlain opens a file that plainSource can read; a nil source is one that
// libav must read.
func openPlain(path string, o Options, raw bool) (source, Info, error) {
	h := y4mHeader{size: o.RawSize, rate: o.RawRate, format: o.RawFormat}
	f, err := os.Open(path)
	if err != nil {
		return nil, Info{}, err
	}
	s := &plainSource{file: f, reader: bufio.NewReaderSize(f, y4mLine), marked: !raw}
	ok := raw
	if !raw {
		h, ok, err = readY4M(f, s.reader)
	}
	var l layout
	if ok && err == nil {
		l, err = layoutByName(h.format)
		ok = err == nil && !l.convert && l.from == ""
	}
	if !ok || err != nil {
		f.Close()
		return nil, Info{}, err
	}
	s.size, s.rate, s.format = h.size, h.rate, l.format
	s.format.FullRange = h.tag == RangeFull || l.full
	info := Info{PixelFormat: l.name, RangeTag: h.tag, Codec: "rawvideo", Container: "rawvideo", FrameRate: s.rate}
	if l.full {
		info.RangeTag = RangeFull
	}
	if !raw {
		info.Container = "yuv4mpegpipe"
	}
	if info.Frames, err = s.measure(h.length); err != nil {
		f.Close()
		return nil, Info{}, err
	}
	return s, info, nil
}

// measure computes the size of a picture and, of a regular file, their number.
func (s *plainSource) measure(header int) (frames int, err error) {
	for i := range s.format.Planes {
		w, h := s.format.PlaneSize(i, s.size.Width, s.size.Height)
		s.bytes += w * h * s.format.BytesPerSample()
	}
	st, err := s.file.Stat()
	if err != nil || !st.Mode().IsRegular() {
		return 0, err
	}
	each := int64(s.bytes)
	if s.marked {
		each += int64(len(frameMark) + 1)
	}
	frames = int((st.Size() - int64(header)) / each)
	if frames == 0 { // nor is there reason to allocate what a header of a few bytes claims
		s.short = true
	}
	s.total = frames
	return frames, nil
}

func (s *plainSource) read(ctx context.Context, f *Frame) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if s.short {
		return io.EOF
	}
	if s.marked {
		if err := s.mark(); err != nil {
			return err
		}
	}
	if len(f.buffer) < s.bytes {
		f.buffer = make([]byte, s.bytes)
	}
	switch _, err := io.ReadFull(s.reader, f.buffer[:s.bytes]); {
	case errors.Is(err, io.ErrUnexpectedEOF), err != nil && s.marked && errors.Is(err, io.EOF):
		s.short = true
		return io.EOF
	case err != nil:
		return err
	}
	f.PTS, f.Unit, f.Concealed = s.rate.ticks(s.frames), s.frames, false
	s.frames++
	s.picture(f)
	return nil
}

// mark reads the line before a picture; its parameters do not concern us.
func (s *plainSource) mark() error {
	line, err := s.reader.ReadSlice('\n')
	switch {
	case errors.Is(err, io.EOF):
		s.short = len(line) > 0
		return io.EOF
	case err == nil && bytes.HasPrefix(line, []byte(frameMark)):
		return nil
	case err == nil || errors.Is(err, bufio.ErrBufferFull):
		return fmt.Errorf("frame %d: no line %s before it: the file is damaged", s.frames, frameMark)
	}
	return err
}

// picture points f's planes into its buffer.
func (s *plainSource) picture(f *Frame) {
	f.Format = s.format
	rest := f.buffer[:s.bytes]
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

func (s *plainSource) close() { s.file.Close() }
