package transport

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"

	"github.com/quic-go/quic-go"
)

const maxClosing = 3 * time.Second // longest closing period of a receiver

// quicReceiver takes the first sender that connects and refuses the others.
type quicReceiver struct {
	mode      Mode
	transport *quic.Transport
	listener  *quic.Listener
	drops     func() int64

	accepted chan struct{} // closed when engine or err is set
	engine   *Engine
	err      error
	served   chan struct{} // closed when the accept loop has ended

	once sync.Once // of Close
}

func listenQUIC(conn net.PacketConn, c Config) (*quicReceiver, error) {
	conf, err := TLSFor(c.TLS, c.alpn()...)
	if err != nil {
		return nil, fmt.Errorf("quic listen: %w", err)
	}
	qc := QUICConfig()
	qc.MaxIdleTimeout = or(c.Gone, qc.MaxIdleTimeout)
	qc.Tracer = Tracer(c.QLog)
	r := &quicReceiver{
		mode: c.Mode, transport: &quic.Transport{Conn: conn, ConnContext: NewConnContext}, drops: c.DropCounter,
		accepted: make(chan struct{}), served: make(chan struct{}),
	}
	if r.mode == "" {
		r.mode = QUIC
	}
	if r.listener, err = r.transport.Listen(conf, qc); err != nil {
		r.transport.Close()
		return nil, fmt.Errorf("quic listen: %w", err)
	}
	go r.serve(EngineConfig{Flow: c.flow(), EndMarks: true, Datagrams: r.mode == QUICDatagram, Quiet: r.quiet(c)})
	return r, nil
}

// quiet lets a sender of one stream that sends no end mark end with that stream.
func (r *quicReceiver) quiet(c Config) time.Duration {
	if r.mode != QUIC {
		return 0
	}
	return or(c.Idle, defaultIdle)
}

// serve accepts until the listener is closed.
func (r *quicReceiver) serve(c EngineConfig) {
	defer close(r.served)
	conn, err := r.listener.Accept(context.Background())
	if errors.Is(err, quic.ErrServerClosed) {
		err = net.ErrClosed
	}
	if err != nil {
		r.err = fmt.Errorf("quic receive: %w", err)
		close(r.accepted)
		return
	}
	r.engine = NewEngine(conn, c)
	if r.mode == QUICDatagram && !conn.ConnectionState().SupportsDatagrams.Remote {
		r.engine.Fail(RoQExpectation, "peer takes no QUIC datagrams")
	}
	close(r.accepted)
	for {
		other, err := r.listener.Accept(context.Background())
		if err != nil {
			return
		}
		other.CloseWithError(RoQGeneralError, "receiver is busy with another sender")
	}
}

func (r *quicReceiver) Receive(ctx context.Context, buf []byte) ([]byte, error) {
	select {
	case <-r.accepted:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if r.err != nil {
		return nil, r.err
	}
	p, _, err := r.engine.Receive(ctx, buf)
	if err != nil && err != io.EOF && ctx.Err() == nil {
		err = fmt.Errorf("quic receive: %w", err)
	}
	return p, err
}

// Close ends the stream and stays for QUIC's closing period of three probe
// timeouts (RFC 9000 10.2), in which a goodbye that got lost is repeated.
func (r *quicReceiver) Close() error {
	r.once.Do(func() {
		r.listener.Close()
		<-r.served
		if r.engine != nil {
			r.engine.Close()
			time.Sleep(ClosingPeriod(r.engine.conn))
		}
		r.transport.Close()
	})
	return nil
}

// ClosingPeriod is three probe timeouts, RFC 9002 6.2.1 with the default
// max_ack_delay of 25 ms, if this end closed the connection.
func ClosingPeriod(conn *quic.Conn) time.Duration {
	var app *quic.ApplicationError
	if !errors.As(context.Cause(conn.Context()), &app) || app.Remote {
		return 0
	}
	s := conn.ConnectionStats()
	pto := s.SmoothedRTT + max(4*s.MeanDeviation, time.Millisecond) + 25*time.Millisecond
	return min(3*pto, maxClosing)
}

func (r *quicReceiver) Stats() Stats {
	var st Stats
	select {
	case <-r.accepted:
		if r.engine != nil {
			st = r.engine.Stats()
		}
	default:
	}
	st.Mode = r.mode
	if r.drops != nil {
		st.KernelDrops = r.drops()
	}
	return st
}
