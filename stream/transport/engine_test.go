package transport_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"sync/atomic"
	"testing"
	"time"

	"github.com/quic-go/quic-go"
	"github.com/vqeval/vqeval/stream/link"
	"github.com/vqeval/vqeval/stream/transport"
)

// rawPair connects two bare QUIC connections, the second with a Meter.
func rawPair(t *testing.T, a, b *link.End) (client, server *quic.Conn) {
	t.Helper()
	cert := newCertificate(t)
	conf, err := transport.TLSFor(cert.server, "test")
	if err != nil {
		t.Fatal(err)
	}
	qc := transport.QUICConfig()
	qc.Tracer = transport.Tracer(nil)
	tb := &quic.Transport{Conn: b, ConnContext: transport.NewConnContext}
	l, err := tb.Listen(conf, qc)
	if err != nil {
		t.Fatal(err)
	}
	conf, err = transport.TLSFor(cert.client, "test")
	if err != nil {
		t.Fatal(err)
	}
	ta := &quic.Transport{Conn: a}
	if client, err = ta.Dial(t.Context(), b.LocalAddr(), conf, qc); err != nil {
		t.Fatal(err)
	}
	if server, err = l.Accept(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.CloseWithError(0, ""); l.Close(); ta.Close(); tb.Close() })
	return client, server
}

// TestEngineOther: streams of other flows go to their handler, packets come
// with their carrier, and the caller may end the flow.
func TestEngineOther(t *testing.T) {
	bubble(t, func(t *testing.T, a, b *link.End) {
		client, server := rawPair(t, a, b)
		var control atomic.Int64
		e := transport.NewEngine(server, transport.EngineConfig{
			Flow: transport.MediaFlow,
			Other: func(flow uint64, _ *quic.ReceiveStream, r *bufio.Reader) bool {
				if flow != transport.ControlFlow {
					return false
				}
				n, _ := io.Copy(io.Discard, r)
				control.Store(n)
				return true
			},
		})
		stream(t, client, []byte{2}, make([]byte, 10))
		stream(t, client, join([]byte{1}, rtp(20)))
		stream(t, client, []byte{1}) // no end mark to this engine
		datagram(t, client, append([]byte{1}, rtp(30)...))
		time.Sleep(time.Second)
		carriers := map[int64]int{}
		for range 2 {
			p, carrier, err := e.Receive(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			carriers[carrier] = len(p)
		}
		if carriers[6] != 20 || carriers[transport.CarrierDatagram] != 30 || control.Load() != 10 {
			t.Errorf("packets by carrier %v, %d bytes of control", carriers, control.Load())
		}
		e.Finish()
		if _, _, err := e.Receive(t.Context(), nil); err != io.EOF {
			t.Errorf("after Finish: %v", err)
		}
		if err := errors.Join(e.Close(), e.Close()); err != nil {
			t.Error(err)
		}
	})
}

// TestRefusedStreams: the peer learns why a stream is not read.
func TestRefusedStreams(t *testing.T) {
	for name, c := range map[string]struct {
		send []byte
		code quic.StreamErrorCode
	}{
		"unknown flow":  {[]byte{9, 1, 2, 3}, transport.RoQUnknownFlow},
		"bad length":    {[]byte{1, 0}, transport.RoQPacketError},
		"bad length, 2": {[]byte{1, 0x80, 1, 0, 0}, transport.RoQPacketError},
	} {
		bubble(t, func(t *testing.T, a, b *link.End) {
			client, server := rawPair(t, a, b)
			e := transport.NewEngine(server, transport.EngineConfig{Flow: transport.MediaFlow})
			defer e.Close()
			s, err := client.OpenUniStream()
			if err != nil {
				t.Fatal(err)
			}
			s.Write(c.send)
			<-s.Context().Done()
			var got *quic.StreamError
			if err := context.Cause(s.Context()); !errors.As(err, &got) || got.ErrorCode != c.code {
				t.Errorf("%s: peer saw %v, want code %#x", name, err, c.code)
			}
		})
	}
}

// TestEngineDatagramDrops: what quic-go drops before anybody drains is counted,
// and nothing is dropped afterwards.
func TestEngineDatagramDrops(t *testing.T) {
	bubble(t, func(t *testing.T, a, b *link.End) {
		client, server := rawPair(t, a, b)
		const early, held, late = 500, 128, 200 // held by quic-go
		for range early {
			datagram(t, client, append([]byte{1}, rtp(20)...))
		}
		time.Sleep(time.Second)
		e := transport.NewEngine(server, transport.EngineConfig{Flow: transport.MediaFlow})
		defer e.Close()
		for range late { // one at a time, so that the engine can drain
			datagram(t, client, append([]byte{1}, rtp(20)...))
			time.Sleep(time.Microsecond)
		}
		time.Sleep(time.Second)
		st := e.Stats()
		if st.PacketsReceived != held+late || st.DatagramQueueDrops != early-held {
			t.Errorf("statistics %+v", st)
		}
	})
}
