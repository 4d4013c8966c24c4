package rquic_test

import (
	"context"
	"errors"
	"io"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/vqeval/vqeval/stream/link"
	"github.com/vqeval/vqeval/stream/rquic"
	"github.com/vqeval/vqeval/stream/transport"
)

// reliableGoodput keeps s busy with reliable units for the given time and
// returns what r gets, in Mbit/s of RTP packets.
func reliableGoodput(t *testing.T, s transport.Sender, r transport.Receiver, length time.Duration) float64 {
	t.Helper()
	start, done := time.Now(), make(chan error, 1)
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), length)
		defer cancel()
		for u := 0; ctx.Err() == nil; u++ {
			x := unit(u, 25, 1199)
			x.Reliable = true
			s.Send(ctx, x) // the last one is cut off
		}
		done <- s.Close()
	}()
	bytes, last := 0, start
	p, err := r.Receive(context.Background(), nil)
	for ; err == nil; p, err = r.Receive(context.Background(), p) {
		bytes, last = bytes+len(p), time.Now()
	}
	if !errors.Is(err, io.EOF) {
		t.Errorf("receive: %v", err)
	}
	r.Close()
	if err := <-done; err != nil {
		t.Errorf("close: %v", err)
	}
	return float64(bytes) * 8 / last.Sub(start).Seconds() / 1e6
}

// TestEqualsQUIC is the control experiment: with everything reliable and Reno,
// rQUIC on the fork is as fast as a stream per unit on quic-go itself.
func TestEqualsQUIC(t *testing.T) {
	cert := newCertificate(t)
	for _, path := range []link.Profile{asymmetric(3*link.Mbps, 10*ms, 0), asymmetric(3*link.Mbps, 20*ms, .01)} {
		var rq, au float64
		synctest.Test(t, func(t *testing.T) {
			p := newPair(t, cert, path, 1, rquic.Config{CC: rquic.Reno, Policy: rquic.AllKept, Queue: 1}, rquic.Config{})
			rq = reliableGoodput(t, p.sender, p.receiver, 5*time.Second)
		})
		synctest.Test(t, func(t *testing.T) {
			a, b := link.Pipe(path, 1, link.PipeOptions{})
			defer a.Close()
			defer b.Close()
			r, err := transport.Listen(b, transport.Config{Mode: transport.QUICAU, TLS: cert.server})
			if err != nil {
				t.Fatal(err)
			}
			s, err := transport.Dial(t.Context(), a, b.LocalAddr(), transport.Config{Mode: transport.QUICAU, TLS: cert.client})
			if err != nil {
				t.Fatal(err)
			}
			au = reliableGoodput(t, s, r, 5*time.Second)
		})
		if math.Abs(rq-au) > .02*au {
			t.Errorf("loss %v: rquic %.3f Mbit/s, quic-au %.3f, want 2 %% at most between them", path.Down.Loss, rq, au)
		}
	}
}

// TestAdaptiveBeatsReno: under random loss over a long path adaptive CUBIC gets
// a multiple of Reno's share, and without loss neither fills the queue more.
func TestAdaptiveBeatsReno(t *testing.T) {
	cert := newCertificate(t)
	goodput := func(cc rquic.Congestion) (mbps float64) {
		synctest.Test(t, func(t *testing.T) {
			p := newPair(t, cert, asymmetric(4*link.Mbps, 100*ms, .02), 1, rquic.Config{CC: cc, Queue: 1}, rquic.Config{})
			mbps = reliableGoodput(t, p.sender, p.receiver, 5*time.Second)
		})
		return mbps
	}
	reno, cubic, adaptive := goodput(rquic.Reno), goodput(rquic.Cubic), goodput(rquic.AdaptiveCubic)
	if adaptive < 2*reno || adaptive < 2*cubic {
		t.Errorf("adaptive CUBIC %.2f Mbit/s, Reno %.2f, CUBIC %.2f", adaptive, reno, cubic)
	}
}
