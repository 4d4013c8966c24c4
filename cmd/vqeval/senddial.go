package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"syscall"
	"time"

	"github.com/vqeval/vqeval/decode"
	"github.com/vqeval/vqeval/stream/transport"
)

// connectWithin is how long a receiver has to answer.
const connectWithin = 5 * time.Second

// outgoing is a transport's sending end with the socket below it.
type outgoing struct {
	transport.Sender
	socket net.PacketConn // nil for TCP and TLS, whose sender owns it
}

func (o *outgoing) close() error {
	err := o.Sender.Close()
	if o.socket != nil {
		err = errors.Join(err, o.socket.Close())
	}
	return err
}

func (a *app) dial(ctx context.Context, f sendFlags, clip decode.Clip) (*outgoing, error) {
	to, err := resolveUDP(f.to)
	if err != nil {
		return nil, err
	}
	c, err := f.config()
	if err != nil {
		return nil, err
	}
	c.Handshake = connectWithin
	if !f.max {
		c.Spread = time.Duration(f.pace * float64(time.Second) / clip.FrameRate.Float())
	}
	host, _, _ := net.SplitHostPort(f.to)
	if f.secure() {
		if c.TLS, err = senderTLS(a, f.ca, f.insecure, to.IP, host); err != nil {
			return nil, err
		}
	}
	if !c.Mode.Packets() {
		return dialTCP(ctx, f.to, c)
	}
	socket, err := net.ListenUDP("udp", nil)
	if err != nil {
		return nil, fmt.Errorf("socket: %w", err)
	}
	if c.Mode == transport.UDP {
		transport.ReportRefusals(socket)
	}
	var tx transport.Sender
	if f.partial() {
		tx, err = a.dialRQUIC(ctx, f, socket, to, c)
	} else {
		tx, err = transport.Dial(ctx, socket, to, c)
	}
	if err != nil {
		socket.Close()
		return nil, explainDial(err, f.to)
	}
	return &outgoing{tx, socket}, nil
}

func dialTCP(ctx context.Context, to string, c transport.Config) (*outgoing, error) {
	conn, err := (&net.Dialer{Timeout: connectWithin}).DialContext(ctx, "tcp", to)
	if err != nil {
		return nil, explainDial(err, to)
	}
	tx, err := transport.DialStream(ctx, conn, c)
	if err != nil {
		return nil, explainDial(err, to)
	}
	return &outgoing{Sender: tx}, nil
}

// explainDial adds to an error of connecting what usually helps.
func explainDial(err error, to string) error {
	const start = "; hint: start the receiver first: vqeval recv --listen ADDR:PORT with the same --transport"
	var cert *tls.CertificateVerificationError
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case errors.As(err, &cert):
		return fmt.Errorf("connect to %s: its certificate is not trusted (%w); hint: --ca FILE trusts a certificate, --insecure takes any", to, cert.Err)
	case errors.Is(err, transport.ErrNoAnswer), errors.Is(err, os.ErrDeadlineExceeded):
		return fmt.Errorf("connect to %s: %w within %v%s", to, transport.ErrNoAnswer, connectWithin, start)
	case errors.Is(err, syscall.ECONNREFUSED):
		return fmt.Errorf("connect to %s: %w%s", to, syscall.ECONNREFUSED, start)
	}
	return fmt.Errorf("connect to %s: %w", to, err)
}

// explainSend says of a receiver that went away that it did so.
func explainSend(err error, to string) error {
	switch {
	case err == nil, errors.Is(err, context.Canceled):
		return err
	case errors.Is(err, syscall.EPIPE), errors.Is(err, syscall.ECONNRESET):
		return fmt.Errorf("the receiver at %s has gone away: %w", to, err)
	}
	return fmt.Errorf("to %s: %w", to, err)
}
