package link

import (
	"net"
	"net/netip"
	"slices"
	"strconv"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A socket is one of a poller's, set up for big bursts and kernel time.
type socket struct {
	fd         int
	client     *client   // whose answers come by it; nil for the listening one
	empty      time.Time // when it was last found empty: what comes later arrived later
	readBuffer int       // bytes the kernel granted
	stamps     bool      // packets carry their receive time
}

// duplicate returns a descriptor of conn's socket that Go's own poller does
// not know and that lives on when conn is closed.
func duplicate(conn *net.UDPConn) (fd int, err error) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return 0, err
	}
	controlErr := raw.Control(func(old uintptr) {
		fd, err = unix.FcntlInt(old, unix.F_DUPFD_CLOEXEC, 0)
	})
	if controlErr != nil {
		return 0, controlErr
	}
	return fd, err
}

func newSocket(fd int) *socket {
	s := &socket{fd: fd}
	if unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_RCVBUFFORCE, readBuffer) != nil { // needs CAP_NET_ADMIN
		unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_RCVBUF, readBuffer) // up to net.core.rmem_max
	}
	s.readBuffer, _ = unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_RCVBUF)
	s.stamps = unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_TIMESTAMPNS, 1) == nil
	return s
}

// drops returns how many packets the kernel has dropped because the receive
// buffer was full (SO_MEMINFO, Linux 4.12; 0 where it is unknown).
func (s *socket) drops() int64 {
	var info [9]uint32 // SK_MEMINFO_VARS; the last is SK_MEMINFO_DROPS
	size := uint32(unsafe.Sizeof(info))
	_, _, errno := unix.Syscall6(unix.SYS_GETSOCKOPT, uintptr(s.fd), unix.SOL_SOCKET, unix.SO_MEMINFO,
		uintptr(unsafe.Pointer(&info)), uintptr(unsafe.Pointer(&size)), 0)
	if errno != 0 {
		return 0
	}
	return int64(info[8])
}

// arrival returns when the packet read at now reached the machine, from its
// control messages. A step of the wall clock cannot move it out of the time
// since the socket was last empty.
func (s *socket) arrival(oob []byte, now time.Time) time.Time {
	for len(oob) >= unix.SizeofCmsghdr {
		header, data, rest, err := unix.ParseOneSocketControlMessage(oob)
		if err != nil {
			break
		}
		var stamp unix.Timespec
		if header.Level == unix.SOL_SOCKET && header.Type == unix.SCM_TIMESTAMPNS && len(data) >= int(unsafe.Sizeof(stamp)) {
			stamp = *(*unix.Timespec)(unsafe.Pointer(&data[0]))
			return between(s.empty, now.Add(time.Duration(stamp.Nano()-now.UnixNano())), now)
		}
		oob = rest
	}
	return now
}

func between(low, t, high time.Time) time.Time {
	switch {
	case t.After(high):
		return high
	case t.Before(low):
		return low
	}
	return t
}

// fatal reports whether err means that the socket itself is of no use. All
// other errors are news of earlier packets (ICMP) or pass.
func fatal(err error) bool {
	return slices.Contains([]error{unix.EBADF, unix.ENOTSOCK, unix.EINVAL, unix.EFAULT}, err)
}

// An arrival is a packet that has been read and is not yet on the link.
type arrival struct {
	at     time.Time
	up     bool
	client *client
	data   []byte
}

func sortArrivals(a []arrival) {
	slices.SortStableFunc(a, func(a, b arrival) int { return a.at.Compare(b.at) })
}

// addrPort returns the address of a peer as a map key.
func addrPort(sa unix.Sockaddr) netip.AddrPort {
	switch a := sa.(type) {
	case *unix.SockaddrInet4:
		return netip.AddrPortFrom(netip.AddrFrom4(a.Addr), uint16(a.Port))
	case *unix.SockaddrInet6:
		addr := netip.AddrFrom16(a.Addr)
		if a.ZoneId != 0 {
			addr = addr.WithZone(strconv.Itoa(int(a.ZoneId)))
		}
		return netip.AddrPortFrom(addr, uint16(a.Port))
	}
	return netip.AddrPort{}
}

// A fdOutlet sends for one client of a poller.
type fdOutlet struct {
	poller *poller
	out    *socket       // connected to the target
	from   unix.Sockaddr // the client
}

func (o *fdOutlet) forward(b []byte) error {
	return o.retry(func() error { return unix.Send(o.out.fd, b, unix.MSG_DONTWAIT|unix.MSG_NOSIGNAL) })
}

func (o *fdOutlet) back(b []byte) error {
	return o.retry(func() error {
		return unix.Sendto(o.poller.listen.fd, b, unix.MSG_DONTWAIT|unix.MSG_NOSIGNAL, o.from)
	})
}

// retry sends again where the kernel, instead of sending, told what became of
// an earlier packet.
func (o *fdOutlet) retry(send func() error) (err error) {
	for range 3 {
		switch err = send(); err {
		case unix.ECONNREFUSED, unix.EHOSTUNREACH, unix.ENETUNREACH:
			o.poller.relay.stats.Unreachable++
		case unix.EINTR:
		default:
			return err
		}
	}
	return err
}

func (o *fdOutlet) close() (kernelDrops int64) {
	p := o.poller
	p.sockets = slices.DeleteFunc(p.sockets, func(s *socket) bool { return s == o.out })
	kernelDrops = o.out.drops()
	unix.Close(o.out.fd)
	return kernelDrops
}
