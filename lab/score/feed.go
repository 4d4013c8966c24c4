package score

import (
	"context"
	"errors"
	"io"
	"sync/atomic"

	"github.com/vqeval/vqeval/decode"
	"github.com/vqeval/vqeval/decode/align"
)

// queue is how many decoded frames may wait between a decoder and the pairing.
// The decoder then waits; nothing is dropped.
const queue = 3

// A shared frame goes back to its decoder when its last user has let it go.
type shared struct {
	*decode.Frame
	users atomic.Int32
	home  chan *shared // where the empty shell goes
}

func (s *shared) retain() *shared {
	s.users.Add(1)
	return s
}

func (s *shared) release() {
	if s.users.Add(-1) > 0 {
		return
	}
	s.Frame.Release()
	s.Frame = nil
	select {
	case s.home <- s:
	default:
	}
}

// A feed decodes in a goroutine of its own and keeps what alignment needs.
type feed struct {
	decoder *decode.Decoder
	frames  chan *shared
	shells  chan *shared
	sign    bool // make signatures

	// Written by the goroutine, valid once frames is closed.
	pts      []int64
	units    []int
	sigs     []align.Signature
	err      error
	stopped  bool // ctx ended first: there is more
	unsteady bool // broken data and several threads: has to be decoded again with one
}

func newFeed(d *decode.Decoder, sign bool) *feed {
	f := &feed{decoder: d, frames: make(chan *shared, queue), shells: make(chan *shared, 4*queue), sign: sign}
	n := d.Info().Frames + 1
	f.pts, f.units = make([]int64, 0, n), make([]int, 0, n)
	if sign {
		f.sigs = make([]align.Signature, 0, n)
	}
	return f
}

// run decodes to the end, or until ctx ends.
func (f *feed) run(ctx context.Context) {
	defer close(f.frames)
	for {
		frame, err := f.decoder.Next(ctx)
		if !f.decoder.Repeatable() {
			frame.Release()
			f.unsteady = true
			return
		}
		switch {
		case errors.Is(err, io.EOF):
			return
		case ctx.Err() != nil:
			frame.Release()
			f.stopped = true
			return
		case err != nil:
			f.err = err
			return
		}
		f.pts, f.units = append(f.pts, frame.PTS), append(f.units, frame.Unit)
		if f.sign {
			f.sigs = append(f.sigs, align.Sign(frame.Planes[0], frame.Format.Depth))
		}
		s := f.share(frame)
		select {
		case f.frames <- s:
		case <-ctx.Done():
			s.release()
			f.stopped = true
			return
		}
	}
}

func (f *feed) share(frame *decode.Frame) *shared {
	var s *shared
	select {
	case s = <-f.shells:
	default:
		s = &shared{home: f.shells}
	}
	s.Frame = frame
	s.users.Store(1)
	return s
}

// drain lets all remaining frames go.
func (f *feed) drain() {
	for s := range f.frames {
		s.release()
	}
}

// clip is what alignment wants to know.
func (f *feed) clip() align.Clip {
	return align.Clip{PTS: f.pts, HasPTS: f.decoder.Info().HasPTS, Sigs: f.sigs}
}
