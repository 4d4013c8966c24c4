package link

import (
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// TestRelayKernelDrops floods a small receive buffer before the relay reads:
// every packet is either on the link or counted as dropped by the kernel.
func TestRelayKernelDrops(t *testing.T) {
	const n = 200
	listen, target := listenUDP(t), listenUDP(t)
	listen.SetReadBuffer(1)
	client := dialUDP(t, listen.LocalAddr())
	for range n {
		client.Write(make([]byte, 1000))
	}
	r, stop := start(t, listen, target.LocalAddr(), Profile{}, RelayOptions{})
	await(t, "packets", func() bool { s := r.Stats(); return s.Down.Packets+s.KernelDrops == n })
	if s := stop(); s.KernelDrops == 0 || s.Down.Packets == 0 || s.ReadBuffer < 1<<16 || !s.KernelTime {
		t.Errorf("got %+v", s)
	}
}

// TestRelayKernelTime stalls the relay while a packet arrives: it enters the
// path when it arrived, not when the relay came round to it.
func TestRelayKernelTime(t *testing.T) {
	listen, target := listenUDP(t), listenUDP(t)
	client := dialUDP(t, listen.LocalAddr())
	type stall struct{ sent, resumed time.Time }
	stalls, stamps := make(chan stall, 1), make(chan time.Time, 1)
	stalling := true
	_, stop := start(t, listen, target.LocalAddr(), Profile{}, RelayOptions{Observe: func(e Event) {
		if stalling = !stalling; stalling {
			stamps <- e.At
			return
		}
		client.Write([]byte("meanwhile"))
		sent := time.Now()
		time.Sleep(20 * ms)
		stalls <- stall{sent, time.Now()}
	}})
	for try := range 20 { // the kernel begins to stamp a little after it is asked to
		client.Write([]byte("stall"))
		s, at := <-stalls, <-stamps
		if !at.After(s.sent.Add(ms)) {
			stop()
			return
		}
		t.Logf("try %d: %v after it was sent, %v before the stall ended", try, at.Sub(s.sent), s.resumed.Sub(at))
	}
	t.Error("the kernel's time stamps are not used")
}

func TestAddrPort(t *testing.T) {
	for want, sa := range map[string]unix.Sockaddr{
		"127.0.0.1:7":      &unix.SockaddrInet4{Port: 7, Addr: [4]byte{127, 0, 0, 1}},
		"[fe80::1%2]:7":    &unix.SockaddrInet6{Port: 7, ZoneId: 2, Addr: [16]byte{0: 0xfe, 1: 0x80, 15: 1}},
		"invalid AddrPort": &unix.SockaddrUnix{},
	} {
		if got := addrPort(sa).String(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// TestArrival: a stamp cannot leave the time since the socket was last empty.
func TestArrival(t *testing.T) {
	now := time.Now()
	s := &socket{empty: now.Add(-ms)}
	for _, tt := range []struct{ stamp, want time.Duration }{
		{-ms / 2, -ms / 2}, {-time.Hour, -ms}, {time.Hour, 0},
	} {
		if got := s.arrival(stampMessage(now.Add(tt.stamp)), now).Sub(now); got != tt.want {
			t.Errorf("stamp %v: got %v, want %v", tt.stamp, got, tt.want)
		}
	}
	for _, oob := range [][]byte{nil, {1, 2, 3}, make([]byte, unix.CmsgSpace(0))} {
		if got := s.arrival(oob, now); !got.Equal(now) {
			t.Errorf("control message %v: got %v", oob, got)
		}
	}
}

// stampMessage returns the control message that carries a time stamp.
func stampMessage(at time.Time) []byte {
	ts := unix.NsecToTimespec(at.UnixNano())
	oob := make([]byte, unix.CmsgSpace(int(unsafe.Sizeof(ts))))
	header := (*unix.Cmsghdr)(unsafe.Pointer(&oob[0]))
	header.Level, header.Type = unix.SOL_SOCKET, unix.SCM_TIMESTAMPNS
	header.SetLen(unix.CmsgLen(int(unsafe.Sizeof(ts))))
	*(*unix.Timespec)(unsafe.Pointer(&oob[unix.CmsgLen(0)])) = ts
	return oob
}
