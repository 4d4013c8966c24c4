package rquic_test

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/vqeval/vqeval/stream/link"
	"github.com/vqeval/vqeval/stream/rquic"
	"github.com/vqeval/vqeval/stream/transport"
)

const ms = time.Millisecond

// packet is RTP packet seq of unit ts, of n bytes.
func packet(seq, ts, n int) []byte {
	p := make([]byte, n)
	p[0], p[1] = 0x80, 96
	binary.BigEndian.PutUint16(p[2:], uint16(seq))
	binary.BigEndian.PutUint32(p[4:], uint32(3600*ts))
	binary.BigEndian.PutUint32(p[8:], 0x11223344)
	return p
}

// unit is unit u of packets packets of size bytes.
func unit(u, packets, size int) (out transport.Unit) {
	for i := range packets {
		out.Packets = append(out.Packets, packet(65500+u*packets+i, u, size))
	}
	return out
}

// pair is a sender and a receiver with a path between them.
type pair struct {
	sender   *rquic.Sender
	receiver *rquic.Receiver
	a, b     *link.End
}

func newPair(t *testing.T, cert certificate, p link.Profile, seed uint64, tx, rx rquic.Config) pair {
	t.Helper()
	a, b := link.Pipe(p, seed, link.PipeOptions{})
	t.Cleanup(func() { a.Close(); b.Close() })
	tx.TLS, rx.TLS = cert.client, cert.server
	r, err := rquic.Listen(b, rx)
	if err != nil {
		t.Fatal(err)
	}
	s, err := rquic.Dial(t.Context(), a, b.LocalAddr(), tx)
	if err != nil {
		r.Close()
		t.Fatal(err)
	}
	return pair{s, r, a, b}
}

// repeated, in place of every how many-th unit is reliable: each is repeated while
// the sender keeps up.
const repeated = -1

// feed sends n units of packets packets, one each interval, every keep-th of
// them reliable, and closes. The channel yields the first error.
func feed(s transport.Sender, n, packets int, interval time.Duration, keep int) <-chan error {
	done := make(chan error, 1)
	go func() {
		for u := range n {
			x := unit(u, packets, 1199)
			x.Reliable, x.Repeat = keep > 0 && u%keep == 0, keep == repeated
			if err := s.Send(context.Background(), x); err != nil {
				s.Close()
				done <- err
				return
			}
			time.Sleep(interval)
		}
		done <- s.Close()
	}()
	return done
}

// collect receives to the end and returns the sequence numbers that came.
func collect(r transport.Receiver) (seqs []uint16, err error) {
	for {
		p, err := r.Receive(context.Background(), nil)
		if err != nil {
			return seqs, err
		}
		seqs = append(seqs, binary.BigEndian.Uint16(p[2:]))
	}
}

// run feeds and collects, and fails t unless both end properly.
func (p pair) run(t *testing.T, n, packets int, interval time.Duration, keep int) []uint16 {
	t.Helper()
	sent := feed(p.sender, n, packets, interval, keep)
	seqs, err := collect(p.receiver)
	if !errors.Is(err, io.EOF) {
		t.Errorf("receive: %v", err)
	}
	if err := p.receiver.Close(); err != nil {
		t.Error(err)
	}
	if err := <-sent; err != nil {
		t.Errorf("send: %v", err)
	}
	return seqs
}

// asymmetric is a path with its bottleneck in the media's direction, and delay and loss in both.
func asymmetric(rate link.Rate, delay time.Duration, loss float64) link.Profile {
	return link.Profile{Down: link.Direction{Rate: rate, Delay: delay, Loss: loss}, Up: link.Direction{Delay: delay, Loss: loss}}
}
