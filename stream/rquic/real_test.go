package rquic_test

import (
	"errors"
	"io"
	"testing"

	"github.com/vqeval/vqeval/stream/rquic"
	"github.com/vqeval/vqeval/stream/transport"
)

// TestLoopback: the same over real sockets, where QUIC uses what the system offers.
func TestLoopback(t *testing.T) {
	cert := newCertificate(t)
	rx, _, err := transport.ListenUDP("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer rx.Close()
	tx, _, err := transport.ListenUDP("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Close()
	r, err := rquic.Listen(rx, rquic.Config{TLS: cert.server, DropCounter: func() int64 { return 7 }})
	if err != nil {
		t.Fatal(err)
	}
	client := cert.client.Clone()
	client.ServerName = "" // the address stands in the certificate
	s, err := rquic.Dial(t.Context(), tx, rx.LocalAddr(), rquic.Config{TLS: client, Expire: rquic.None})
	if err != nil {
		t.Fatal(err)
	}
	if s.Protocol() != rquic.ALPN || s.MaxPacket() != 1199 {
		t.Errorf("protocol %q, packets up to %d bytes", s.Protocol(), s.MaxPacket())
	}
	sent := feed(s, 10, 5, ms, 2)
	seqs, err := collect(r)
	if len(seqs) < 25 || !errors.Is(err, io.EOF) { // all reliable ones at least
		t.Errorf("received %d packets, then %v", len(seqs), err)
	}
	r.Close()
	if err := <-sent; err != nil {
		t.Error(err)
	}
	if st := r.Stats(); st.KernelDrops != 7 || st.PacketsReceived != int64(len(seqs)) {
		t.Errorf("%+v", st)
	}
}
