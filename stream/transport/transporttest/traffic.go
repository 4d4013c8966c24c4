package transporttest

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/vqeval/vqeval/stream/link"
	"github.com/vqeval/vqeval/stream/transport"
)

const (
	rtpHeader = 12
	ssrc      = 0x11223344
	frameTime = 40*time.Millisecond + 7 // odd, so that it never coincides with other timers
)

// packet returns RTP packet number n of the whole stream, in unit u.
func packet(u, n, size int) []byte {
	p := make([]byte, rtpHeader, size)
	p[0], p[1] = 0x80, 96
	binary.BigEndian.PutUint16(p[2:], uint16(n))
	binary.BigEndian.PutUint32(p[4:], uint32(3600*u))
	binary.BigEndian.PutUint32(p[8:], ssrc)
	p = binary.BigEndian.AppendUint32(p, uint32(n))
	for len(p) < size {
		p = append(p, byte(n+len(p)))
	}
	return p
}

// units makes n units of packets packets of size bytes.
func units(n, packets, size int) []transport.Unit {
	us := make([]transport.Unit, n)
	for u := range us {
		for i := range packets {
			us[u].Packets = append(us[u].Packets, packet(u, u*packets+i, size))
		}
	}
	return us
}

// connect connects over p, or ends the test.
func connect(t *testing.T, d Dialer, p link.Profile) Ends {
	t.Helper()
	e, err := d.Connect(t.Context(), t, p)
	if err != nil {
		t.Fatalf("connect: %v", err)
	}
	return e
}

// send sends us, one unit each interval, and closes s. The channel yields the
// first error, nil after a proper end.
func send(s transport.Sender, us []transport.Unit, interval time.Duration) <-chan error {
	done := make(chan error, 1)
	go func() {
		for _, u := range us {
			if err := s.Send(context.Background(), u); err != nil {
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

// receive takes packets of us until the stream ends and returns their numbers
// in order of arrival. It fails t for a packet that was not sent like this.
func receive(t *testing.T, r transport.Receiver, us []transport.Unit) (numbers []int, err error) {
	t.Helper()
	var all [][]byte
	for _, u := range us {
		all = append(all, u.Packets...)
	}
	buf := make([]byte, 0, 2048)
	for {
		p, err := r.Receive(context.Background(), buf)
		if err != nil {
			return numbers, err
		}
		n := len(all)
		if len(p) >= rtpHeader+4 {
			n = int(binary.BigEndian.Uint32(p[rtpHeader:]))
		}
		if n >= len(all) || !bytes.Equal(p, all[n]) {
			t.Fatalf("packet of %d bytes, number %d, was not sent like this", len(p), n)
		}
		numbers = append(numbers, n)
	}
}

// carry sends us over e, receives until the end, closes both ends, and returns
// the numbers of the packets that arrived. An order that d promises is checked.
func carry(t *testing.T, d Dialer, e Ends, us []transport.Unit, interval time.Duration) []int {
	t.Helper()
	sent := send(e.Sender, us, interval)
	got, err := receive(t, e.Receiver, us)
	if !errors.Is(err, io.EOF) {
		t.Errorf("end of the stream: got %v, want io.EOF", err)
	}
	if err := e.Receiver.Close(); err != nil {
		t.Errorf("close the receiver: %v", err)
	}
	if err := <-sent; err != nil {
		t.Errorf("send: %v", err)
	}
	checkOrder(t, d, us, got)
	return got
}

// checkOrder fails t for a packet that came twice, that overtook another where
// d promises order, or that overtook one of its own unit on a lossless transport.
func checkOrder(t *testing.T, d Dialer, us []transport.Unit, got []int) {
	t.Helper()
	unit := map[int]int{} // of each packet
	for u := range us {
		for range us[u].Packets {
			unit[len(unit)] = u
		}
	}
	seen, last, newest := map[int]bool{}, map[int]int{}, -1
	for _, n := range got {
		u := unit[n]
		before, ok := last[u]
		switch {
		case seen[n]:
			t.Errorf("packet %d came twice", n)
		case d.Ordered && n < newest:
			t.Errorf("packet %d came after %d", n, newest)
		case d.Lossless && ok && n < before:
			t.Errorf("packet %d came after %d of the same unit", n, before)
		}
		seen[n], last[u], newest = true, n, max(newest, n)
	}
}

// count is the number of packets in us.
func count(us []transport.Unit) (n int) {
	for _, u := range us {
		n += len(u.Packets)
	}
	return n
}

// size is the number of bytes in us.
func size(us []transport.Unit) (n int) {
	for _, u := range us {
		for _, p := range u.Packets {
			n += len(p)
		}
	}
	return n
}
