package score

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/vqeval/vqeval/decode"
	"github.com/vqeval/vqeval/stream/h264"
)

// A source is one input that can be decoded, if need be more than once.
type source struct {
	path, name string
	raw        Raw
	bare       bool              // units are decoded, not the file
	units      []h264.AccessUnit // in decoding order
	damaged    bool              // one decoder thread only
	convert    conversion
	info       decode.Info
	looked     bool            // mono is known
	mono       bool            // without chroma, whatever the decoder hands out
	notes      []string        // of reading the input
	ready      *decode.Decoder // opened to know info, and not used up to now
}

// A conversion is what a decoder does to pictures.
type conversion struct {
	scale  decode.Size
	format string
	to     decode.Range
}

func (s *source) title() string {
	if s.name != "" {
		return s.name
	}
	return s.path
}

// open makes a decoder whose frames come from a pool of the given size.
func (s *source) open(pool, threads int) (*decode.Decoder, error) {
	o := decode.Options{
		Threads: threads, Damaged: s.damaged, Pool: pool,
		RawSize: s.raw.Size, RawFormat: s.raw.Format, RawRate: s.raw.Rate,
		Scale: s.convert.scale, PixelFormat: s.convert.format, Range: s.convert.to,
	}
	if s.bare {
		return decode.OpenUnits(s.units, o)
	}
	return decode.Open(s.path, o)
}

// prepare opens the input to know what its pictures are like.
func (s *source) prepare(pool, threads int) error {
	s.discard()
	d, err := s.open(pool, threads)
	if err != nil {
		return err
	}
	s.ready, s.info = d, d.Info()
	return nil
}

// take returns a decoder at the first picture.
func (s *source) take(pool, threads int) (*decode.Decoder, error) {
	if d := s.ready; d != nil {
		s.ready = nil
		return d, nil
	}
	return s.open(pool, threads)
}

func (s *source) discard() {
	if s.ready != nil {
		s.ready.Close()
		s.ready = nil
	}
}

// readBare reads a bare H.264 stream as access units: it has no times of its own,
// and is likely to have been received.
func (s *source) readBare(ctx context.Context) (decode.Clip, error) {
	clip, err := decode.ReadUnits(ctx, s.path)
	if err != nil {
		return clip, err
	}
	s.bare, s.units = true, clip.Units
	for _, w := range clip.Notes {
		s.notes = append(s.notes, w.String())
	}
	return clip, nil
}

// bareName reports whether a file is called like a bare H.264 stream.
func bareName(path string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".h264", ".264", ".avc", ".h26l", ".jvt":
		return true
	}
	return false
}

// shortfall says how far a file that ends too early goes: "frames 0-211 of 300;
// the file ends inside frame 212".
func shortfall(w decode.Warning) string {
	if w.Kind != decode.Truncated || w.Frame < 1 {
		return w.String()
	}
	total := ""
	if w.Total > 0 {
		total = fmt.Sprintf(" of %d", w.Total)
	}
	detail := ""
	if w.Detail != "" {
		detail = ": " + w.Detail
	}
	return fmt.Sprintf("frames 0-%d%s; the file ends inside frame %d%s", w.Frame-1, total, w.Frame, detail)
}
