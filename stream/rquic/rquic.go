// Package rquic is rQUIC on today's QUIC: a connection on which reliable access
// units travel in streams and the others in DATAGRAM frames (RFC 9221) that are
// never repeated. The sender drops what is too old to be of use, tells the
// receiver what it dropped and what was lost, and keeps its rate up under
// random loss by a congestion control of its own, adaptive CUBIC.
//
// Media is framed as RTP over QUIC (draft-ietf-avtcore-rtp-over-quic-14), so a
// plain RoQ receiver gets it too, and a Receiver takes plain RoQ senders. What
// is new travels on a control stream that both ends have to know (ALPN).
//
// The sender runs on a fork of quic-go with pluggable congestion control, the
// receiver on quic-go itself. Only fork.go, trace.go and congestion.go see the fork.
package rquic

import (
	"crypto/tls"
	"io"
	"time"

	"github.com/vqeval/vqeval/stream/transport"
)

// Mode names this transport in statistics and result files.
const Mode transport.Mode = "rquic"

// ALPN is the protocol name of RoQ with this package's control stream.
const ALPN = transport.ALPN + controlSuffix

// None, as Expire, PMax, Theta or Gate, asks for no expiry, no random drop, a
// random drop from age zero, and no gate, where zero means the default.
const None = -1

// The defaults of a Config.
const (
	DefaultExpire = 400 * time.Millisecond // upper bound of ITU-T G.114 for one way
	DefaultPMax   = 1
	DefaultTheta  = .5
	DefaultGate   = 4
	DefaultQueue  = 64 << 20

	defaultHandshake = 5 * time.Second
	defaultLinger    = 10 * time.Second
)

// Config says how a stream is carried. The zero value of each field is its
// default. Receivers use TLS, ALPN, Flow, Idle, Gone, QLog and DropCounter only.
type Config struct {
	// TLS holds the certificate (receivers) or what to trust (senders); the
	// protocol names in it are replaced.
	TLS *tls.Config

	CC       Congestion // congestion control
	ERule    ERule      // of adaptive CUBIC
	LossRule LossRule   // of adaptive CUBIC
	Policy   Policy     // what the caller marks as reliable; told to the receiver, nothing else

	// Expire is x, the age at which a unit that is not reliable is dropped, up
	// to 49 days; 0 = DefaultExpire. A unit was captured at Unit.Expires - Expire,
	// one without Expires when Send was called.
	Expire time.Duration
	PMax   float64 // chance in (0, 1] of the random drop just before expiry, 0 = 1
	Theta  float64 // share of Expire in (0, 1) from which that chance rises from 0, 0 = .5
	Seed   uint64  // of the random drop, 0 = 1; equal seeds draw equally

	Gate  int // datagrams at most inside QUIC, 0 = 4: they cannot be recalled and go before streams
	Queue int // bytes of packets that wait in the sender before Send blocks, 0 = 64 MiB

	SSRC      uint32        // of the media, as far as it is known before the first packet
	ALPN      []string      // protocol names, the preferred first; nil = ALPN, transport.ALPN
	Flow      uint64        // RoQ flow of the media, 0 = 1; see transport.FlowZero
	Handshake time.Duration // how long Dial waits for the first sign of life, 0 = 5 s
	Linger    time.Duration // how long the sender's Close waits without progress, 0 = 10 s + 3 round trips
	Gone      time.Duration // silence after which the peer counts as gone, 0 = 60 s; a sender keeps it from that if it is not 0
	Idle      time.Duration // silence that ends a plain RoQ sender's streams without an end mark, 0 = never

	// QLog opens the qlog file of one connection, whose name it is given
	// ("HEX_client.sqlog"); nil, or a nil writer, means none. It is closed when
	// the connection has ended.
	QLog func(name string) io.WriteCloser

	DropCounter func() int64 // datagrams the kernel dropped at the socket, for Stats
}

func (c Config) alpn() []string {
	if len(c.ALPN) == 0 {
		return []string{ALPN, transport.ALPN}
	}
	return c.ALPN
}

func (c Config) flow() uint64 {
	switch c.Flow {
	case 0:
		return transport.MediaFlow
	case transport.FlowZero:
		return 0
	}
	return c.Flow
}

func (c Config) queue() int { return or(c.Queue, DefaultQueue) }

// gate returns the number of datagrams inside QUIC at which the gate shuts.
func (c Config) gate() int {
	if c.Gate < 0 {
		return 1 << 30
	}
	return or(c.Gate, DefaultGate)
}

// or returns v, or def if v is zero.
func or[T comparable](v, def T) T {
	var zero T
	if v == zero {
		return def
	}
	return v
}
