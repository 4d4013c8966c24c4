package lab

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/vqeval/vqeval/stream"
	"github.com/vqeval/vqeval/stream/rquic"
	"github.com/vqeval/vqeval/stream/transport"
)

// config is what both ends of the run's transport share, rquic apart.
func (r *run) config() transport.Config {
	c := transport.Config{Mode: r.spec.Transport.mode(), Spread: time.Duration(r.spec.Pace * float64(r.interval()))}
	if r.spec.QLog {
		c.QLog = r.files.qlog
	}
	return c
}

// rquicConfig is the same for rquic.
func (r *run) rquicConfig() rquic.Config {
	c := r.spec.Transport.Config()
	c.Seed = r.spec.Seed
	if r.spec.QLog {
		c.QLog = r.files.qlog
	}
	return c
}

func (r *run) listen() (transport.Receiver, error) {
	if r.spec.Transport.mode() == rquic.Mode {
		c := r.rquicConfig()
		c.TLS, c.DropCounter = r.net.identity.server, r.net.drops
		return rquic.Listen(r.net.receiver, c)
	}
	c := r.config()
	c.TLS, c.DropCounter = r.net.identity.server, r.net.drops
	return transport.Listen(r.net.receiver, c)
}

func (r *run) dial(ctx context.Context) (transport.Sender, error) {
	if r.spec.Transport.mode() == rquic.Mode {
		c := r.rquicConfig()
		c.TLS = r.net.identity.client
		if r.spec.Bulk.On() {
			c.Queue = 1                       // one unit waits at a time: Send blocks as it does over a socket
			c.ALPN = []string{transport.ALPN} // its units are no pictures: there is nothing to tell of them
		}
		return rquic.Dial(ctx, r.net.sender, r.net.to, c)
	}
	c := r.config()
	c.TLS = r.net.identity.client
	return transport.Dial(ctx, r.net.sender, r.net.to, c)
}

// mark says in o which access units are reliable and when the others expire.
func (r *run) mark(o *stream.SendOptions) {
	if t := r.spec.Transport; t.mode() == rquic.Mode {
		t.Mark(o)
	}
}

// keepDecisions records what an rQUIC sender decided and how it saw the path.
func (r *run) keepDecisions(tx transport.Sender) error {
	s, ok := tx.(*rquic.Sender)
	if !ok {
		return nil
	}
	return errors.Join(r.files.write(decisionsFile, func(w io.Writer) error { return rquic.WriteDecisions(w, s.Decisions()) }),
		r.files.write(traceFile, func(w io.Writer) error { return rquic.WriteTrace(w, s.Samples()) }))
}
