package transport_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/quic-go/quic-go"
	"github.com/vqeval/vqeval/stream/link"
	"github.com/vqeval/vqeval/stream/transport"
)

// rtp is a packet of n bytes that a receiver takes.
func rtp(n int) []byte {
	p := make([]byte, n)
	p[0], p[1], p[11] = 0x80, 96, 7
	return p
}

// stream sends parts on a fresh stream and ends it.
func stream(t *testing.T, c *quic.Conn, parts ...[]byte) {
	t.Helper()
	s, err := c.OpenUniStream()
	if err != nil {
		t.Error(err)
		return
	}
	for _, p := range parts {
		s.Write(p)
	}
	s.Close()
}

func datagram(t *testing.T, c *quic.Conn, b []byte) {
	t.Helper()
	if err := c.SendDatagram(b); err != nil {
		t.Error(err)
	}
}

func join(head []byte, packets ...[]byte) []byte {
	b := append([]byte(nil), head...)
	for _, p := range packets {
		b = transport.AppendRecord(b, p)
	}
	return b
}

// A misdeed is one way in which a peer may break RoQ's rules. After act the
// peer sends one good packet and the end mark, unless the receiver has closed.
type misdeed struct {
	name   string
	act    func(t *testing.T, c *quic.Conn)
	closed quic.ApplicationErrorCode // of the connection; 0 = it lives on
	good   int                       // packets received of act
	want   transport.Stats           // the counters of bad input
}

func inDatagram(b ...byte) func(*testing.T, *quic.Conn) {
	return func(t *testing.T, c *quic.Conn) { datagram(t, c, b) }
}

func inStream(parts ...[]byte) func(*testing.T, *quic.Conn) {
	return func(t *testing.T, c *quic.Conn) { stream(t, c, parts...) }
}

// misdeeds is the whole table of malformed input.
func misdeeds() []misdeed {
	flow, none, one := []byte{1}, transport.Stats{}, join([]byte{1}, rtp(20))
	unknown, malformed, truncated := transport.Stats{UnknownFlow: 1}, transport.Stats{Malformed: 1}, transport.Stats{Truncated: 1}
	table := []misdeed{
		{"datagram empty", inDatagram(), 0x03, 0, none},
		{"datagram flow id cut", inDatagram(0x40), 0x03, 0, none},
		{"datagram flow id of 8 bytes cut", inDatagram(0xc0, 0, 0), 0x03, 0, none},
		{"datagram unknown flow", inDatagram(9, 0x80), 0, 0, unknown},
		{"datagram without packet", inDatagram(1), 0, 0, malformed},
		{"datagram good, flow id not minimal", inDatagram(append([]byte{0x40, 1}, rtp(20)...)...), 0, 1, none},
		{"stream empty", inStream(), 0x03, 0, none},
		{"stream flow id cut", inStream([]byte{0x80, 0}), 0x03, 0, none},
		{"stream unknown flow", inStream(join([]byte{9}, rtp(20))), 0, 0, unknown},
		{"stream length 0", inStream(one, []byte{0}, join(nil, rtp(20))), 0, 1, malformed},
		{"stream length 65536", inStream(one, []byte{0x80, 1, 0, 0}), 0, 1, malformed},
		{"stream length of 62 bits", inStream(flow, bytes.Repeat([]byte{0xff}, 8)), 0, 0, malformed},
		{"stream ends inside length", inStream(one, []byte{0x40}), 0, 1, truncated},
		{"stream ends after length", inStream(one, []byte{20}), 0, 1, truncated},
		{"stream ends inside packet", inStream(one, []byte{20, 0x80, 96}), 0, 1, truncated},
		{"stream of the largest packet", inStream(join(flow, rtp(65535))), 0, 1, none},
		{"stream reset after a packet", resetAfter(one, []byte{20, 0x80}), 0, 1, transport.Stats{Resets: 1}},
		{"stream reset before the flow id", resetAfter(), 0, 0, transport.Stats{Resets: 1}},
		{"bidirectional stream", bidirectional, 0x04, 0, none},
	}
	for name, p := range badRTP() {
		table = append(table,
			misdeed{"datagram rtp " + name, inDatagram(append([]byte{1}, p...)...), 0, 0, malformed},
			misdeed{"stream rtp " + name, inStream(join(flow, p, rtp(20))), 0, 1, malformed})
	}
	return table
}

