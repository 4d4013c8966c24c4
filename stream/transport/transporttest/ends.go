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

// quick is a path without loss.
func quick() link.Profile {
	return link.Symmetric("quick", link.Direction{Rate: 20 * link.Mbps, Queue: 1 << 20, Delay: 5 * time.Millisecond})
}

// emptyUnit: a unit without packets sends nothing and does not end the stream.
func emptyUnit(t *testing.T, d Dialer) {
	us := units(3, 1, 100)
	us = []transport.Unit{{}, us[0], {}, us[1], us[2], {}}
	if got := carry(t, d, connect(t, d, quick()), us, frameTime); len(got) != 3 {
		t.Errorf("received %d of 3 packets", len(got))
	}
}

// packetSize: the largest packet passes, and a larger one is an error before
// anything of its unit is sent.
func packetSize(t *testing.T, d Dialer) {
	e := connect(t, d, quick())
	limit := transport.MaxPacket(e.Sender)
	if limit <= 0 {
		t.Fatalf("limit of %d bytes", limit)
	}
	us := []transport.Unit{{Packets: [][]byte{packet(0, 0, min(limit, 16000)), packet(0, 1, 100)}}}
	for _, bad := range []int{limit + 1, 0} {
		u := transport.Unit{Packets: [][]byte{us[0].Packets[0], make([]byte, bad)}}
		if err := e.Sender.Send(t.Context(), u); !errors.Is(err, transport.ErrPacketSize) {
			t.Errorf("a packet of %d bytes: got %v, want ErrPacketSize", bad, err)
		}
	}
	if got := carry(t, d, e, us, frameTime); len(got) != 2 {
		t.Errorf("received %d of 2 packets", len(got))
	}
}

// slowReader: while nobody receives, a lossless transport holds the sender back
// before long, and gives everything once somebody does.
func slowReader(t *testing.T, d Dialer) {
	if !d.Lossless {
		t.Skip("a transport that may lose drops and counts instead")
	}
	us := units(5, 420, 1199)
	e := connect(t, d, link.Symmetric("broad", link.Direction{Delay: 5 * time.Millisecond, Queue: link.None}))
	sent := send(e.Sender, us, 1)
	select {
	case err := <-sent:
		t.Errorf("sent %d bytes to nobody, error %v", size(us), err)
	case <-time.After(5 * time.Second):
	}
	got, err := receive(t, e.Receiver, us)
	if !errors.Is(err, io.EOF) || len(got) != count(us) {
		t.Errorf("received %d of %d packets, then %v", len(got), count(us), err)
	}
	checkOrder(t, d, us, got)
	e.Receiver.Close()
	if err := <-sent; err != nil {
		t.Errorf("send: %v", err)
	}
}

// cancelSend: a Send that waits ends with its ctx; what follows arrives whole.
func cancelSend(t *testing.T, d Dialer) {
	us := units(26, 50, 1000)
	e := connect(t, d, link.Symmetric("slow", link.Direction{Rate: 2 * link.Mbps, Queue: 32 << 10, Delay: 10 * time.Millisecond}))
	done, cancel := context.WithCancel(t.Context())
	cancel()
	if err := e.Sender.Send(done, us[0]); !errors.Is(err, context.Canceled) {
		t.Errorf("send with a cancelled ctx: got %v", err)
	}
	sent := make(chan error, 1)
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), 700*time.Millisecond+7)
		defer cancel()
		var err error
		for i := 0; i < 20 && err == nil; i++ {
			err = e.Sender.Send(ctx, us[i])
		}
		if d.Blocks && !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("send of more than the path takes: got %v, want the end of ctx", err)
		}
		for _, u := range us[20:] {
			e.Sender.Send(context.Background(), u) // may report that the cut broke the stream
			time.Sleep(frameTime)
		}
		sent <- e.Sender.Close()
	}()
	got, _ := receive(t, e.Receiver, us) // checks each packet
	e.Receiver.Close()
	<-sent
	checkOrder(t, d, us, got)
	if len(got) == 0 {
		t.Error("received nothing")
	}
}

// cancelReceive: a Receive that waits ends with its ctx, and the next one goes on.
func cancelReceive(t *testing.T, d Dialer) {
	us := units(5, 2, 300)
	e := connect(t, d, quick())
	start := time.Now()
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond+7)
	defer cancel()
	if p, err := e.Receiver.Receive(ctx, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("receive from a silent sender: got %d bytes, %v", len(p), err)
	}
	if took := time.Since(start); took > time.Second {
		t.Errorf("receive ended %v after its start, want 500 ms", took)
	}
	if got := carry(t, d, e, us, frameTime); len(got) != count(us) {
		t.Errorf("received %d of %d packets", len(got), count(us))
	}
}

// closing: closing twice is no error, and a closed end says so.
func closing(t *testing.T, d Dialer) {
	us := units(5, 2, 300)
	e := connect(t, d, quick())
	carry(t, d, e, us, frameTime)
	if err := errors.Join(e.Sender.Close(), e.Receiver.Close()); err != nil {
		t.Errorf("close again: %v", err)
	}
	if err := e.Sender.Send(t.Context(), us[0]); err == nil {
		t.Error("send after close: no error")
	}
	if p, err := e.Receiver.Receive(t.Context(), nil); err == nil {
		t.Errorf("receive after close: %d bytes", len(p))
	}
	if st := transport.StatsOf(e.Sender); st.PacketsSent != 10 || st.UnitsSent != 5 || st.BytesSent != 3000 {
		t.Errorf("sender's statistics %+v", st)
	}
	if st := transport.StatsOf(e.Receiver); st.PacketsReceived != 10 || st.BytesReceived != 3000 {
		t.Errorf("receiver's statistics %+v", st)
	}
}
