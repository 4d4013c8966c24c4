package link

import (
	"bytes"
	"context"
	"errors"
	"net"
	"sync"
	"testing"
	"time"
)

// patient is how long a test waits for what must happen.
const patient = 20 * time.Second

func listenUDP(t *testing.T) *net.UDPConn {
	t.Helper()
	c, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	c.SetReadDeadline(time.Now().Add(patient))
	return c
}

func dialUDP(t *testing.T, to net.Addr) *net.UDPConn {
	t.Helper()
	c, err := net.DialUDP("udp", nil, to.(*net.UDPAddr))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	c.SetReadDeadline(time.Now().Add(patient))
	return c
}

// start runs a relay to the address to. stop ends it and returns what it did.
func start(t *testing.T, listen net.PacketConn, to net.Addr, p Profile, o RelayOptions) (r *Relay, stop func() RelayStats) {
	t.Helper()
	r = NewRelay(listen, to, p, o)
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() {
		if err := r.Run(ctx); err != nil {
			t.Errorf("Run: %v", err)
		}
	})
	stop = func() RelayStats {
		cancel()
		running.Wait()
		return r.Stats()
	}
	t.Cleanup(func() { stop() })
	return r, stop
}

// plain hides that a conn is a *net.UDPConn, so that the relay serves it by
// goroutines, as on systems other than Linux.
type plain struct{ net.PacketConn }

// eachWay runs f with both ways of serving.
func eachWay(t *testing.T, f func(t *testing.T, listen net.PacketConn)) {
	t.Run("native", func(t *testing.T) { f(t, listenUDP(t)) })
	t.Run("goroutines", func(t *testing.T) {
		c := listenUDP(t)
		c.SetReadBuffer(1 << 20)
		f(t, plain{c})
	})
}

// await polls until ok holds.
func await(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(patient); !ok(); time.Sleep(ms) {
		if time.Now().After(end) {
			t.Fatalf("no %s after %v", what, patient)
		}
	}
}

// checkSent verifies that what the paths delivered is accounted for.
func checkSent(t *testing.T, s RelayStats) {
	t.Helper()
	for _, way := range []struct {
		name string
		path Stats
		sent Forwarded
	}{{"down", s.Down, s.DownSent}, {"up", s.Up, s.UpSent}} {
		if way.path.Delivered+way.path.Duplicated != way.sent.Packets+way.sent.Errors+way.sent.InFlight {
			t.Errorf("%s: %+v, sent %+v", way.name, way.path, way.sent)
		}
	}
}

// TestRelayBurst sends 100 packets of 1000 bytes on the wire at once into a
// queue of 20 of them at 5 Mbit/s. The kernel's time stamps decide, so that
// the model, fed with the same times, drops the same packets.
func TestRelayBurst(t *testing.T) {
	eachWay(t, func(t *testing.T, listen net.PacketConn) {
		const n, wire, queue = 100, 1000, 20_000
		p := Profile{Down: Direction{Rate: 5 * Mbps, Queue: queue, Delay: 5 * ms}}
		var events []Event
		target := listenUDP(t)
		r, stop := start(t, listen, target.LocalAddr(), p, RelayOptions{Observe: func(e Event) {
			e.Data = bytes.Clone(e.Data[:1]) // the kernel may reorder a burst on its way here
			events = append(events, e)
		}})
		client := dialUDP(t, listen.LocalAddr())
		for i := range n {
			if _, err := client.Write(bytes.Repeat([]byte{byte(i)}, wire-Headers)); err != nil {
				t.Fatal(err)
			}
		}
		await(t, "end of the burst", func() bool { return r.Stats().Down.Packets == n })
		delivered := r.Stats().Down.Delivered
		buf := make([]byte, 2*wire)
		var got []byte
		for range delivered {
			size, _, err := target.ReadFromUDP(buf)
			if err != nil || size != wire-Headers {
				t.Fatal(size, err)
			}
			got = append(got, buf[0])
		}
		s := stop()
		checkSent(t, s)
		if s.DownSent != (Forwarded{Packets: delivered}) || s.Lateness.Packets != delivered || s.Clients != 1 || s.KernelDrops != 0 {
			t.Errorf("got %+v, want %d sent", s, delivered)
		}
		model := NewPath(p.Down)
		var want []byte
		for i, e := range events {
			if _, v := model.Send(e.At, e.Size); v != e.Verdict {
				t.Errorf("packet %d: %v, the model says %v", i, e.Verdict, v)
			}
			if e.Verdict == Delivered {
				want = append(want, e.Data[0])
			}
		}
		if !bytes.Equal(got, want) {
			t.Errorf("the target got %d, want %d", got, want)
		}
		left := int64(events[n-1].At.Sub(events[0].At)/p.Down.Rate.Airtime(wire)) + 1 // during the burst
		if least := int64(queue / wire); delivered < least || delivered > least+left {
			t.Errorf("%d of %d delivered, want %d to %d", delivered, n, least, least+left)
		}
	})
}

