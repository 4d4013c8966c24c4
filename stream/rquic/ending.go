package rquic

import (
	"encoding/binary"
	"time"
)

// note books a packet of the media that Receive is about to return.
func (r *Receiver) note(p []byte) {
	if !r.control {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.starved = time.Time{}
	if len(p) >= rtpHeader && (p[1] < 192 || p[1] > 223) { // not RTCP, RFC 5761 4
		r.account.packet(binary.BigEndian.Uint16(p[2:]), time.Now())
	}
}

// starve notes that a Receive begins.
func (r *Receiver) starve() {
	if !r.control {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.starved.IsZero() {
		r.starved = time.Now()
	}
	r.arm()
}

// due says when the flow may end; ok is false while it goes on. It holds the lock.
func (r *Receiver) due() (at time.Time, ok bool) {
	if r.account.end == nil || r.starved.IsZero() || r.stopped {
		return time.Time{}, false
	}
	return r.account.due(r.starved, r.conn.ConnectionStats().SmoothedRTT), true
}

// arm sets the timer to when the flow may end. It holds the lock.
func (r *Receiver) arm() {
	at, ok := r.due()
	switch {
	case !ok && r.timer != nil:
		r.timer.Stop()
	case ok && r.timer != nil:
		r.timer.Reset(time.Until(at))
	case ok:
		r.timer = time.AfterFunc(time.Until(at), r.look)
	}
}

// look ends the flow if it is due, which may have moved since the timer was set.
func (r *Receiver) look() {
	r.mu.Lock()
	at, ok := r.due()
	now := ok && !time.Now().Before(at)
	if !now {
		r.arm()
	}
	r.mu.Unlock()
	if now {
		r.engine.Finish()
	}
}

// stop keeps look from being called any more, but for one call under way.
func (r *Receiver) stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stopped = true
	r.arm()
}
