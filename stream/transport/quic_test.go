package transport_test

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/vqeval/vqeval/stream/link"
	"github.com/vqeval/vqeval/stream/transport"
)

func unit(packets ...[]byte) transport.Unit { return transport.Unit{Packets: packets} }

// TestDialErrors: each failure to connect says what is wrong.
func TestDialErrors(t *testing.T) {
	cert, other := newCertificate(t), newCertificate(t)
	for _, c := range []struct {
		name           string
		client, server transport.Config
		want           string
	}{
		{"nothing to trust", transport.Config{}, transport.Config{TLS: cert.server}, "no TLS configuration"},
		{"another certificate", transport.Config{TLS: other.client}, transport.Config{TLS: cert.server}, "unknown authority"},
		{"another name", transport.Config{TLS: renamed(cert.client)}, transport.Config{TLS: cert.server}, "other.test"},
		{"another protocol", transport.Config{TLS: cert.client, ALPN: []string{"roq-09"}}, transport.Config{TLS: cert.server}, "no protocol name (ALPN) in common"},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, a, b *link.End) {
				r, err := transport.Listen(b, c.server)
				if err != nil {
					t.Fatal(err)
				}
				defer r.Close()
				start := time.Now()
				_, err = transport.Dial(t.Context(), a, b.LocalAddr(), c.client)
				if err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("got %v, want one that says %q", err, c.want)
				}
				if took := time.Since(start); took > time.Second {
					t.Errorf("took %v", took)
				}
			})
		})
	}
	if _, err := transport.Listen(nil, transport.Config{}); !errors.Is(err, transport.ErrNoTLS) {
		t.Errorf("listen without certificate: %v", err)
	}
	if _, err := transport.Listen(nil, transport.Config{Mode: transport.TCP}); !errors.Is(err, transport.ErrMode) {
		t.Errorf("listen for tcp on packets: %v", err)
	}
}

// TestDatagramSpread: a unit's datagrams leave evenly over the configured time.
func TestDatagramSpread(t *testing.T) {
	cert := newCertificate(t)
	bubble(t, func(t *testing.T, a, b *link.End) {
		c := transport.Config{Mode: transport.QUICDatagram, TLS: cert.server}
		r, err := transport.Listen(b, c)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		c.TLS, c.Spread = cert.client, 400*time.Millisecond
		s, err := transport.Dial(t.Context(), a, b.LocalAddr(), c)
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			defer s.Close()
			if err := s.Send(t.Context(), unit(rtp(20), rtp(20), rtp(20), rtp(20))); err != nil {
				t.Error(err)
			}
		}()
		var first time.Time
		for i := range 4 {
			if _, err := r.Receive(t.Context(), nil); err != nil {
				t.Fatal(err)
			}
			if i == 0 {
				first = time.Now()
			}
			if got, want := time.Since(first), time.Duration(i)*100*time.Millisecond; got != want {
				t.Errorf("packet %d %v after the first, want %v", i, got, want)
			}
		}
	})
}

func renamed(c *tls.Config) *tls.Config {
	c = c.Clone()
	c.ServerName = "other.test"
	return c
}

// TestSlowHandshake: a receiver that answers in time may take longer than that
// for the whole handshake. Its long certificate needs 13 s on this path.
func TestSlowHandshake(t *testing.T) {
	var names []string
	for i := range 150 {
		names = append(names, fmt.Sprintf("receiver-%03d.example.test", i))
	}
	cert, err := transport.SelfSigned(rand.Reader, names...)
	if err != nil {
		t.Fatal(err)
	}
	trust, err := transport.TrustTLS(cert)
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		a, b := link.Pipe(link.Profile{
			Down: link.Direction{Rate: 20 * link.Kbps, Queue: 1 << 20},
			Up:   link.Direction{Rate: 4 * link.Kbps, Queue: 1 << 20},
		}, 1, link.PipeOptions{})
		defer a.Close()
		defer b.Close()
		r, err := transport.Listen(b, transport.Config{TLS: transport.ServerTLS(cert)})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		start := time.Now()
		s, err := transport.Dial(t.Context(), a, b.LocalAddr(), transport.Config{TLS: trust})
		took := time.Since(start)
		if err != nil || took < 6*time.Second {
			t.Fatalf("dial: %v after %v", err, took)
		}
		go s.Close()
		if _, err := drain(r); !errors.Is(err, io.EOF) {
			t.Error(err)
		}
	})
}