// TestRelayClients has three clients talk to an echo at once, in datagrams of
// all sizes.
func TestRelayClients(t *testing.T) {
	eachWay(t, func(t *testing.T, listen net.PacketConn) {
		target := listenUDP(t)
		var echo sync.WaitGroup
		echo.Go(func() {
			buf := make([]byte, 1<<16)
			for {
				n, from, err := target.ReadFromUDP(buf)
				if err != nil {
					return
				}
				target.WriteToUDP(buf[:n], from)
			}
		})
		_, stop := start(t, listen, target.LocalAddr(), Symmetric("", Direction{Delay: ms}), RelayOptions{})
		sizes := []int{0, 1, 1200, 9000, 60_000}
		var talks sync.WaitGroup
		for id := range 3 {
			client := dialUDP(t, listen.LocalAddr())
			talks.Go(func() {
				buf := make([]byte, 1<<16)
				for i, size := range sizes {
					sent := bytes.Repeat([]byte{byte(16*id + i)}, size)
					client.Write(sent)
					if n, err := client.Read(buf); err != nil || !bytes.Equal(buf[:n], sent) {
						t.Errorf("client %d: %d bytes come back as %d, %v", id, size, n, err)
					}
				}
			})
		}
		talks.Wait()
		s := stop()
		checkSent(t, s)
		want := Forwarded{Packets: int64(3 * len(sizes))}
		if s.DownSent != want || s.UpSent != want || s.Clients != 3 || s.ClientsSeen != 3 {
			t.Errorf("got %+v", s)
		}
		target.Close()
		echo.Wait()
	})
}

// TestRelayDuplicates: copies arrive and are counted.
func TestRelayDuplicates(t *testing.T) {
	target, listen := listenUDP(t), listenUDP(t)
	_, stop := start(t, listen, target.LocalAddr(), Profile{Down: Direction{Duplicate: Extra{1, ms}}}, RelayOptions{})
	dialUDP(t, listen.LocalAddr()).Write([]byte("x"))
	for range 2 {
		if n, _, err := target.ReadFromUDP(make([]byte, 10)); n != 1 || err != nil {
			t.Fatal(n, err)
		}
	}
	s := stop()
	if checkSent(t, s); s.DownSent.Packets != 2 || s.Down.Duplicated != 1 {
		t.Errorf("got %+v", s)
	}
}

// TestRelayEnds: what is in flight at the end is counted, all is closed.
func TestRelayEnds(t *testing.T) {
	eachWay(t, func(t *testing.T, listen net.PacketConn) {
		target := listenUDP(t)
		r, stop := start(t, listen, target.LocalAddr(), Profile{Down: Direction{Delay: time.Hour}}, RelayOptions{})
		client := dialUDP(t, listen.LocalAddr())
		for range 5 {
			client.Write([]byte("x"))
		}
		await(t, "packets", func() bool { return r.Stats().Down.Packets == 5 })
		s := stop()
		if checkSent(t, s); s.DownSent.InFlight != 5 || s.Clients != 1 {
			t.Errorf("got %+v", s)
		}
		if _, err := listen.WriteTo(nil, target.LocalAddr()); !errors.Is(err, net.ErrClosed) {
			t.Errorf("the socket is still open: %v", err)
		}
		if again := r.Stats(); again != s {
			t.Errorf("Stats changes after the end: %+v, %+v", s, again)
		}
	})
}

// TestRelayFailure: a conn that fails for good ends Run with its error.
func TestRelayFailure(t *testing.T) {
	listen := plain{listenUDP(t)}
	listen.Close()
	err := NewRelay(listen, listen.LocalAddr(), Profile{}, RelayOptions{}).Run(t.Context())
	if !errors.Is(err, net.ErrClosed) {
		t.Errorf("got %v", err)
	}
}
