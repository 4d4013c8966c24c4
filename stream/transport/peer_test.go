package transport_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/quic-go/quic-go"
	"github.com/vqeval/vqeval/stream/link"
	"github.com/vqeval/vqeval/stream/transport"
)

// TestDatagramsNotNegotiated: a sender of datagrams refuses a receiver that
// takes none.
func TestDatagramsNotNegotiated(t *testing.T) {
	cert := newCertificate(t)
	synctest.Test(t, func(t *testing.T) {
		a, b := link.Pipe(link.Profile{}, 1, link.PipeOptions{})
		defer a.Close()
		defer b.Close()
		conf := cert.server.Clone()
		conf.NextProtos = []string{transport.ALPN}
		tr := &quic.Transport{Conn: b}
		defer tr.Close()
		l, err := tr.ListenEarly(conf, &quic.Config{})
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		_, err = transport.Dial(t.Context(), a, b.LocalAddr(), transport.Config{Mode: transport.QUICDatagram, TLS: cert.client})
		if err == nil || !strings.Contains(err.Error(), "peer takes no QUIC datagrams") {
			t.Fatalf("dial: %v", err)
		}
		c, err := l.Accept(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		<-c.Context().Done()
		// A peer that is still shaking hands is told less, RFC 9000 10.2.3.
		var app *quic.ApplicationError
		var hidden *quic.TransportError
		err = context.Cause(c.Context())
		told := errors.As(err, &app) && app.ErrorCode == transport.RoQExpectation
		early := errors.As(err, &hidden) && hidden.ErrorCode == quic.ApplicationErrorErrorCode
		if !told && !early {
			t.Errorf("peer saw %v, want EXPECTATION_UNMET", err)
		}
	})
}

// TestReceiverNeedsDatagrams: a sender that takes no datagrams does not speak
// what a receiver of datagrams expects.
func TestReceiverNeedsDatagrams(t *testing.T) {
	cert := newCertificate(t)
	bubble(t, func(t *testing.T, a, b *link.End) {
		r, err := transport.Listen(b, transport.Config{Mode: transport.QUICDatagram, TLS: cert.server})
		if err != nil {
			t.Fatal(err)
		}
		conf := cert.client.Clone()
		conf.NextProtos = []string{transport.ALPN}
		tr := &quic.Transport{Conn: a}
		defer func() { r.Close(); tr.Close() }()
		c, err := tr.Dial(t.Context(), b.LocalAddr(), conf, &quic.Config{})
		if err != nil {
			t.Fatal(err)
		}
		<-c.Context().Done()
		var app *quic.ApplicationError
		if err := context.Cause(c.Context()); !errors.As(err, &app) || app.ErrorCode != transport.RoQExpectation {
			t.Errorf("peer saw %v, want EXPECTATION_UNMET", err)
		}
		if _, err := drain(r); err == nil || errors.Is(err, io.EOF) {
			t.Errorf("receiver: %v", err)
		}
	})
}

// TestForeignSender: a sender of one stream that knows no end mark ends with
// silence, or with its own goodbye.
func TestForeignSender(t *testing.T) {
	cert := newCertificate(t)
	for name, bye := range map[string]bool{"stays": false, "closes": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r, c := rawPeer(t, cert, transport.QUIC)
				stream(t, c, join([]byte{1}, rtp(20), rtp(30)))
				time.Sleep(time.Second)
				if bye {
					c.CloseWithError(transport.RoQNoError, "")
				}
				start := time.Now()
				if n, err := drain(r); n != 2 || !errors.Is(err, io.EOF) {
					t.Errorf("received %d packets, then %v", n, err)
				}
				if took := time.Since(start); took > 2*time.Second {
					t.Errorf("ended after %v", took)
				}
			})
		})
	}
}

// TestBusy: a second sender is told so, and the first goes on.
func TestBusy(t *testing.T) {
	cert := newCertificate(t)
	synctest.Test(t, func(t *testing.T) {
		a, b := link.Pipe(link.Profile{}, 1, link.PipeOptions{})
		r, err := transport.Listen(b, transport.Config{TLS: cert.server})
		if err != nil {
			t.Fatal(err)
		}
		conf := cert.client.Clone()
		conf.NextProtos = []string{transport.ALPN}
		tr := &quic.Transport{Conn: a}
		defer func() { r.Close(); tr.Close(); a.Close(); b.Close() }()
		var conns [2]*quic.Conn
		for i := range conns {
			if conns[i], err = tr.Dial(t.Context(), b.LocalAddr(), conf, transport.QUICConfig()); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
		}
		<-conns[1].Context().Done()
		var app *quic.ApplicationError
		if err := context.Cause(conns[1].Context()); !errors.As(err, &app) || app.ErrorCode != transport.RoQGeneralError {
			t.Errorf("second sender saw %v", err)
		}
		stream(t, conns[0], join([]byte{1}, rtp(20)))
		stream(t, conns[0], []byte{1})
		if n, err := drain(r); n != 1 || !errors.Is(err, io.EOF) {
			t.Errorf("received %d packets, then %v", n, err)
		}
	})
}
