package transport_test

import (
	"context"
	"errors"
	"io"
	"net"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/vqeval/vqeval/stream/link"
	"github.com/vqeval/vqeval/stream/transport"
)

// bubble runs check in fake time with the two ends of a path of 10 ms.
func bubble(t *testing.T, check func(t *testing.T, a, b *link.End)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		a, b := link.Pipe(link.Symmetric("", link.Direction{Delay: 10 * time.Millisecond}), 1, link.PipeOptions{})
		defer a.Close()
		defer b.Close()
		check(t, a, b)
	})
}

func TestUDPEndMark(t *testing.T) {
	own, foreign := []byte{0x81, 203, 0, 1, 0, 0, 0, 7}, []byte{0x81, 203, 0, 1, 0, 0, 0, 8}
	for _, c := range []struct {
		name string
		send [][]byte
		got  int           // datagrams passed up
		took time.Duration // until io.EOF, counted from the first datagram
		byes int64
	}{
		{"goodbye", [][]byte{rtp(20), own, own, own}, 1, 250 * time.Millisecond, 3},
		{"late packet", [][]byte{rtp(20), own, rtp(30)}, 2, 250 * time.Millisecond, 1},
		{"goodbye of another", [][]byte{rtp(20), foreign}, 2, 2 * time.Second, 0},
		{"goodbye before media", [][]byte{own, rtp(20)}, 2, 2 * time.Second, 0},
		{"empty and foreign datagrams", [][]byte{rtp(20), {}, {1, 2, 3}, make([]byte, 60000)}, 4, 2 * time.Second, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, a, b *link.End) {
				r, err := transport.Listen(b, transport.Config{Mode: transport.UDP})
				if err != nil {
					t.Fatal(err)
				}
				defer r.Close()
				start := time.Now().Add(10 * time.Millisecond)
				for _, p := range c.send {
					a.WriteTo(p, b.LocalAddr())
				}
				n, err := drain(r)
				if n != c.got || !errors.Is(err, io.EOF) {
					t.Errorf("received %d datagrams, then %v, want %d and io.EOF", n, err, c.got)
				}
				if took := time.Since(start); took != c.took {
					t.Errorf("ended after %v, want %v", took, c.took)
				}
				if st := transport.StatsOf(r); st.EndMarks != c.byes {
					t.Errorf("%d goodbyes counted, want %d", st.EndMarks, c.byes)
				}
			})
		})
	}
}

// TestUDPForeignFirst: what comes before the media, such as the probe of a port
// scanner, ends nothing, however long the sender takes to begin.
func TestUDPForeignFirst(t *testing.T) {
	bubble(t, func(t *testing.T, a, b *link.End) {
		r, err := transport.Listen(b, transport.Config{Mode: transport.UDP})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		go func() {
			a.WriteTo([]byte{1, 2, 3}, b.LocalAddr())
			a.WriteTo([]byte{0x81, 203, 0, 1, 0, 0, 0, 7}, b.LocalAddr()) // the goodbye of a stream before
			time.Sleep(time.Minute)
			a.WriteTo(rtp(20), b.LocalAddr())
		}()
		if n, err := drain(r); n != 3 || !errors.Is(err, io.EOF) {
			t.Errorf("received %d datagrams, then %v, want 3 and io.EOF", n, err)
		}
	})
}

// TestUDPSpread: a unit's packets leave evenly over the configured time, the
// first at once. See TestDatagramSpread, too.
func TestUDPSpread(t *testing.T) {
	bubble(t, func(t *testing.T, a, b *link.End) {
		s, err := transport.Dial(t.Context(), a, b.LocalAddr(), transport.Config{Mode: transport.UDP, Spread: 20 * time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		start := time.Now()
		if err := s.Send(t.Context(), transport.Unit{Packets: [][]byte{rtp(20), rtp(20), rtp(20), rtp(20)}}); err != nil {
			t.Fatal(err)
		}
		buf := make([]byte, 100)
		for i := range 4 {
			if _, _, err := b.ReadFrom(buf); err != nil {
				t.Fatal(err)
			}
			if at, want := time.Since(start), time.Duration(10+5*i)*time.Millisecond; i > 1 && at != want {
				t.Errorf("packet %d arrived at %v, want %v", i, at, want)
			}
		}
	})
}

// refusing reports ECONNREFUSED for every other write, as a connected socket
// without a listener does.
type refusing struct {
	conn net.PacketConn
	n    int
}

func (r *refusing) WriteTo(p []byte, to net.Addr) (int, error) {
	if r.n++; r.n%2 == 0 {
		return 0, &net.OpError{Op: "write", Err: syscall.ECONNREFUSED}
	}
	return r.conn.WriteTo(p, to)
}
func (r *refusing) ReadFrom(p []byte) (int, net.Addr, error) { return r.conn.ReadFrom(p) }
func (r *refusing) LocalAddr() net.Addr                      { return r.conn.LocalAddr() }
func (r *refusing) Close() error                             { return r.conn.Close() }
func (r *refusing) SetDeadline(t time.Time) error            { return r.conn.SetDeadline(t) }
func (r *refusing) SetReadDeadline(t time.Time) error        { return r.conn.SetReadDeadline(t) }
func (r *refusing) SetWriteDeadline(t time.Time) error       { return r.conn.SetWriteDeadline(t) }

func TestUDPRefused(t *testing.T) {
	bubble(t, func(t *testing.T, a, b *link.End) {
		s, err := transport.Dial(t.Context(), &refusing{conn: a}, b.LocalAddr(), transport.Config{Mode: transport.UDP})
		if err != nil {
			t.Fatal(err)
		}
		for range 10 {
			if err := s.Send(t.Context(), transport.Unit{Packets: [][]byte{rtp(20)}}); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		r, err := transport.Listen(b, transport.Config{Mode: transport.UDP})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		if n, _ := drain(r); n != 10 {
			t.Errorf("received %d of 10 packets", n)
		}
		if st := transport.StatsOf(s); st.Refused == 0 || st.PacketsSent != 10 {
			t.Errorf("statistics %+v", st)
		}
	})
}

// TestUDPCloseWakes: Close ends a Receive that waits.
func TestUDPCloseWakes(t *testing.T) {
	bubble(t, func(t *testing.T, _, b *link.End) {
		r, err := transport.Listen(b, transport.Config{Mode: transport.UDP})
		if err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(time.Second, func() { r.Close() })
		if _, err := r.Receive(context.Background(), nil); !errors.Is(err, net.ErrClosed) {
			t.Errorf("got %v, want net.ErrClosed", err)
		}
	})
}
