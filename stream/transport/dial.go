package transport

import (
	"context"
	"errors"
	"fmt"
	"net"
)

// ErrMode reports a mode that the called function does not serve.
var ErrMode = errors.New("transport does not run over this kind of conn")

// ErrNoTLS reports a mode that needs a TLS configuration and got none.
var ErrNoTLS = errors.New("no TLS configuration: a receiver needs a certificate, a sender something to trust")

// Dial returns a sender over conn to the receiver at to, for the modes udp,
// quic, quic-au and quic-dgram. The modes of QUIC shake hands: an absent
// receiver is ErrNoAnswer. UDP cannot know. The conn stays the caller's, and
// nobody else may use it until the sender is closed.
func Dial(ctx context.Context, conn net.PacketConn, to net.Addr, c Config) (Sender, error) {
	switch c.Mode {
	case UDP:
		return newUDPSender(conn, to, c), nil
	case QUIC, QUICAU, QUICDatagram, "":
		s, err := dialQUIC(ctx, conn, to, c)
		if err != nil {
			return nil, err
		}
		return s, nil
	}
	return nil, fmt.Errorf("%w: %s over packets", ErrMode, c.Mode)
}

// Listen returns a receiver over conn for one sender, for the modes udp, quic,
// quic-au and quic-dgram. It does not wait for the sender; Receive does. The
// conn stays the caller's, and nobody else may use it until the receiver is closed.
func Listen(conn net.PacketConn, c Config) (Receiver, error) {
	switch c.Mode {
	case UDP:
		return newUDPReceiver(conn, c), nil
	case QUIC, QUICAU, QUICDatagram, "":
		r, err := listenQUIC(conn, c)
		if err != nil {
			return nil, err
		}
		return r, nil
	}
	return nil, fmt.Errorf("%w: %s over packets", ErrMode, c.Mode)
}

// DialStream returns a sender over the connected conn, for the modes tcp and
// tls. The sender owns conn: Close closes it, and so does an error.
func DialStream(ctx context.Context, conn net.Conn, c Config) (Sender, error) {
	switch c.Mode {
	case TCP, TLS, "":
		s, err := dialStream(ctx, conn, c)
		if err != nil {
			return nil, err
		}
		return s, nil
	}
	return nil, fmt.Errorf("%w: %s over a stream", ErrMode, c.Mode)
}

// ListenStream returns a receiver for the first sender that connects to l, for
// the modes tcp and tls. The receiver owns l: it closes it once that sender is
// there, so that others are refused, or on Close.
func ListenStream(l net.Listener, c Config) (Receiver, error) {
	switch c.Mode {
	case TCP, TLS, "":
		r, err := listenStream(l, c)
		if err != nil {
			return nil, err
		}
		return r, nil
	}
	return nil, fmt.Errorf("%w: %s over a stream", ErrMode, c.Mode)
}
