package rquic

import (
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/quic-go/quic-go"
	"github.com/vqeval/vqeval/stream/transport"
)

// A Receiver takes the first sender that shakes hands, over rQUIC or plain RoQ,
// and refuses the others. It is a transport.Receiver: packets come in order of
// arrival, from streams and datagrams.
//
// Over rQUIC it ends the connection when all that the sender told has come, and
// gives what is missing three round trips after the sender's end, reliable
// units longer. That time runs while somebody waits in Receive.
type Receiver struct {
	transport *quic.Transport
	listener  *quic.EarlyListener
	c         Config

	accepted chan struct{} // closed when conn or err is set, for good
	engine   *transport.Engine
	conn     *quic.Conn
	control  bool
	err      error
	halt     chan struct{} // closed by Close
	served   chan struct{} // closed when the accept loop has ended
	closing  sync.Once     // of Close

	mu      sync.Mutex // guards the rest
	account account
	count   transport.Stats // what the control stream adds
	starved time.Time       // since when Receive has found nothing; zero: it has, or was not called
	timer   *time.Timer     // calls look; nil before the end of the flow
	seen    bool            // a control stream has come
	stopped bool            // by Close
}

// Listen returns a receiver over conn. It does not wait for the sender; Receive
// does. The conn stays the caller's, and nobody else may use it until the
// receiver is closed.
func Listen(conn net.PacketConn, c Config) (*Receiver, error) {
	conf, err := transport.TLSFor(c.TLS, c.alpn()...)
	if err != nil {
		return nil, fmt.Errorf("rquic listen: %w", err)
	}
	qc := transport.QUICConfig()
	qc.MaxIdleTimeout = or(c.Gone, qc.MaxIdleTimeout)
	qc.Tracer = transport.Tracer(c.QLog)
	r := &Receiver{
		transport: &quic.Transport{Conn: conn, ConnContext: transport.NewConnContext}, c: c,
		accepted: make(chan struct{}), halt: make(chan struct{}), served: make(chan struct{}),
	}
	if r.listener, err = r.transport.ListenEarly(conf, qc); err != nil {
		r.transport.Close()
		return nil, fmt.Errorf("rquic listen: %w", err)
	}
	go r.serve()
	return r, nil
}

// serve takes the first sender and refuses the others until the listener is closed.
func (r *Receiver) serve() {
	defer close(r.served)
	for {
		conn, err := r.listener.Accept(context.Background())
		if err != nil {
			break
		}
		control := strings.HasSuffix(conn.ConnectionState().TLS.NegotiatedProtocol, controlSuffix)
		if r.conn == nil && control {
			r.greet(conn) // with the handshake, so that it costs no round trip
		}
		switch {
		case !r.shaken(conn):
			conn.CloseWithError(transport.RoQGeneralError, "receiver stopped")
		case r.conn == nil:
			r.adopt(conn, control)
		default:
			conn.CloseWithError(transport.RoQGeneralError, "receiver is busy with another sender")
		}
	}
	if r.conn == nil {
		r.err = fmt.Errorf("rquic receive: %w", net.ErrClosed)
		close(r.accepted)
	}
}

// shaken waits until the handshake of conn has ended and reports success. An
// earlier goodbye could not say why, RFC 9000 10.2.3.
func (r *Receiver) shaken(conn *quic.Conn) bool {
	select {
	case <-conn.HandshakeComplete():
	case <-conn.Context().Done():
	case <-r.halt:
		return false
	}
	return conn.Context().Err() == nil
}

// adopt receives from conn.
func (r *Receiver) adopt(conn *quic.Conn, control bool) {
	r.conn, r.control = conn, control
	r.engine = transport.NewEngine(conn, transport.EngineConfig{
		Flow: r.c.flow(), EndMarks: !control, Datagrams: true, Quiet: r.c.Idle, Other: r.other,
	})
	if control && !conn.ConnectionState().SupportsDatagrams.Remote {
		r.engine.Fail(transport.RoQExpectation, "peer takes no QUIC datagrams")
	}
	close(r.accepted)
}

// Receive appends the next packet to buf[:0]; see transport.Receiver.
func (r *Receiver) Receive(ctx context.Context, buf []byte) ([]byte, error) {
	select {
	case <-r.accepted:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if r.err != nil {
		return nil, r.err
	}
	r.starve()
	p, _, err := r.engine.Receive(ctx, buf)
	if err != nil {
		if err != io.EOF && ctx.Err() == nil {
			err = fmt.Errorf("rquic receive: %w", err)
		}
		return p, err
	}
	r.note(p)
	return p, nil
}

// Close ends the stream, as stopped in the middle if the flow has not ended,
// and waits for everything that the receiver started. It stays for QUIC's
// closing period, in which a goodbye that got lost is repeated (RFC 9000 10.2).
func (r *Receiver) Close() error {
	r.closing.Do(func() {
		close(r.halt)
		r.listener.Close()
		<-r.served
		if r.engine != nil {
			r.stop()
			r.engine.Close()
			time.Sleep(transport.ClosingPeriod(r.conn))
		}
		r.transport.Close()
	})
	return nil
}

// Protocol returns the ALPN name that both ends agreed on, empty before that.
func (r *Receiver) Protocol() string {
	select {
	case <-r.accepted:
		if r.conn != nil {
			return r.conn.ConnectionState().TLS.NegotiatedProtocol
		}
	default:
	}
	return ""
}

// Stats counts what came. It may be called at any time, also after Close.
func (r *Receiver) Stats() transport.Stats {
	var st transport.Stats
	select {
	case <-r.accepted:
		if r.engine != nil {
			st = r.engine.Stats()
		}
	default:
	}
	st.Mode = Mode
	r.mu.Lock()
	st.Truncated += r.count.Truncated
	st.Resets += r.count.Resets
	r.mu.Unlock()
	if r.c.DropCounter != nil {
		st.KernelDrops = r.c.DropCounter()
	}
	return st
}

// Reports returns for each access unit what the sender told of it and what has
// come, nil over plain RoQ.
func (r *Receiver) Reports() []Report {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.account.reports()
}

// Gaps returns the runs of packets that are missing so far of the access units
// that the sender has told of.
func (r *Receiver) Gaps() []Gap {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.account.gaps()
}
