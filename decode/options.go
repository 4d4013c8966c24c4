package decode

import (
	"fmt"
	"math"
)

// Options say how to decode. The zero value decodes a clean file as it is coded,
// with as many threads as help.
type Options struct {
	Threads int  // decoder threads; 0 = one per processor
	Damaged bool // the stream has losses: one thread, so that every run gives the same pictures

	// Raw forces the file to be read as bare pictures; files that end in .yuv,
	// .raw, .rgb, .gray, .nv12, .i420 and the like are read so anyway. They need
	// RawSize. RawFormat is libav's name of the pixel format, empty = yuv420p (or
	// what the file's ending says). A zero RawRate is 25 frames/s.
	Raw       bool
	RawSize   Size
	RawFormat string
	RawRate   Rate

	// Conversions, all done by libswscale (bicubic, accurate rounding, the same
	// result on every processor) and all reported in Info. Zero values convert
	// nothing that has separate Y, U and V planes.
	Scale       Size   // picture size to scale to
	PixelFormat string // libav's name, such as yuv420p or yuv420p10le
	Range       Range  // sample range; a stream that does not say is taken as limited

	// Pool bounds the frames that the caller may hold at once, 0 = 8. Next waits
	// for a Release when all are out.
	Pool int
}

const defaultPool = 8 // a 4-frame queue, a frame at each end of it, two to spare

func (o Options) pool() int {
	if o.Pool > 0 {
		return o.Pool
	}
	return defaultPool
}

func (o Options) threads() int {
	if o.Damaged {
		return 1
	}
	return max(0, o.Threads)
}

// converts reports whether the caller asks for anything else than what is coded.
func (o Options) converts() bool {
	return o.Scale != Size{} || o.PixelFormat != "" || o.Range != RangeUnknown
}

// Size is a picture's size in luma samples.
type Size struct{ Width, Height int }

// String writes 1920x1080.
func (s Size) String() string { return fmt.Sprintf("%dx%d", s.Width, s.Height) }

// maxSide is the largest width and height that we take; libav stops there too.
const maxSide = 16384

func (s Size) check() error {
	if s.Width < 1 || s.Height < 1 || s.Width > maxSide || s.Height > maxSide {
		return fmt.Errorf("picture size %v is not within 1x1 and %dx%d", s, maxSide, maxSide)
	}
	return nil
}

// Rate is a frame rate in frames/s as a fraction; the zero Rate is unknown.
type Rate struct{ Num, Den int }

// Known reports whether there is a rate at all.
func (r Rate) Known() bool { return r.Num > 0 && r.Den > 0 }

// Float returns frames/s, 0 = unknown.
func (r Rate) Float() float64 {
	if !r.Known() {
		return 0
	}
	return float64(r.Num) / float64(r.Den)
}

// String writes 25 or 30000/1001.
func (r Rate) String() string {
	if r.Den == 1 {
		return fmt.Sprint(r.Num)
	}
	return fmt.Sprintf("%d/%d", r.Num, r.Den)
}

// orDefault fills in 25 frames/s, libavformat's guess, where nothing says a rate.
func (r Rate) orDefault() Rate {
	if !r.Known() {
		return Rate{25, 1}
	}
	return r
}

// ticks returns the time of frame n, in 90 kHz ticks from frame 0.
func (r Rate) ticks(n int) int64 {
	r = r.orDefault()
	return int64(math.Round(float64(n) * clock * float64(r.Den) / float64(r.Num)))
}

// Range says which code values the samples use.
type Range uint8

// The ranges: RangeUnknown is a stream that does not say, or, in Options, no
// conversion; limited is 16..235 (and 16..240 for chroma) at 8 bits, full 0..255.
const (
	RangeUnknown Range = iota
	RangeLimited
	RangeFull
)

// String is "limited", "full" or "" for unknown.
func (r Range) String() string { return [...]string{"", "limited", "full"}[r%3] }

// MarshalText writes what String does.
func (r Range) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads "limited", "full" or nothing.
func (r *Range) UnmarshalText(text []byte) error {
	for _, v := range []Range{RangeUnknown, RangeLimited, RangeFull} {
		if v.String() == string(text) {
			*r = v
			return nil
		}
	}
	return fmt.Errorf("bad range %q: want limited or full", text)
}
