package transport_test

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"testing"
	"testing/synctest"

	"github.com/vqeval/vqeval/stream/link"
	"github.com/vqeval/vqeval/stream/transport"
	"github.com/vqeval/vqeval/stream/transport/transporttest"
)

// overPackets connects a mode that runs over a packet conn.
func overPackets(m transport.Mode, cert certificate) func(context.Context, *testing.T, link.Profile) (transporttest.Ends, error) {
	return func(ctx context.Context, t *testing.T, p link.Profile) (e transporttest.Ends, err error) {
		a, b := link.Pipe(p, 1, link.PipeOptions{})
		t.Cleanup(func() { a.Close(); b.Close() })
		e.Cut = func() { a.Close() }
		if e.Receiver, err = transport.Listen(b, transport.Config{Mode: m, TLS: cert.server}); err != nil {
			return e, err
		}
		if e.Sender, err = transport.Dial(ctx, a, b.LocalAddr(), transport.Config{Mode: m, TLS: cert.client}); err != nil {
			e.Receiver.Close()
		}
		return e, err
	}
}

func TestUDP(t *testing.T) {
	transporttest.Run(t, transporttest.Dialer{Bubble: synctest.Test, Connect: overPackets(transport.UDP, newCertificate(t))})
}

func TestQUIC(t *testing.T) {
	transporttest.Run(t, transporttest.Dialer{
		Bubble: synctest.Test, Connect: overPackets(transport.QUIC, newCertificate(t)),
		Lossless: true, Ordered: true, Blocks: true, Handshakes: true, Notices: true,
	})
}

func TestQUICAU(t *testing.T) {
	transporttest.Run(t, transporttest.Dialer{
		Bubble: synctest.Test, Connect: overPackets(transport.QUICAU, newCertificate(t)),
		Lossless: true, Blocks: true, Handshakes: true, Notices: true,
	})
}

func TestQUICDatagram(t *testing.T) {
	transporttest.Run(t, transporttest.Dialer{
		Bubble: synctest.Test, Connect: overPackets(transport.QUICDatagram, newCertificate(t)),
		Blocks: true, Handshakes: true, Notices: true,
	})
}

// overStream connects a mode that runs over a stream conn, here one in memory.
func overStream(m transport.Mode, cert certificate) func(context.Context, *testing.T, link.Profile) (transporttest.Ends, error) {
	return func(ctx context.Context, t *testing.T, p link.Profile) (e transporttest.Ends, err error) {
		a, b := streamPipe(p)
		t.Cleanup(func() { a.cut(); b.cut() })
		e.Cut = a.cut
		if e.Receiver, err = transport.ListenStream(&oneConn{conn: b}, transport.Config{Mode: m, TLS: cert.server}); err != nil {
			return e, err
		}
		e.Sender, err = transport.DialStream(ctx, a, transport.Config{Mode: m, TLS: cert.client})
		if err != nil {
			e.Receiver.Close()
		}
		return e, err
	}
}

func TestTCP(t *testing.T) {
	transporttest.Run(t, transporttest.Dialer{
		Bubble: synctest.Test, Connect: overStream(transport.TCP, certificate{}),
		Lossless: true, Ordered: true, Blocks: true, Notices: true,
	})
}

func TestTLS(t *testing.T) {
	transporttest.Run(t, transporttest.Dialer{
		Bubble: synctest.Test, Connect: overStream(transport.TLS, newCertificate(t)),
		Lossless: true, Ordered: true, Blocks: true, Handshakes: true, Notices: true,
	})
}

// certificate is a receiver's configuration and one of a sender that trusts it.
type certificate struct{ server, client *tls.Config }

func newCertificate(t *testing.T) certificate {
	t.Helper()
	cert, err := transport.SelfSigned(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	client, err := transport.TrustTLS(cert)
	if err != nil {
		t.Fatal(err)
	}
	server := transport.ServerTLS(cert)
	for _, c := range []*tls.Config{server, client} {
		c.CurvePreferences = []tls.CurveID{tls.X25519} // the cheapest, and there are hundreds of handshakes
	}
	return certificate{server, client}
}
