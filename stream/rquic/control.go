package rquic

import (
	"io"
	"sync"
	"time"

	"github.com/vqeval/vqeval/stream/transport"
)

// lossInterval is how long losses gather before a LOST tells them.
const lossInterval = 20*time.Millisecond + 11*time.Nanosecond // odd, so that it never coincides with other timers

// A controlWriter writes the sender's control stream on a goroutine of its own,
// so that the scheduler never waits for it. Its queue holds one short record a
// unit and neither blocks nor drops.
type controlWriter struct {
	str     io.WriteCloser
	id      int64 // of the stream
	tracker *tracker
	wake    chan struct{} // cap 1: there is something to write, or no more will come
	stop    <-chan struct{}
	stopped chan struct{}

	mu      sync.Mutex
	pending []byte
	ssrc    uint32
	end     *flowEnd
}

// newControlWriter starts on a fresh stream, which begins with h.
func newControlWriter(str io.WriteCloser, id int64, t *tracker, stop <-chan struct{}, ssrc uint32, h hello) *controlWriter {
	c := &controlWriter{
		str: str, id: id, tracker: t, wake: make(chan struct{}, 1), stop: stop, stopped: make(chan struct{}), ssrc: ssrc,
		pending: transport.AppendRecord(transport.AppendFlow(nil, transport.ControlFlow), h.append(nil, ssrc)),
	}
	go c.run()
	signal(c.wake)
	return c
}

// put queues an AU_END for a unit of the source ssrc.
func (c *controlWriter) put(a auEnd, ssrc uint32) {
	c.mu.Lock()
	c.ssrc = ssrc
	c.pending = transport.AppendRecord(c.pending, a.append(nil, ssrc))
	c.mu.Unlock()
	signal(c.wake)
}

// finish ends the stream with f, after what is still to be told, and waits
// until QUIC has it or the connection has ended.
func (c *controlWriter) finish(f flowEnd) {
	c.mu.Lock()
	c.end = &f
	c.mu.Unlock()
	signal(c.wake)
	<-c.stopped
}

func (c *controlWriter) run() {
	defer close(c.stopped)
	for c.wait() {
		b, last := c.take()
		if len(b) > 0 {
			c.tracker.writing(c.id, len(b))
			if _, err := c.str.Write(b); err != nil {
				return
			}
		}
		if last {
			c.str.Close()
			return
		}
	}
}

// wait returns when there is something to write, false when the connection has
// ended. Losses gather until the next record, or for lossInterval.
func (c *controlWriter) wait() bool {
	select {
	case <-c.wake:
		return true
	case <-c.stop:
		return false
	case <-c.tracker.losses:
	}
	timer := time.NewTimer(lossInterval)
	defer timer.Stop()
	select {
	case <-c.wake:
	case <-timer.C:
	case <-c.stop:
		return false
	}
	return true
}

// take returns all that is to be told, and whether that was all.
func (c *controlWriter) take() (b []byte, last bool) {
	lost := c.tracker.takeLost()
	c.mu.Lock()
	defer c.mu.Unlock()
	b, c.pending = c.pending, nil
	for len(lost) > 0 {
		n := min(len(lost), maxLost)
		b = transport.AppendRecord(b, appendLost(nil, c.ssrc, lost[:n]))
		lost = lost[n:]
	}
	if c.end != nil {
		b = transport.AppendRecord(b, c.end.append(nil, c.ssrc))
	}
	return b, c.end != nil
}
