package transport

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"time"

	"github.com/quic-go/quic-go"
)

// Limits of QUIC connections, the same for both ends and every mode, so that
// modes differ in nothing else.
const (
	QUICPacketSize       = 1280             // bytes of UDP payload of a full packet, for the whole connection
	QUICIdleTimeout      = 60 * time.Second // silence after which a peer counts as gone
	QUICHandshakeTimeout = 30 * time.Second // silence during the handshake; 5 s is short at 500 ms RTT and 10 % loss
	QUICStreams          = 4096             // unidirectional streams open at once
)

// QUICConfig returns the settings of every QUIC connection of this module.
func QUICConfig() *quic.Config {
	return &quic.Config{
		Versions:                         []quic.Version{quic.Version1},
		EnableDatagrams:                  true,
		DisablePathMTUDiscovery:          true,
		InitialPacketSize:                QUICPacketSize,
		MaxIncomingUniStreams:            QUICStreams,
		EnableStreamResetPartialDelivery: true,
		MaxIdleTimeout:                   QUICIdleTimeout,
		HandshakeIdleTimeout:             QUICHandshakeTimeout,
	}
}

// TLSFor returns a copy of conf for protocols, or ErrNoTLS.
func TLSFor(conf *tls.Config, protocols ...string) (*tls.Config, error) {
	if conf == nil {
		return nil, ErrNoTLS
	}
	conf = conf.Clone()
	conf.NextProtos = protocols
	conf.MinVersion = tls.VersionTLS13
	return conf, nil
}

func (c Config) alpn() []string {
	if len(c.ALPN) == 0 {
		return []string{ALPN}
	}
	return c.ALPN
}

// ErrNoAnswer reports that nothing at all came back from the far end.
var ErrNoAnswer = errors.New("no answer")

// ErrGone reports a peer that fell silent in the middle.
var ErrGone = errors.New("peer gone")

// noAlert is TLS's alert no_application_protocol as a QUIC error, RFC 9001 4.8.
const noAlert = 0x100 + 120

// explain turns quic-go's error into one that says what happened.
func explain(err error) error {
	var app *quic.ApplicationError
	var tr *quic.TransportError
	var idle *quic.IdleTimeoutError
	var reset *quic.StatelessResetError
	switch {
	case errors.As(err, &app) && app.Remote:
		return fmt.Errorf("peer closed the connection with code 0x%02x %q: %w", uint64(app.ErrorCode), app.ErrorMessage, err)
	case errors.As(err, &idle):
		return fmt.Errorf("%w: it fell silent: %w", ErrGone, err)
	case errors.As(err, &reset):
		return fmt.Errorf("%w: it has restarted: %w", ErrGone, err)
	case errors.As(err, &tr) && tr.ErrorCode == noAlert:
		return fmt.Errorf("the two ends have no protocol name (ALPN) in common: %w", err)
	}
	return err
}

// closedCleanly reports whether the peer ended the connection with NO_ERROR.
func closedCleanly(err error) bool {
	var app *quic.ApplicationError
	return errors.As(err, &app) && app.Remote && app.ErrorCode == RoQNoError
}

// quicStats reads a connection's own statistics.
func quicStats(conn *quic.Conn, m MeterStats) QUICStats {
	s := conn.ConnectionStats()
	return QUICStats{
		PacketsSent:        int64(s.PacketsSent),
		PacketsReceived:    int64(s.PacketsReceived),
		PacketsDiscarded:   m.Discarded,
		PacketsOverflow:    m.Overflowed,
		PacketsLost:        int64(s.PacketsLost),
		BytesSent:          int64(s.BytesSent),
		BytesReceived:      int64(s.BytesReceived),
		BytesLost:          int64(s.BytesLost),
		StreamBytes:        m.StreamBytes,
		RetransmittedBytes: m.Retransmitted,
		Datagrams:          m.Datagrams,
		MinRTT:             milliseconds(s.MinRTT),
		LatestRTT:          milliseconds(s.LatestRTT),
		SmoothedRTT:        milliseconds(s.SmoothedRTT),
		RTTVar:             milliseconds(s.MeanDeviation),
		Window:             int64(s.CongestionWindow),
	}
}

// FirstAnswer cancels ctx with ErrNoAnswer unless the peer has been heard within d.
func FirstAnswer(ctx context.Context, m *Meter, d time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	timer := time.AfterFunc(d, func() {
		if !m.Heard() {
			cancel(ErrNoAnswer)
		}
	})
	return ctx, func() { timer.Stop(); cancel(nil) }
}
