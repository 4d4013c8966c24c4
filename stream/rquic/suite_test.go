package rquic_test

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/vqeval/vqeval/stream/link"
	"github.com/vqeval/vqeval/stream/rquic"
	"github.com/vqeval/vqeval/stream/transport"
	"github.com/vqeval/vqeval/stream/transport/transporttest"
)

// certificate is a receiver's configuration and one of a sender that trusts it.
type certificate struct{ server, client *tls.Config }

func newCertificate(t testing.TB) certificate {
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
		c.CurvePreferences = []tls.CurveID{tls.X25519} // the cheapest
	}
	return certificate{server, client}
}

// marker is a Sender that makes every nth unit reliable, none if n is 0.
type marker struct {
	*rquic.Sender
	n     int64
	units atomic.Int64
}

func (m *marker) Send(ctx context.Context, u transport.Unit) error {
	i := m.units.Add(1)
	u.Reliable = m.n > 0 && i%m.n == 0
	return m.Sender.Send(ctx, u)
}

// connect connects both ends over p for the suite: nothing expires, and Send
// blocks soon, as the suite expects of a transport with back-pressure.
func connect(cert certificate, n int64, cc rquic.Congestion) func(context.Context, *testing.T, link.Profile) (transporttest.Ends, error) {
	return func(ctx context.Context, t *testing.T, p link.Profile) (e transporttest.Ends, err error) {
		a, b := link.Pipe(p, 1, link.PipeOptions{})
		t.Cleanup(func() { a.Close(); b.Close() })
		e.Cut = func() { a.Close() }
		r, err := rquic.Listen(b, rquic.Config{TLS: cert.server})
		if err != nil {
			return e, err
		}
		s, err := rquic.Dial(ctx, a, b.LocalAddr(), rquic.Config{TLS: cert.client, CC: cc, Expire: rquic.None, Queue: 1})
		if err != nil {
			r.Close()
			return e, err
		}
		e.Receiver, e.Sender = r, &marker{Sender: s, n: n}
		return e, nil
	}
}

func TestNothingReliable(t *testing.T) {
	transporttest.Run(t, transporttest.Dialer{
		Bubble: synctest.Test, Connect: connect(newCertificate(t), 0, rquic.Reno), Blocks: true, Handshakes: true, Notices: true,
	})
}

func TestEverythingReliable(t *testing.T) {
	transporttest.Run(t, transporttest.Dialer{
		Bubble: synctest.Test, Connect: connect(newCertificate(t), 1, rquic.AdaptiveCubic),
		Lossless: true, Blocks: true, Handshakes: true, Notices: true,
	})
}

func TestMixed(t *testing.T) {
	transporttest.Run(t, transporttest.Dialer{
		Bubble: synctest.Test, Connect: connect(newCertificate(t), 3, rquic.Reno), Blocks: true, Handshakes: true, Notices: true,
	})
}
