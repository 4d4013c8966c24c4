package rquic_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/quic-go/quic-go"
	"github.com/vqeval/vqeval/stream/link"
	"github.com/vqeval/vqeval/stream/rquic"
	"github.com/vqeval/vqeval/stream/transport"
)

// receiverHello is a HELLO as a receiver sends it.
const receiverHello = "80cc000c112233447251554300010002000004b000000000000000006001000000015f900000000000000000000000000000" + "0000"

// againstSender serves one sender with act, in place of a receiver, and dials it.
func againstSender(t *testing.T, cert certificate, qc *quic.Config, c rquic.Config, act func(p rawPeer)) (*rquic.Sender, rawPeer, error) {
	t.Helper()
	a, b := link.Pipe(link.Symmetric("", link.Direction{Delay: 20 * ms}), 1, link.PipeOptions{})
	conf, err := transport.TLSFor(cert.server, rquic.ALPN)
	if err != nil {
		t.Fatal(err)
	}
	tr := &quic.Transport{Conn: b}
	l, err := tr.ListenEarly(conf, qc)
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan rawPeer, 1)
	go func() {
		conn, err := l.Accept(context.Background())
		if err != nil {
			t.Error(err)
			return
		}
		p := rawPeer{t, conn}
		act(p)
		served <- p
	}()
	c.TLS = cert.client
	s, err := rquic.Dial(t.Context(), a, b.LocalAddr(), c)
	p := <-served
	t.Cleanup(func() {
		if s != nil {
			s.Close()
		}
		l.Close()
		tr.Close()
		a.Close()
		b.Close()
	})
	return s, p, err
}

// TestHostileGreeting: a peer that breaks the rules of the greeting is an error of Dial.
func TestHostileGreeting(t *testing.T) {
	cert := newCertificate(t)
	plain := transport.QUICConfig()
	plain.EnableDatagrams = false
	for _, row := range []struct {
		name string
		qc   *quic.Config
		act  func(p rawPeer)
		code uint64
		want string
	}{
		{"silent", nil, func(rawPeer) {}, 0x07, "no HELLO"},
		{"no datagrams", plain, func(rawPeer) {}, 0x07, "takes no QUIC datagrams"},
		{"version 2", nil, func(p rawPeer) { p.stream(control(helloV2), true) }, 0x07, "version 2"},
		{"other codec", nil, func(p rawPeer) { p.stream(control(helloCodec), true) }, 0x07, "codec"},
		{"datagrams of 255", nil, func(p rawPeer) { p.stream(control(helloSmall), true) }, 0x07, "255 bytes"},
		{"no HELLO", nil, func(p rawPeer) { p.stream(control(lostHex), true) }, 0x03, "HELLO is missing"},
		{"other name", nil, func(p rawPeer) { p.stream(control("82cc0003112233447251554400020001"), true) }, 0x03, "name"},
		{"length 0", nil, func(p rawPeer) { p.stream([]byte{2, 0}, true) }, 0x03, "0 bytes"},
		{"flow id cut", nil, func(p rawPeer) { p.stream([]byte{0x80}, true) }, 0x03, "flow id"},
		{"bidirectional stream", nil, func(p rawPeer) {
			if s, err := p.c.OpenStream(); err == nil {
				s.Write([]byte{2})
			}
		}, 0x04, "bidirectional"},
		{"goodbye at once", nil, func(p rawPeer) { p.c.CloseWithError(0x77, "go away") }, early, "during the handshake"},
		{"goodbye", nil, func(p rawPeer) { <-p.c.HandshakeComplete(); p.c.CloseWithError(0x77, "go away") }, early, "go away"},
	} {
		synctest.Test(t, func(t *testing.T) {
			qc := row.qc
			if qc == nil {
				qc = transport.QUICConfig()
			}
			start := time.Now()
			_, p, err := againstSender(t, cert, qc, rquic.Config{}, row.act)
			if err == nil || !strings.Contains(err.Error(), row.want) {
				t.Errorf("%s: dial: %v, want %q", row.name, err, row.want)
			}
			if took := time.Since(start); took > 6*time.Second {
				t.Errorf("%s: dial took %v", row.name, took)
			}
			if code := p.closed(); code != row.code && code != early {
				t.Errorf("%s: closed with %#x, want %#x", row.name, code, row.code)
			}
		})
	}
}

