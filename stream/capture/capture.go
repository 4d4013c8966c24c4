// Package capture keeps what arrived and when: RTP packets with their arrival
// times in a pcapng file, and a reader that takes any pcap or pcapng of RTP
// over UDP, whoever made it.
//
// The files open in Wireshark; "tshark -r FILE -d udp.port==5004,rtp" shows
// the packets as RTP.
package capture

import (
	"errors"
	"net/netip"
	"time"
)

// ErrTruncated says that a capture ends early: it was cut off in the middle of
// a block, or it is damaged from there on. Everything before was returned.
var ErrTruncated = errors.New("capture ends early")

// A Record is the payload of one UDP datagram of a capture: in the stream that
// is looked for an RTP packet, but other traffic is returned as well.
type Record struct {
	At       time.Time // arrival; of its last fragment, if IP cut it; zero = the file has no times
	Packet   []byte    // UDP payload; it belongs to the caller
	Src, Dst netip.AddrPort
}
