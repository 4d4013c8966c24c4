// Package transport carries RTP packets from a sender to a receiver: over UDP,
// over QUIC in three ways (RTP over QUIC, draft-ietf-avtcore-rtp-over-quic-14),
// and over TCP with and without TLS (RFC 4571).
//
// Every transport works over a conn it is given and never opens or closes one
// of its own, so that an emulated path can be put underneath. The exception is
// a stream conn (TCP, TLS): its end is the end of the stream, and Close closes it.
package transport

import (
	"context"
	"crypto/tls"
	"io"
	"math"
	"time"
)

// A Unit is the RTP packets of one access unit, sent as one piece.
type Unit struct {
	Packets  [][]byte  // marshalled RTP packets, in sequence order
	Reliable bool      // deliver at any cost, if the transport can
	Repeat   bool      // if it is not Reliable: repeat what gets lost, unless the sender is behind already
	Expires  time.Time // worthless afterwards; zero = never
}

// A Sender carries units to the far end.
type Sender interface {
	// Send hands over u. It may block: that is the transport's back-pressure.
	// It does not keep u after it returns. When ctx ends it returns ctx's error;
	// what was cut off ends at a packet's border, and a later Send goes on.
	// Calls of Send and Close wait for each other.
	Send(ctx context.Context, u Unit) error

	// Close says that no more units follow, after those under way, and waits a
	// bounded time until the receiver has them. Closing twice is no error.
	Close() error
}

// A Receiver returns the RTP packets that arrive, in order of arrival.
type Receiver interface {
	// Receive appends the next packet to buf[:0] and returns it. It returns
	// io.EOF once the far end has closed, another error when the stream broke
	// off, and ctx's error when ctx ends first; then Receive may be called again.
	Receive(ctx context.Context, buf []byte) ([]byte, error)

	// Close ends the stream from this side and waits for everything the receiver
	// started. Closing twice is no error.
	Close() error
}

// Config says how a stream is carried. The zero value of each field is its default.
type Config struct {
	Mode Mode // QUIC if empty, for Dial and Listen; TCP for DialStream and ListenStream

	// TLS holds the certificate (receivers) or what to trust (senders); the
	// protocol names in it are replaced. See ServerTLS, ClientTLS, InsecureTLS.
	TLS *tls.Config

	Spread    time.Duration // udp and quic-dgram: one unit's packets leave evenly over this long
	Idle      time.Duration // silence that ends a stream whose end mark was lost, 0 = 2 s; udp and quic receivers
	ALPN      []string      // protocol names of QUIC, nil = roq-14
	Flow      uint64        // RoQ flow of the media, 0 = 1; see FlowZero
	Handshake time.Duration // how long a dialler waits for the first sign of life, 0 = 5 s
	Gone      time.Duration // silence after which QUIC counts the peer as gone, 0 = 60 s; a sender keeps it from that if it is not 0
	Linger    time.Duration // how long Close waits without progress, 0 = 10 s + 3 round trips

	// QLog opens the qlog file of one QUIC connection, whose name it is given
	// ("HEX_client.sqlog"); nil, or a nil writer, means none. It is closed when
	// the connection has ended.
	QLog func(name string) io.WriteCloser

	DropCounter func() int64 // datagrams the kernel dropped at the socket, for Stats; see KernelDrops
}

// FlowZero stands for RoQ flow 0 in Config.Flow, whose zero value means flow 1.
const FlowZero = math.MaxUint64

const (
	defaultIdle      = 2 * time.Second
	defaultHandshake = 5 * time.Second
	defaultLinger    = 10 * time.Second
)

func (c Config) flow() uint64 {
	switch c.Flow {
	case 0:
		return MediaFlow
	case FlowZero:
		return 0
	}
	return c.Flow
}

// or returns d, or def if d is zero.
func or(d, def time.Duration) time.Duration {
	if d == 0 {
		return def
	}
	return d
}
