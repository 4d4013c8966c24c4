package decode

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/asticode/go-astiav"

	"github.com/vqeval/vqeval/metrics"
)

// A Frame is one decoded picture. Its planes are libav's memory (or, of bare
// pictures, the file itself): they are valid until Release, and must not be written.
type Frame struct {
	metrics.Picture
	PTS       int64 // presentation time, 90 kHz ticks; see Info.HasPTS
	Unit      int   // access unit that it was coded in, counted from 0 in coded order; -1 = not known
	Number    int   // place among the frames that came out, from 0
	Concealed bool  // the decoder itself repaired this picture; false proves nothing

	pool    *pool
	out     atomic.Bool   // with the caller
	decoded *astiav.Frame // holds the planes, unless converted
	scaled  *astiav.Frame // holds the planes after a conversion; its buffer is kept
	shape   shape         // of scaled
	mapped  *mapping      // holds the planes of bare pictures: its bytes from..to
	from    int
	to      int
}

// Release gives the frame's memory back. Releasing twice does nothing.
func (f *Frame) Release() {
	if f == nil || !f.out.CompareAndSwap(true, false) {
		return
	}
	f.decoded.Unref()
	f.Picture = metrics.Picture{}
	if f.mapped != nil {
		f.mapped.forget(f.from, f.to)
		f.mapped = nil
	}
	f.pool.put(f)
}

func (f *Frame) free() {
	f.decoded.Free()
	f.scaled.Free()
}

// A pool lends a fixed number of frames. Frames may outlive the decoder: what is
// out when the pool closes is freed by its Release.
type pool struct {
	idle   chan *Frame // as large as the number of frames: put never waits
	mu     sync.Mutex
	closed bool
}

func newPool(n int) *pool {
	p := &pool{idle: make(chan *Frame, n)}
	for range n {
		p.idle <- &Frame{pool: p, decoded: astiav.AllocFrame(), scaled: astiav.AllocFrame()}
	}
	return p
}

// get waits for a frame until ctx ends.
func (p *pool) get(ctx context.Context) (*Frame, error) {
	select {
	case f := <-p.idle:
		f.out.Store(true)
		return f, nil
	default:
	}
	select {
	case f := <-p.idle:
		f.out.Store(true)
		return f, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (p *pool) put(f *Frame) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		f.free()
		return
	}
	p.idle <- f
}

func (p *pool) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return
	}
	p.closed = true
	for {
		select {
		case f := <-p.idle:
			f.free()
		default:
			return
		}
	}
}
