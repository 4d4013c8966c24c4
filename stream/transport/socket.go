package transport

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"strconv"
	"strings"
)

// ReceiveBuffer is the size in bytes that ListenUDP asks of the kernel, and
// quic-go too: 11 s of 5 Mbit/s.
const ReceiveBuffer = 7 << 20

// ErrNoDropCounter reports that the kernel tells no drops of a socket.
var ErrNoDropCounter = errors.New("no drop counter for this socket")

// ListenUDP opens an unconnected UDP socket on addr ("host:port") with a receive
// buffer of ReceiveBuffer bytes if the kernel allows it, and returns the size it
// got in bytes, 0 if unknown.
func ListenUDP(addr string) (conn *net.UDPConn, buffer int, err error) {
	at, err := net.ResolveUDPAddr("udp", addr)
	if err != nil {
		return nil, 0, fmt.Errorf("listen on %q: %w", addr, err)
	}
	conn, err = net.ListenUDP("udp", at)
	if err != nil {
		return nil, 0, fmt.Errorf("listen on %q: %w", addr, err)
	}
	return conn, growBuffer(conn), nil
}

// parseDrops finds the socket with this inode in a file of the form of
// /proc/net/udp and returns its last column, the datagrams dropped.
func parseDrops(r io.Reader, inode uint64) (int64, error) {
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		f := strings.Fields(lines.Text())
		if len(f) < 13 || f[9] != strconv.FormatUint(inode, 10) {
			continue
		}
		n, err := strconv.ParseInt(f[12], 10, 64)
		if err != nil {
			return 0, fmt.Errorf("drops of socket %d: %w", inode, err)
		}
		return n, nil
	}
	if err := lines.Err(); err != nil {
		return 0, fmt.Errorf("drops of socket %d: %w", inode, err)
	}
	return 0, ErrNoDropCounter
}

// PrivatePeer reports whether addr is a loopback, link-local or private address
// (RFC 1918, RFC 4193), or one of no real network at all.
func PrivatePeer(addr net.Addr) bool {
	if addr == nil {
		return true
	}
	at, err := netip.ParseAddrPort(addr.String())
	if err != nil {
		return true
	}
	ip := at.Addr().Unmap()
	return ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast() || ip.IsUnspecified()
}
