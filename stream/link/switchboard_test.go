package link

import (
	"errors"
	"fmt"
	"net"
	"testing"
	"time"
)

func TestRelayForgetsIdleClients(t *testing.T) {
	eachWay(t, func(t *testing.T, listen net.PacketConn) {
		target := listenUDP(t)
		r, stop := start(t, listen, target.LocalAddr(), Profile{}, RelayOptions{Idle: 20 * ms})
		client, ports := dialUDP(t, listen.LocalAddr()), map[int]bool{}
		for i := range 2 {
			client.Write([]byte("x"))
			_, from, err := target.ReadFromUDP(make([]byte, 10))
			if err != nil {
				t.Fatal(err)
			}
			ports[from.Port] = true
			await(t, fmt.Sprint("idle client ", i), func() bool { return r.Stats().Clients == 0 })
		}
		if s := stop(); s.ClientsSeen != 2 || s.Down.Delivered != 2 {
			t.Errorf("got %+v", s)
		}
	})
}

// TestRelaySurvivesRefusals sends to a target that does not listen yet.
func TestRelaySurvivesRefusals(t *testing.T) {
	eachWay(t, func(t *testing.T, listen net.PacketConn) {
		early := listenUDP(t)
		addr := early.LocalAddr().(*net.UDPAddr)
		early.Close()
		r, stop := start(t, listen, addr, Profile{}, RelayOptions{})
		client := dialUDP(t, listen.LocalAddr())
		await(t, "ICMP error", func() bool {
			client.Write([]byte("early"))
			s := r.Stats()
			return s.Unreachable > 0 || s.DownSent.Errors > 0
		})
		target, err := net.ListenUDP("udp", addr)
		if err != nil {
			t.Skip("another program took the port:", err)
		}
		defer target.Close()
		target.SetReadDeadline(time.Now().Add(patient))
		client.Write([]byte("late"))
		buf := make([]byte, 10)
		for n, s := 0, ""; s != "late"; s = string(buf[:n]) {
			if n, _, err = target.ReadFromUDP(buf); err != nil {
				t.Fatal(err)
			}
		}
		checkSent(t, stop())
	})
}

// TestRelayTurnsAway: clients beyond the bound, and those without a socket.
func TestRelayTurnsAway(t *testing.T) {
	r := NewRelay(listenUDP(t), &net.UDPAddr{}, Profile{}, RelayOptions{})
	now := time.Unix(0, 0)
	open := func(*client) (outlet, error) { return &connOutlet{}, nil }
	addr := func(i int) net.UDPAddr { return net.UDPAddr{IP: net.IPv4(127, 0, 0, 1), Port: i} }
	for i := range maxClients + 1 {
		a := addr(i + 1)
		if c := r.client(a.AddrPort(), now, open); (c == nil) != (i == maxClients) {
			t.Fatalf("client %d: %v", i, c)
		}
	}
	delete(r.clients, new(addr(1)).AddrPort())
	failing := func(*client) (outlet, error) { return nil, errors.New("no socket") }
	if c := r.client(new(addr(1)).AddrPort(), now, failing); c != nil || r.stats.Turned != 2 {
		t.Errorf("got %v, %d turned away", c, r.stats.Turned)
	}
}
