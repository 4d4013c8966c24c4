package transporttest

import (
	"context"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/vqeval/vqeval/stream/link"
	"github.com/vqeval/vqeval/stream/transport"
)

// longest is how long a transport may take to notice that its peer is gone.
const longest = 75 * time.Second

// totalLoss: over a path that loses everything a handshake fails in five
// seconds; without one the sender cannot know, and the receiver waits.
func totalLoss(t *testing.T, d Dialer) {
	start := time.Now()
	e, err := d.Connect(t.Context(), t, link.Symmetric("dead", link.Direction{Loss: 1}))
	if d.Handshakes {
		if !errors.Is(err, transport.ErrNoAnswer) {
			t.Errorf("connect: got %v, want ErrNoAnswer", err)
		}
		if took := time.Since(start); took > 5500*time.Millisecond {
			t.Errorf("connect gave up after %v, want 5 s", took)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	sent := send(e.Sender, units(5, 2, 300), frameTime)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if p, err := e.Receiver.Receive(ctx, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("received %d bytes, %v", len(p), err)
	}
	e.Receiver.Close()
	if err := <-sent; err != nil && !d.Lossless {
		t.Errorf("send: %v", err)
	}
}

// receiverGone: a receiver that stops in the middle is an error of the sender,
// if the transport can know, and never blocks it for ever.
func receiverGone(t *testing.T, d Dialer) {
	us := units(200, 2, 1000)
	e := connect(t, d, quick())
	start := time.Now()
	sent := send(e.Sender, us, frameTime)
	for range 20 {
		if _, err := e.Receiver.Receive(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := e.Receiver.Close(); err != nil {
		t.Errorf("close the receiver: %v", err)
	}
	err := <-sent
	if d.Notices && err == nil || !d.Notices && err != nil {
		t.Errorf("send: got error %v, the transport notices: %v", err, d.Notices)
	}
	if took := time.Since(start); d.Notices && took > 15*time.Second {
		t.Errorf("the sender went on for %v", took)
	}
}

// senderGone: a sender that vanishes ends the stream in bounded time, with what
// arrived before, as an error if the transport can know.
func senderGone(t *testing.T, d Dialer) {
	us := units(10, 2, 1000)
	e := connect(t, d, quick())
	for _, u := range us {
		if err := e.Sender.Send(t.Context(), u); err != nil {
			t.Fatal(err)
		}
		time.Sleep(frameTime)
	}
	start := time.Now()
	e.Cut()
	got, err := receive(t, e.Receiver, us)
	if len(got) != count(us) {
		t.Errorf("received %d packets, sent %d before the end", len(got), count(us))
	}
	if took := time.Since(start); took > longest {
		t.Errorf("the receiver waited for %v", took)
	}
	if d.Notices == errors.Is(err, io.EOF) {
		t.Errorf("end of the stream: got %v, the transport notices: %v", err, d.Notices)
	}
	e.Receiver.Close()
	e.Sender.Close() // says something or not; it must return
}
