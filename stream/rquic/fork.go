package rquic

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/apernet/quic-go"
	"github.com/vqeval/vqeval/stream/transport"
)

const (
	incomingStreams = 16   // uni streams that a receiver may open: one control stream and some slack
	datagramMax     = 1200 // largest DATAGRAM sent, bytes: what every path and both libraries deliver
	packetMax       = 1243 // what quic-go delivers at most in a packet of transport.QUICPacketSize
)

// A line is the sender's connection, on the fork.
type line struct {
	transport *quic.Transport
	conn      *quic.Conn
	tracker   *tracker
	cc        *controller // nil: the fork's Reno
}

// dialLine shakes hands. A peer of which nothing is heard for c.Handshake is absent.
func dialLine(ctx context.Context, conn net.PacketConn, to net.Addr, c Config) (*line, error) {
	conf, err := transport.TLSFor(c.TLS, c.alpn()...)
	if err != nil {
		return nil, err
	}
	nameServer(conf, to)
	wait := or(c.Handshake, defaultHandshake)
	l := &line{transport: &quic.Transport{Conn: conn}, tracker: newTracker(), cc: newController(c)}
	inner, cancel := transport.FirstAnswer(ctx, &l.tracker.meter, wait)
	defer cancel()
	qc := forkConfig(wait)
	qc.MaxIdleTimeout, qc.KeepAlivePeriod = or(c.Gone, qc.MaxIdleTimeout), c.Gone/3
	qc.Tracer = tracer(l.tracker, c.QLog)
	l.conn, err = l.transport.Dial(inner, to, conf, qc)
	if err != nil {
		l.transport.Close()
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case errors.Is(err, transport.ErrNoAnswer):
			return nil, fmt.Errorf("%w within %v: is a receiver listening there?", err, wait)
		}
		return nil, explain(err)
	}
	if l.cc != nil {
		l.conn.SetCongestionControl(l.cc)
	}
	return l, nil
}

// forkConfig is transport.QUICConfig for the fork.
func forkConfig(handshake time.Duration) *quic.Config {
	return &quic.Config{
		Versions:                         []quic.Version{quic.Version1},
		EnableDatagrams:                  true,
		DisablePathMTUDiscovery:          true,
		InitialPacketSize:                transport.QUICPacketSize,
		MaxIncomingUniStreams:            incomingStreams,
		EnableStreamResetPartialDelivery: true,
		MaxIdleTimeout:                   transport.QUICIdleTimeout,
		HandshakeIdleTimeout:             max(transport.QUICHandshakeTimeout, handshake),
	}
}

// nameServer fills in the name to verify, which the fork leaves to its caller.
func nameServer(conf *tls.Config, to net.Addr) {
	if conf.ServerName != "" {
		return
	}
	host, _, err := net.SplitHostPort(to.String())
	if err != nil {
		host = to.String()
	}
	conf.ServerName = host
}

// protocol is the ALPN name agreed on.
func (l *line) protocol() string { return l.conn.ConnectionState().TLS.NegotiatedProtocol }

// datagramLimit returns the size in bytes of the largest DATAGRAM, an error if
// the peer takes none.
func (l *line) datagramLimit() (int, error) {
	if !l.conn.ConnectionState().SupportsDatagrams.Remote {
		return 0, errors.New("peer takes no QUIC datagrams")
	}
	var tooLarge *quic.DatagramTooLargeError
	err := l.conn.SendDatagram(make([]byte, 1<<16)) // larger than any UDP packet: only the limit comes back
	if !errors.As(err, &tooLarge) {
		return 0, fmt.Errorf("datagram limit: %w", err)
	}
	return min(datagramMax, packetMax, int(tooLarge.MaxDatagramPayloadSize)), nil
}

// incoming is a stream that the peer has opened.
type incoming struct{ *quic.ReceiveStream }

// refuse tells the peer that nobody reads the stream.
func (s incoming) refuse(code uint64) { s.CancelRead(quic.StreamErrorCode(code)) }

// accept waits for the peer's next unidirectional stream, until the connection ends.
func (l *line) accept() (incoming, error) {
	str, err := l.conn.AcceptUniStream(context.Background())
	return incoming{str}, err
}

// done is closed when the connection has ended.
func (l *line) done() <-chan struct{} { return l.conn.Context().Done() }

// cause returns why the connection has ended, nil while it lives.
func (l *line) cause() error { return context.Cause(l.conn.Context()) }

// close ends the connection.
func (l *line) close(code uint64, why string) {
	l.conn.CloseWithError(quic.ApplicationErrorCode(code), why)
}

// shut ends the connection and waits for everything below it.
func (l *line) shut(code uint64, why string) {
	l.close(code, why)
	l.transport.Close()
}

func (l *line) rtt() time.Duration { return l.conn.ConnectionStats().SmoothedRTT }

// stats reads the connection's statistics. The fork counts losses only with
// its own congestion control.
func (l *line) stats() transport.QUICStats {
	s, m := l.conn.ConnectionStats(), l.tracker.meter.Stats()
	st := transport.QUICStats{
		PacketsSent:        int64(s.PacketsSent),
		PacketsReceived:    int64(s.PacketsReceived),
		PacketsDiscarded:   m.Discarded,
		PacketsLost:        int64(s.PacketsLost),
		BytesSent:          int64(s.BytesSent),
		BytesReceived:      int64(s.BytesReceived),
		BytesLost:          int64(s.BytesLost),
		StreamBytes:        m.StreamBytes,
		RetransmittedBytes: m.Retransmitted,
		Datagrams:          m.Datagrams,
		MinRTT:             ms(s.MinRTT),
		LatestRTT:          ms(s.LatestRTT),
		SmoothedRTT:        ms(s.SmoothedRTT),
		RTTVar:             ms(s.MeanDeviation),
		Window:             int64(l.tracker.state().window),
	}
	if l.cc != nil {
		cs := l.cc.state()
		st.PacketsLost, st.BytesLost = cs.lostPackets, cs.lostBytes
		st.Window = int64(cs.window * transport.QUICPacketSize)
	}
	return st
}

// noAlert is TLS's alert no_application_protocol as a QUIC error, RFC 9001 4.8.
const noAlert = 0x100 + 120

// explain turns the fork's error into one that says what happened.
func explain(err error) error {
	var app *quic.ApplicationError
	var tr *quic.TransportError
	var idle *quic.IdleTimeoutError
	var reset *quic.StatelessResetError
	switch {
	case errors.As(err, &app) && app.Remote:
		return fmt.Errorf("peer closed the connection with code 0x%02x %q: %w", uint64(app.ErrorCode), app.ErrorMessage, err)
	case errors.As(err, &idle):
		return fmt.Errorf("%w: it fell silent: %w", transport.ErrGone, err)
	case errors.As(err, &reset):
		return fmt.Errorf("%w: it has restarted: %w", transport.ErrGone, err)
	case errors.As(err, &tr) && tr.ErrorCode == noAlert:
		return fmt.Errorf("the two ends have no protocol name (ALPN) in common: %w", err)
	case errors.As(err, &tr) && tr.Remote && tr.ErrorCode == quic.ApplicationErrorErrorCode:
		return fmt.Errorf("peer ended the connection during the handshake: %w", err) // what it said is withheld, RFC 9000 10.2.3
	}
	return err
}

// closedCleanly reports whether the peer ended the connection with NO_ERROR.
func closedCleanly(err error) bool {
	var app *quic.ApplicationError
	return errors.As(err, &app) && app.Remote && app.ErrorCode == transport.RoQNoError
}
