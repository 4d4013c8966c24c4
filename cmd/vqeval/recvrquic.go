package main

import (
	"github.com/vqeval/vqeval/stream/rquic"
	"github.com/vqeval/vqeval/stream/transport"
)

// receivedRQUIC is what NAME.json says of rQUIC.
type receivedRQUIC struct {
	Protocol string       `json:"protocol"` // agreed on, ALPN
	Frames   statusCounts `json:"frames"`   // as the sender told
	Gaps     []rquic.Gap  `json:"gaps"`     // the missing packets, each run with its cause
}

// toldOf reads what an rQUIC sender told, nil of another.
func toldOf(rx transport.Receiver) *receivedRQUIC {
	r, ok := rx.(*rquic.Receiver)
	if !ok {
		return nil
	}
	out := &receivedRQUIC{Protocol: r.Protocol(), Gaps: r.Gaps()}
	for _, u := range r.Reports() {
		out.Frames.add(u.Status)
	}
	return out
}

// spoken reports whether the sender tells of what it drops.
func (q *receivedRQUIC) spoken() bool { return q != nil && q.Protocol == rquic.ALPN }

// missing counts the missing packets: those that the sender dropped on purpose,
// and the others.
func (q *receivedRQUIC) missing() (onPurpose, otherwise int64) {
	for _, g := range q.Gaps {
		switch g.Cause {
		case rquic.CauseExpired, rquic.CauseRandom, rquic.CauseCut:
			onPurpose += int64(g.Count)
		default:
			otherwise += int64(g.Count)
		}
	}
	return onPurpose, otherwise
}
