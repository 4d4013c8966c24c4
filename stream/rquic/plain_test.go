package rquic_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/vqeval/vqeval/stream/link"
	"github.com/vqeval/vqeval/stream/rquic"
	"github.com/vqeval/vqeval/stream/transport"
)

// TestPlainReceiver: a receiver of plain RoQ gets the media of an rQUIC sender,
// from streams and datagrams, and its end.
func TestPlainReceiver(t *testing.T) {
	cert := newCertificate(t)
	for _, mode := range []transport.Mode{transport.QUIC, transport.QUICAU, transport.QUICDatagram} {
		for _, flow := range []uint64{0, transport.FlowZero, 7} {
			synctest.Test(t, func(t *testing.T) {
				a, b := link.Pipe(link.Symmetric("", link.Direction{Delay: 20 * ms, Rate: 20 * link.Mbps}), 1, link.PipeOptions{})
				defer a.Close()
				defer b.Close()
				r, err := transport.Listen(b, transport.Config{Mode: mode, TLS: cert.server, Flow: flow})
				if err != nil {
					t.Fatal(err)
				}
				s, err := rquic.Dial(t.Context(), a, b.LocalAddr(), rquic.Config{TLS: cert.client, Flow: flow})
				if err != nil {
					t.Fatal(err)
				}
				sent := feed(s, 20, 5, 20*ms+3, 3)
				seqs, err := collect(r)
				if len(seqs) != 100 || !errors.Is(err, io.EOF) {
					t.Errorf("%s, flow %d: received %d packets, then %v", mode, flow, len(seqs), err)
				}
				r.Close()
				if err := <-sent; err != nil || s.Protocol() != transport.ALPN {
					t.Errorf("%s, flow %d: %v, protocol %q", mode, flow, err, s.Protocol())
				}
				if st := transport.StatsOf(r); st.UnknownFlow != 0 || st.Malformed != 0 {
					t.Errorf("%s: %+v", mode, st)
				}
			})
		}
	}
}

// TestPlainSender: an rQUIC receiver takes every kind of plain RoQ sender.
func TestPlainSender(t *testing.T) {
	cert := newCertificate(t)
	for _, mode := range []transport.Mode{transport.QUIC, transport.QUICAU, transport.QUICDatagram} {
		synctest.Test(t, func(t *testing.T) {
			a, b := link.Pipe(link.Symmetric("", link.Direction{Delay: 20 * ms}), 1, link.PipeOptions{})
			defer a.Close()
			defer b.Close()
			r, err := rquic.Listen(b, rquic.Config{TLS: cert.server})
			if err != nil {
				t.Fatal(err)
			}
			s, err := transport.Dial(t.Context(), a, b.LocalAddr(), transport.Config{Mode: mode, TLS: cert.client})
			if err != nil {
				t.Fatal(err)
			}
			sent := feed(s, 20, 5, 20*ms+3, 3)
			seqs, err := collect(r)
			if len(seqs) != 100 || !errors.Is(err, io.EOF) || r.Protocol() != transport.ALPN {
				t.Errorf("%s: received %d packets over %q, then %v", mode, len(seqs), r.Protocol(), err)
			}
			r.Close()
			if err := <-sent; err != nil {
				t.Errorf("%s: %v", mode, err)
			}
			if r.Reports() != nil || r.Gaps() != nil {
				t.Errorf("%s: reports %v, gaps %v of a sender that tells nothing", mode, r.Reports(), r.Gaps())
			}
		})
	}
}

// TestNoCommonProtocol: two ends without a common protocol name say so.
func TestNoCommonProtocol(t *testing.T) {
	cert := newCertificate(t)
	synctest.Test(t, func(t *testing.T) {
		a, b := link.Pipe(link.Profile{}, 1, link.PipeOptions{})
		defer a.Close()
		defer b.Close()
		r, err := rquic.Listen(b, rquic.Config{TLS: cert.server, ALPN: []string{"roq-99"}})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		if _, err := rquic.Dial(t.Context(), a, b.LocalAddr(), rquic.Config{TLS: cert.client}); err == nil || !strings.Contains(err.Error(), "ALPN") {
			t.Errorf("dial: %v", err)
		}
		if r.Protocol() != "" || r.Stats().Mode != rquic.Mode {
			t.Errorf("before a sender came: protocol %q, %+v", r.Protocol(), r.Stats())
		}
	})
}

func TestNoTLS(t *testing.T) {
	a, b := link.Pipe(link.Profile{}, 1, link.PipeOptions{})
	defer a.Close()
	defer b.Close()
	if _, err := rquic.Dial(t.Context(), a, b.LocalAddr(), rquic.Config{}); !errors.Is(err, transport.ErrNoTLS) {
		t.Errorf("dial: %v", err)
	}
	if _, err := rquic.Listen(b, rquic.Config{}); !errors.Is(err, transport.ErrNoTLS) {
		t.Errorf("listen: %v", err)
	}
}

// TestListenClose: a receiver that nobody dialled ends in an orderly way.
func TestListenClose(t *testing.T) {
	cert := newCertificate(t)
	synctest.Test(t, func(t *testing.T) {
		a, b := link.Pipe(link.Profile{}, 1, link.PipeOptions{})
		defer a.Close()
		defer b.Close()
		r, err := rquic.Listen(b, rquic.Config{TLS: cert.server})
		if err != nil {
			t.Fatal(err)
		}
		got := make(chan error, 1)
		go func() { _, err := r.Receive(t.Context(), nil); got <- err }()
		synctest.Wait()
		r.Close()
		r.Close()
		if err := <-got; err == nil || errors.Is(err, io.EOF) {
			t.Errorf("receive: %v", err)
		}
	})
}

// memory is a file in memory.
type memory struct {
	mu sync.Mutex
	bytes.Buffer
	closed bool
}

func (m *memory) Write(p []byte) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.Buffer.Write(p)
}

func (m *memory) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
	return nil
}

// TestQLog: both ends write a log and close it.
func TestQLog(t *testing.T) {
	cert := newCertificate(t)
	synctest.Test(t, func(t *testing.T) {
		var files [2]memory
		var names [2]string
		open := func(i int) func(string) io.WriteCloser {
			return func(name string) io.WriteCloser { names[i] = name; return &files[i] }
		}
		p := newPair(t, cert, asymmetric(20*link.Mbps, 10*ms, 0), 1, rquic.Config{QLog: open(0)}, rquic.Config{QLog: open(1)})
		p.run(t, 5, 3, 20*ms, 2)
		time.Sleep(time.Second)
		for i, side := range []string{"_client.sqlog", "_server.sqlog"} {
			text := files[i].String()
			if !files[i].closed || !strings.HasSuffix(names[i], side) || !strings.Contains(text, `"frame_type":"datagram"`) || !strings.Contains(text, `"frame_type":"stream"`) {
				t.Errorf("%q: closed %v, %d bytes", names[i], files[i].closed, len(text))
			}
		}
	})
}
