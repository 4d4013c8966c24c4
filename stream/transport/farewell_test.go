package transport_test

import (
	"context"
	"errors"
	"io"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vqeval/vqeval/stream/link"
	"github.com/vqeval/vqeval/stream/transport"
)

// deaf loses what is written while lose is positive, one packet each.
type deaf struct {
	refusing
	lose atomic.Int64
}

func (d *deaf) WriteTo(p []byte, to net.Addr) (int, error) {
	if d.lose.Add(-1) >= 0 {
		return len(p), nil
	}
	return d.conn.WriteTo(p, to)
}

func (d *deaf) SetReadBuffer(int) error  { return nil }
func (d *deaf) SetWriteBuffer(int) error { return nil }

// TestLostGoodbye: the receiver repeats a goodbye that got lost, so the sender
// need not wait for its patience to end.
func TestLostGoodbye(t *testing.T) {
	cert := newCertificate(t)
	bubble(t, func(t *testing.T, a, b *link.End) {
		far := &deaf{refusing: refusing{conn: b}}
		r, err := transport.Listen(far, transport.Config{TLS: cert.server})
		if err != nil {
			t.Fatal(err)
		}
		s, err := transport.Dial(t.Context(), a, b.LocalAddr(), transport.Config{TLS: cert.client})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Send(t.Context(), unit(rtp(1000))); err != nil {
			t.Fatal(err)
		}
		if _, err := r.Receive(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		far.lose.Store(1)
		closed := make(chan error, 1)
		start := time.Now()
		go func() { closed <- s.Close() }()
		if _, err := drain(r); !errors.Is(err, io.EOF) {
			t.Errorf("receiver: %v", err)
		}
		r.Close()
		if err := <-closed; err != nil {
			t.Errorf("sender: %v", err)
		}
		if took := time.Since(start); took > time.Second {
			t.Errorf("the end took %v", took)
		}
	})
}

// TestReceiverVanishes: a receiver that is gone without a goodbye is an error
// of a Send that waits after the idle timeout, and of Close after its patience.
func TestReceiverVanishes(t *testing.T) {
	cert := newCertificate(t)
	for _, m := range []transport.Mode{transport.QUIC, transport.QUICAU, transport.QUICDatagram} {
		t.Run(string(m), func(t *testing.T) {
			bubble(t, func(t *testing.T, a, b *link.End) {
				s, r := pair(t, a, b, cert, transport.Config{Mode: m})
				b.Close()
				start := time.Now()
				var err error
				for err == nil {
					err = s.Send(context.Background(), unit(rtp(1000)))
				}
				if took := time.Since(start); !errors.Is(err, transport.ErrGone) || took > 61*time.Second {
					t.Errorf("send: %v after %v", err, took)
				}
				if err := s.Close(); !errors.Is(err, transport.ErrGone) {
					t.Errorf("close: %v", err)
				}
				r.Close()
			})
			bubble(t, func(t *testing.T, a, b *link.End) {
				s, r := pair(t, a, b, cert, transport.Config{Mode: m})
				if err := s.Send(context.Background(), unit(rtp(1000))); err != nil {
					t.Fatal(err)
				}
				b.Close()
				start := time.Now()
				err := s.Close()
				if took := time.Since(start); !errors.Is(err, transport.ErrUnconfirmed) || took > 11*time.Second {
					t.Errorf("close: %v after %v", err, took)
				}
				r.Close()
			})
		})
	}
}

// TestUnreadEnd: a receiver whose application is slow still gets everything
// after the sender has closed, and the sender waits for it.
func TestUnreadEnd(t *testing.T) {
	cert := newCertificate(t)
	bubble(t, func(t *testing.T, a, b *link.End) {
		s, r := pair(t, a, b, cert, transport.Config{Mode: transport.QUIC})
		closed := make(chan error, 1)
		go func() {
			var u transport.Unit
			for range 1000 {
				u.Packets = append(u.Packets, rtp(1000))
			}
			s.Send(context.Background(), u)
			closed <- s.Close()
		}()
		time.Sleep(8 * time.Second)
		if n, err := drain(r); n != 1000 || !errors.Is(err, io.EOF) {
			t.Errorf("received %d of 1000 packets, then %v", n, err)
		}
		r.Close()
		if err := <-closed; err != nil {
			t.Errorf("close: %v", err)
		}
	})
}
