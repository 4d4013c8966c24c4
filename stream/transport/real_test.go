package transport_test

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/vqeval/vqeval/stream/transport"
)

// TestRealSockets carries a few units over the loopback interface in every
// mode, with both ends in this process, and leaves no goroutine behind.
func TestRealSockets(t *testing.T) {
	cert := newCertificate(t)
	for _, m := range transport.Modes() {
		t.Run(string(m), func(t *testing.T) {
			s, r := loopback(t, m, cert)
			sent := make(chan error, 1)
			go func() {
				var err error
				for i := 0; i < 20 && err == nil; i++ {
					err = s.Send(context.Background(), unit(rtp(1199), rtp(1199), rtp(500)))
				}
				sent <- errors.Join(err, s.Close())
			}()
			n, err := drain(r)
			if !errors.Is(err, io.EOF) || n != 60 {
				t.Errorf("received %d of 60 packets, then %v", n, err)
			}
			if err := r.Close(); err != nil {
				t.Error(err)
			}
			if err := <-sent; err != nil {
				t.Error(err)
			}
			noGoroutines(t)
		})
	}
}

func loopback(t *testing.T, m transport.Mode, cert certificate) (transport.Sender, transport.Receiver) {
	t.Helper()
	c := transport.Config{Mode: m, TLS: cert.client}
	if m.Packets() {
		a, b := socket(t), socket(t)
		r, err := transport.Listen(b, transport.Config{Mode: m, TLS: cert.server})
		if err != nil {
			t.Fatal(err)
		}
		s, err := transport.Dial(t.Context(), a, b.LocalAddr(), c)
		if err != nil {
			t.Fatal(err)
		}
		return s, r
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r, err := transport.ListenStream(l, transport.Config{Mode: m, TLS: cert.server})
	if err != nil {
		t.Fatal(err)
	}
	conn, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	s, err := transport.DialStream(t.Context(), conn, c)
	if err != nil {
		t.Fatal(err)
	}
	return s, r
}

func socket(t *testing.T) *net.UDPConn {
	t.Helper()
	conn, _, err := transport.ListenUDP("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// noGoroutines fails t if code of this package or of quic-go still runs a while
// after everything was closed.
func noGoroutines(t *testing.T) {
	t.Helper()
	var left string
	for range 100 {
		buf := make([]byte, 1<<20)
		left = ""
		for _, g := range strings.Split(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
			if strings.Contains(g, "quic-go.") || strings.Contains(g, "created by github.com/vqeval/vqeval/stream/transport.") {
				left += g + "\n\n"
			}
		}
		if left == "" {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("goroutines left:\n%s", left)
}

// TestStreamInput: what a TCP peer may break.
func TestStreamInput(t *testing.T) {
	good := append([]byte{0, 20}, rtp(20)...)
	for _, c := range []struct {
		name string
		in   []byte
		got  int
		want error
		st   transport.Stats
	}{
		{"nothing", nil, 0, io.EOF, transport.Stats{}},
		{"one record", good, 1, io.EOF, transport.Stats{}},
		{"length 0", append(good, 0, 0, 0, 20), 1, transport.ErrTruncated, transport.Stats{Truncated: 1}},
		{"cut in the length", append(good, 0), 1, transport.ErrTruncated, transport.Stats{Truncated: 1}},
		{"cut after the length", append(good, 0, 20), 1, transport.ErrTruncated, transport.Stats{Truncated: 1}},
		{"cut in the packet", append(good, 0, 20, 0x80), 1, transport.ErrTruncated, transport.Stats{Truncated: 1}},
		{"no RTP", append([]byte{0, 3, 1, 2, 3}, good...), 1, io.EOF, transport.Stats{Malformed: 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			r, err := transport.ListenStream(l, transport.Config{Mode: transport.TCP})
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			conn, err := net.Dial("tcp", l.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			conn.Write(c.in)
			conn.Close()
			n, err := drain(r)
			if n != c.got || !errors.Is(err, c.want) {
				t.Errorf("received %d packets, then %v, want %d and %v", n, err, c.got, c.want)
			}
			checkCounters(t, transport.StatsOf(r), c.st)
		})
	}
}

// TestTLSErrors: what a TLS sender may find at the far end.
func TestTLSErrors(t *testing.T) {
	cert, other := newCertificate(t), newCertificate(t)
	for _, c := range []struct {
		name string
		conf *tls.Config
		want string
	}{
		{"nothing to trust", nil, "no TLS configuration"},
		{"another certificate", other.client, "unknown authority"},
	} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		r, err := transport.ListenStream(l, transport.Config{Mode: transport.TLS, TLS: cert.server})
		if err != nil {
			t.Fatal(err)
		}
		conn, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		_, err = transport.DialStream(t.Context(), conn, transport.Config{Mode: transport.TLS, TLS: c.conf})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want one that says %q", c.name, err, c.want)
		}
		if _, err := drain(r); err == nil || errors.Is(err, io.EOF) {
			t.Errorf("%s: the receiver got %v", c.name, err)
		}
		r.Close()
	}
}

// TestStreamUnread: a TCP receiver that leaves with data unread has not confirmed
// it. Over TLS its goodbye comes first all the same, and nothing can be told.
func TestStreamUnread(t *testing.T) {
	s, r := loopback(t, transport.TCP, certificate{})
	var u transport.Unit
	for range 200 {
		u.Packets = append(u.Packets, rtp(1000))
	}
	if err := s.Send(t.Context(), u); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Receive(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	closed := make(chan error, 1)
	go func() { closed <- s.Close() }()
	select {
	case err := <-closed:
		t.Errorf("closed with %v before the receiver", err)
	case <-time.After(50 * time.Millisecond):
		r.Close()
		if err := <-closed; !errors.Is(err, transport.ErrUnconfirmed) {
			t.Errorf("got %v, want ErrUnconfirmed", err)
		}
	}
}
