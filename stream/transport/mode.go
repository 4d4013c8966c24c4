package transport

import (
	"fmt"
	"strings"
)

// A Mode names a way of carrying RTP packets. The text is what the command
// line and result files use.
type Mode string

// The modes. The order of arrival is the order of sending in QUIC, TCP and TLS;
// in the others it is the path's, except that quic-au keeps it within a unit.
const (
	UDP          Mode = "udp"        // one packet a datagram
	QUIC         Mode = "quic"       // one QUIC stream for all units
	QUICAU       Mode = "quic-au"    // one QUIC stream per unit, oldest first
	QUICDatagram Mode = "quic-dgram" // one packet a QUIC DATAGRAM frame (RFC 9221), never retransmitted
	TCP          Mode = "tcp"        // RFC 4571
	TLS          Mode = "tls"        // RFC 4571 inside TLS 1.3
)

// Modes lists every mode of this package.
func Modes() []Mode { return []Mode{UDP, QUIC, QUICAU, QUICDatagram, TCP, TLS} }

// ParseMode returns the mode called s; "tcp+tls" is another name of TLS.
func ParseMode(s string) (Mode, error) {
	if s == "tcp+tls" {
		return TLS, nil
	}
	names := make([]string, 0, len(Modes()))
	for _, m := range Modes() {
		if s == string(m) {
			return m, nil
		}
		names = append(names, string(m))
	}
	return "", fmt.Errorf("unknown transport %q, want one of %s", s, strings.Join(names, ", "))
}

// UnmarshalText reads a mode from a file or a flag.
func (m *Mode) UnmarshalText(b []byte) (err error) {
	*m, err = ParseMode(string(b))
	return err
}

// Packets reports whether the mode runs over a packet conn (Dial, Listen)
// and not over a stream conn (DialStream, ListenStream).
func (m Mode) Packets() bool { return m != TCP && m != TLS }

// IsQUIC reports whether the mode runs over QUIC.
func (m Mode) IsQUIC() bool { return m == QUIC || m == QUICAU || m == QUICDatagram }

// Lossless reports whether the mode repeats what the path loses.
func (m Mode) Lossless() bool { return m != UDP && m != QUICDatagram }
