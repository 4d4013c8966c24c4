package rquic_test

import (
	"context"
	"encoding/hex"
	"errors"
	"testing"
	"time"

	"github.com/quic-go/quic-go"
	"github.com/vqeval/vqeval/stream/link"
	"github.com/vqeval/vqeval/stream/rquic"
	"github.com/vqeval/vqeval/stream/transport"
)

// record is a record of a RoQ stream, given in hex.
func record(h string) []byte {
	b, err := hex.DecodeString(h)
	if err != nil {
		panic(err)
	}
	return transport.AppendRecord(nil, b)
}

// control is a control stream of records.
func control(records ...string) []byte {
	b := []byte{transport.ControlFlow}
	for _, r := range records {
		b = append(b, record(r)...)
	}
	return b
}

// media is a media stream of packets.
func media(packets ...[]byte) []byte {
	b := []byte{transport.MediaFlow}
	for _, p := range packets {
		b = transport.AppendRecord(b, p)
	}
	return b
}

// A rawPeer is a bare QUIC connection whose user breaks the rules.
type rawPeer struct {
	t *testing.T
	c *quic.Conn
}

// stream sends b on a fresh stream and ends it if fin.
func (p rawPeer) stream(b []byte, fin bool) *quic.SendStream {
	s, err := p.c.OpenUniStream()
	if err != nil {
		p.t.Error(err)
		return nil
	}
	s.Write(b)
	if fin {
		s.Close()
	}
	return s
}

func (p rawPeer) datagram(b ...byte) {
	if err := p.c.SendDatagram(b); err != nil {
		p.t.Error(err)
	}
}

// Not codes: the connection lives, or it ended in another way. A peer that is
// still shaking hands is not told a code, RFC 9000 10.2.3.
const alive, early = 1 << 40, 1 << 41

// closed returns the code with which the other end closed the connection.
func (p rawPeer) closed() (code uint64) {
	select {
	case <-p.c.Context().Done():
	case <-time.After(70 * time.Second):
		return alive
	}
	var app *quic.ApplicationError
	if !errors.As(context.Cause(p.c.Context()), &app) || !app.Remote {
		return early
	}
	return uint64(app.ErrorCode)
}

// end tells of two good packets, sends them, and ends the flow.
func (p rawPeer) end(s *quic.SendStream) {
	p.stream(media(packet(1, 0, 100)), true)
	p.datagram(append([]byte{transport.MediaFlow}, packet(2, 0, 100)...)...)
	s.Write(append(record(auEndHex), record(flowEndHex)...))
	s.Close()
}

// againstReceiver connects a bare connection to a Receiver.
func againstReceiver(t *testing.T, cert certificate) (*rquic.Receiver, rawPeer) {
	t.Helper()
	a, b := link.Pipe(link.Symmetric("", link.Direction{Delay: 5 * ms}), 1, link.PipeOptions{})
	r, err := rquic.Listen(b, rquic.Config{TLS: cert.server})
	if err != nil {
		t.Fatal(err)
	}
	conf, err := transport.TLSFor(cert.client, rquic.ALPN)
	if err != nil {
		t.Fatal(err)
	}
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
	return r, rawPeer{t, c}
}
