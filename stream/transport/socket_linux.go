package transport

import (
	"errors"
	"fmt"
	"net"
	"os"

	"golang.org/x/sys/unix"
)

// growBuffer asks for ReceiveBuffer bytes, beyond the system's limit where this
// process may, and returns what the socket has then. Linux counts double: the
// size that was asked for is half of what it reports (man 7 socket).
func growBuffer(conn *net.UDPConn) (size int) {
	conn.SetReadBuffer(ReceiveBuffer) // the outcome is read back below
	raw, err := conn.SyscallConn()
	if err != nil {
		return 0
	}
	raw.Control(func(fd uintptr) {
		size, err = unix.GetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_RCVBUF)
		if err == nil && size < ReceiveBuffer {
			unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_RCVBUFFORCE, ReceiveBuffer)
			size, err = unix.GetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_RCVBUF)
		}
	})
	if err != nil {
		return 0
	}
	return size
}

// ReportRefusals makes conn tell, by ECONNREFUSED on a later write, that a
// datagram found nobody at the far end's port (ICMP "port unreachable"; man 7 ip,
// IP_RECVERR). A UDP sender counts that as Stats.Refused and sends on. It reports
// whether the system can do so.
func ReportRefusals(conn *net.UDPConn) bool {
	raw, err := conn.SyscallConn()
	if err != nil {
		return false
	}
	var v4, v6 bool
	raw.Control(func(fd uintptr) { // a socket of both families needs both
		v4 = unix.SetsockoptInt(int(fd), unix.IPPROTO_IP, unix.IP_RECVERR, 1) == nil
		v6 = unix.SetsockoptInt(int(fd), unix.IPPROTO_IPV6, unix.IPV6_RECVERR, 1) == nil
	})
	return v4 || v6
}

// KernelDrops returns how many datagrams the kernel has dropped at conn because
// its receive buffer was full, or ErrNoDropCounter. It reads the tables of the
// calling process's network namespace.
func KernelDrops(conn *net.UDPConn) (int64, error) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return 0, fmt.Errorf("kernel drops: %w", err)
	}
	var stat unix.Stat_t
	var statErr error
	if err = raw.Control(func(fd uintptr) { statErr = unix.Fstat(int(fd), &stat) }); err == nil {
		err = statErr
	}
	if err != nil {
		return 0, fmt.Errorf("kernel drops: %w", err)
	}
	for _, name := range []string{"/proc/net/udp", "/proc/net/udp6"} {
		n, err := dropsIn(name, stat.Ino)
		if !errors.Is(err, ErrNoDropCounter) {
			return n, err
		}
	}
	return 0, ErrNoDropCounter
}

// dropsIn takes a table that is not there for one without the socket.
func dropsIn(name string, inode uint64) (int64, error) {
	f, err := os.Open(name)
	if err != nil {
		return 0, ErrNoDropCounter
	}
	defer f.Close()
	return parseDrops(f, inode)
}
