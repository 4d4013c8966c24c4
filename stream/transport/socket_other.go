//go:build !linux

package transport

import "net"

// growBuffer asks for ReceiveBuffer bytes; what came of it is not known.
func growBuffer(conn *net.UDPConn) int {
	conn.SetReadBuffer(ReceiveBuffer)
	return 0
}

// KernelDrops is known on Linux only.
func KernelDrops(*net.UDPConn) (int64, error) { return 0, ErrNoDropCounter }

// ReportRefusals works on Linux only.
func ReportRefusals(*net.UDPConn) bool { return false }