// TestDialCancelled: ctx ends the dialling, with its own error.
func TestDialCancelled(t *testing.T) {
	cert := newCertificate(t)
	bubble(t, func(t *testing.T, a, b *link.End) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := transport.Dial(ctx, a, b.LocalAddr(), transport.Config{TLS: cert.client})
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
	})
}

// TestCloseBeforeSender: a receiver to which nobody came closes at once, and a
// Receive that waits says so.
func TestCloseBeforeSender(t *testing.T) {
	cert := newCertificate(t)
	bubble(t, func(t *testing.T, _, b *link.End) {
		r, err := transport.Listen(b, transport.Config{TLS: cert.server})
		if err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(time.Second, func() { r.Close() })
		if _, err := r.Receive(context.Background(), nil); !errors.Is(err, net.ErrClosed) {
			t.Errorf("got %v, want net.ErrClosed", err)
		}
	})
}

// TestRetransmitted: what a lossy path costs stands in the statistics.
func TestRetransmitted(t *testing.T) {
	cert := newCertificate(t)
	synctest.Test(t, func(t *testing.T) {
		a, b := link.Pipe(link.Symmetric("", link.Direction{Delay: 10 * time.Millisecond, Loss: .05}), 3, link.PipeOptions{})
		defer a.Close()
		defer b.Close()
		s, r := pair(t, a, b, cert, transport.Config{Mode: transport.QUICAU})
		go func() {
			for range 100 {
				s.Send(context.Background(), unit(rtp(1000), rtp(1000), rtp(1000)))
			}
			s.Close()
		}()
		if n, err := drain(r); n != 300 || !errors.Is(err, io.EOF) {
			t.Errorf("received %d packets, then %v", n, err)
		}
		r.Close()
		q := transport.StatsOf(s).QUIC
		if q.RetransmittedBytes < 5000 || q.StreamBytes-q.RetransmittedBytes < 300*1000 || q.PacketsLost == 0 {
			t.Errorf("statistics %+v", q)
		}
		if q.SmoothedRTT < 20 || q.SmoothedRTT > 60 || q.Window == 0 {
			t.Errorf("round trip %v ms, window %d bytes", q.SmoothedRTT, q.Window)
		}
	})
}

func pair(t *testing.T, a, b *link.End, cert certificate, c transport.Config) (transport.Sender, transport.Receiver) {
	t.Helper()
	c.TLS = cert.server
	r, err := transport.Listen(b, c)
	if err != nil {
		t.Fatal(err)
	}
	c.TLS = cert.client
	s, err := transport.Dial(t.Context(), a, b.LocalAddr(), c)
	if err != nil {
		t.Fatal(err)
	}
	return s, r
}

// TestOldestFirst: after a loss on a slow path an older unit is complete before
// a younger one.
func TestOldestFirst(t *testing.T) {
	cert := newCertificate(t)
	synctest.Test(t, func(t *testing.T) {
		a, b := link.Pipe(link.Symmetric("", link.Direction{Rate: link.Mbps, Queue: 16 << 10, Delay: 10 * time.Millisecond}), 1, link.PipeOptions{})
		defer a.Close()
		defer b.Close()
		s, r := pair(t, a, b, cert, transport.Config{Mode: transport.QUICAU, Flow: transport.FlowZero})
		go func() {
			for i := range 60 {
				p := rtp(1100)
				p[7] = byte(i)
				s.Send(context.Background(), unit(p, p, p))
			}
			s.Close()
		}()
		var swaps, last int
		for n := 0; ; n++ {
			p, err := r.Receive(context.Background(), nil)
			if err != nil {
				if n != 180 {
					t.Errorf("received %d packets, then %v", n, err)
				}
				break
			}
			if int(p[7]) < last {
				swaps++
			}
			last = max(last, int(p[7]))
		}
		r.Close()
		// A loss lets what was already on the way pass, and nothing else.
		if lost := transport.StatsOf(s).QUIC.PacketsLost; swaps > 4*int(lost) {
			t.Errorf("%d packets of older units came after younger ones, with %d losses", swaps, lost)
		}
	})
}