// greet is a receiver's side of the greeting, and nothing else.
func greet(p rawPeer) { p.stream(control(receiverHello), true) }

// TestHostileReceiver: what a peer may do to a sender under way is an error of
// Send or Close, in bounded time.
func TestHostileReceiver(t *testing.T) {
	cert := newCertificate(t)
	for _, row := range []struct {
		name string
		act  func(p rawPeer)
		want string
	}{
		{"HELLO again", func(p rawPeer) { p.stream(control(receiverHello), true) }, "second control stream"},
		{"bidirectional stream", func(p rawPeer) {
			if s, err := p.c.OpenStream(); err == nil {
				s.Write([]byte{2})
			}
		}, "code 0x04"},
		{"clean goodbye too early", func(p rawPeer) { p.c.CloseWithError(0, "") }, "peer closed the connection with code 0x00"},
		{"goodbye", func(p rawPeer) { p.c.CloseWithError(0x77, "enough") }, "enough"},
	} {
		synctest.Test(t, func(t *testing.T) {
			s, p, err := againstSender(t, cert, transport.QUICConfig(), rquic.Config{Queue: 1}, greet)
			if err != nil {
				t.Fatal(err)
			}
			<-p.c.HandshakeComplete()
			row.act(p)
			time.Sleep(time.Second)
			start := time.Now()
			done := feed(s, 100, 20, ms+7, 1)
			if err := <-done; err == nil || !strings.Contains(err.Error(), row.want) {
				t.Errorf("%s: %v, want %q", row.name, err, row.want)
			}
			if took := time.Since(start); took > 20*time.Second {
				t.Errorf("%s: took %v", row.name, took)
			}
		})
	}
}

// TestNobodyReads: a peer that takes nothing holds Send back until ctx ends,
// and Close gives up without progress.
func TestNobodyReads(t *testing.T) {
	cert := newCertificate(t)
	for _, reliable := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			s, p, err := againstSender(t, cert, transport.QUICConfig(), rquic.Config{Queue: 100_000}, greet)
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
			defer cancel()
			sent := 0
			for ; sent < 200 && err == nil; sent++ {
				u := unit(sent, 20, 1199)
				u.Reliable = reliable
				err = s.Send(ctx, u)
			}
			if reliable && !errors.Is(err, context.DeadlineExceeded) || !reliable && err != nil {
				t.Errorf("reliable %v: after %d units: %v", reliable, sent, err)
			}
			if st := s.Stats(); reliable && st.UnitsSent >= int64(sent) {
				t.Errorf("%d of %d units sent to nobody", st.UnitsSent, sent)
			}
			start := time.Now()
			if err := s.Close(); reliable && !errors.Is(err, transport.ErrUnconfirmed) || !reliable && err != nil {
				t.Errorf("reliable %v: close: %v", reliable, err)
			}
			if took := time.Since(start); took > 15*time.Second {
				t.Errorf("close took %v", took)
			}
			unsent := 0
			for _, d := range s.Decisions() {
				if d.Status == rquic.StatusUnsent {
					unsent++
				}
			}
			if reliable == (unsent == 0) {
				t.Errorf("reliable %v: %d units unsent", reliable, unsent)
			}
			p.closed()
		})
	}
}

// TestUnknownFlowOfReceiver: streams that a sender does not know are refused,
// and it goes on.
func TestUnknownFlowOfReceiver(t *testing.T) {
	cert := newCertificate(t)
	synctest.Test(t, func(t *testing.T) {
		s, p, err := againstSender(t, cert, transport.QUICConfig(), rquic.Config{}, greet)
		if err != nil {
			t.Fatal(err)
		}
		x := p.stream([]byte{9, 1, 2, 3}, false)
		<-x.Context().Done()
		var refused *quic.StreamError
		if err := context.Cause(x.Context()); !errors.As(err, &refused) || refused.ErrorCode != transport.RoQUnknownFlow {
			t.Errorf("stream of flow 9: %v", err)
		}
		if st := s.Stats(); st.UnknownFlow != 1 || s.Send(t.Context(), unit(0, 1, 100)) != nil {
			t.Errorf("%+v", st)
		}
	})
}
