package main

import (
	"context"
	"net"

	"github.com/vqeval/vqeval/stream/rquic"
	"github.com/vqeval/vqeval/stream/transport"
)

// dialRQUIC dials over rQUIC, with what c says of every transport.
func (a *app) dialRQUIC(ctx context.Context, f sendFlags, socket net.PacketConn, to net.Addr, c transport.Config) (transport.Sender, error) {
	q, end := f.rquic.Config(), rquicEnd(c)
	q.TLS, q.ALPN, q.Flow, q.Handshake, q.Gone, q.QLog = end.TLS, end.ALPN, end.Flow, end.Handshake, end.Gone, end.QLog
	if f.max {
		q.Queue = 1 // one unit waits at a time, and the file for the network
	}
	if w := rquic.Warning(to, q); w != "" {
		a.note("warning: %s; hint: --cc reno or --cc cubic", w)
	}
	tx, err := rquic.Dial(ctx, socket, to, q)
	if err != nil {
		return nil, err
	}
	if tx.Protocol() != rquic.ALPN {
		a.note("the receiver does not speak rQUIC but %s: it gets the media and no word of what is dropped", tx.Protocol())
	}
	return tx, nil
}

// sentRQUIC is what `vqeval send --json` says of rQUIC.
type sentRQUIC struct {
	Protocol  string           `json:"protocol"` // agreed on, ALPN
	Policy    rquic.Policy     `json:"policy"`
	Reliable  int              `json:"reliable_frames"`
	Frames    statusCounts     `json:"frames"`
	Decisions []rquic.Decision `json:"decisions"`
}

// statusCounts counts access units by what became of them at the sender.
type statusCounts struct {
	Sent    int `json:"sent"`
	Expired int `json:"expired"`
	Random  int `json:"random"`
	Cut     int `json:"cut"`
	Unsent  int `json:"unsent"`
}

func (n *statusCounts) add(s rquic.Status) {
	switch s {
	case rquic.StatusSent:
		n.Sent++
	case rquic.StatusExpired:
		n.Expired++
	case rquic.StatusRandom:
		n.Random++
	case rquic.StatusCut:
		n.Cut++
	default:
		n.Unsent++
	}
}

// decided reads what an rQUIC sender decided, nil of another.
func decided(tx transport.Sender, policy rquic.Policy) *sentRQUIC {
	s, ok := tx.(*rquic.Sender)
	if !ok {
		return nil
	}
	out := &sentRQUIC{Protocol: s.Protocol(), Policy: policy, Decisions: s.Decisions()}
	for _, d := range out.Decisions {
		out.Frames.add(d.Status)
		if d.Reliable {
			out.Reliable++
		}
	}
	return out
}