func resetAfter(parts ...[]byte) func(*testing.T, *quic.Conn) {
	return func(t *testing.T, c *quic.Conn) {
		s, err := c.OpenUniStream()
		if err != nil {
			t.Error(err)
			return
		}
		for _, p := range parts {
			s.Write(p)
		}
		if len(parts) > 0 {
			time.Sleep(time.Second) // until they have arrived
		}
		s.CancelWrite(0x77)
	}
}

func bidirectional(t *testing.T, c *quic.Conn) {
	s, err := c.OpenStream()
	if err != nil {
		t.Error(err)
		return
	}
	s.Write([]byte{1})
}

// badRTP is packets whose header contradicts their length, or is none.
func badRTP() map[string][]byte {
	edit := func(n int, f func(p []byte)) []byte { p := rtp(n); f(p); return p }
	return map[string][]byte{
		"of 1 byte":                   {0x80},
		"of 11 bytes":                 rtp(12)[:11],
		"version 1":                   edit(20, func(p []byte) { p[0] = 0x40 }),
		"CSRCs beyond the end":        edit(20, func(p []byte) { p[0] |= 3 }),
		"no room for extension":       edit(14, func(p []byte) { p[0] |= 0x10 }),
		"extension beyond the end":    edit(20, func(p []byte) { p[0] |= 0x10; p[15] = 2 }),
		"padding of 0":                edit(20, func(p []byte) { p[0] |= 0x20 }),
		"padding longer than payload": edit(20, func(p []byte) { p[0] |= 0x20; p[19] = 9 }),
	}
}

func TestHostilePeer(t *testing.T) {
	cert := newCertificate(t)
	for _, row := range misdeeds() {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r, c := rawPeer(t, cert, transport.QUICDatagram)
				row.act(t, c)
				time.Sleep(2 * time.Second)
				if row.closed == 0 {
					stream(t, c, join([]byte{1}, rtp(30)))
					stream(t, c, []byte{1})
				}
				got, err := drain(r)
				var app *quic.ApplicationError
				switch {
				case row.closed == 0 && (!errors.Is(err, io.EOF) || got != row.good+1):
					t.Errorf("received %d packets, then %v; want %d and io.EOF", got, err, row.good+1)
				case row.closed != 0 && errors.Is(err, io.EOF):
					t.Error("got io.EOF, want the reason for closing")
				}
				<-c.Context().Done()
				if !errors.As(context.Cause(c.Context()), &app) || app.ErrorCode != row.closed {
					t.Errorf("peer saw %v, want code %#x", context.Cause(c.Context()), row.closed)
				}
				checkCounters(t, transport.StatsOf(r), row.want)
				r.Close()
			})
		})
	}
}

// checkCounters compares the counters of bad input.
func checkCounters(t *testing.T, got, want transport.Stats) {
	t.Helper()
	got = transport.Stats{Malformed: got.Malformed, UnknownFlow: got.UnknownFlow, Truncated: got.Truncated, Resets: got.Resets}
	if got != want {
		t.Errorf("counters\ngot  %+v\nwant %+v", got, want)
	}
}

// rawPeer connects a bare QUIC connection to a receiver.
func rawPeer(t *testing.T, cert certificate, m transport.Mode) (transport.Receiver, *quic.Conn) {
	t.Helper()
	a, b := link.Pipe(link.Symmetric("", link.Direction{Delay: 5 * time.Millisecond}), 1, link.PipeOptions{})
	r, err := transport.Listen(b, transport.Config{Mode: m, TLS: cert.server})
	if err != nil {
		t.Fatal(err)
	}
	conf := cert.client.Clone()
	conf.NextProtos = []string{transport.ALPN}
	tr := &quic.Transport{Conn: a}
	c, err := tr.Dial(t.Context(), b.LocalAddr(), conf, transport.QUICConfig())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		r.Close()
		c.CloseWithError(0, "")
		tr.Close()
		a.Close()
		b.Close()
	})
	return r, c
}

// drain receives to the end and counts.
func drain(r transport.Receiver) (n int, err error) {
	for {
		if _, err := r.Receive(context.Background(), nil); err != nil {
			return n, err
		}
		n++
	}
}
