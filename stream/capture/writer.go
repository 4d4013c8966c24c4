package capture

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"net/netip"
	"runtime"
	"time"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"
)

const (
	writeBuffer   = 128 << 10       // bytes; holds any datagram and its block
	blockOverhead = 64              // bytes; at least what a pcapng packet block adds to its packet
	flushEvery    = time.Second     // of arrival time: what a killed process may lose
	defaultPort   = 5004            // RTP's registered port (RFC 3551 section 8)
	ipv4Header    = 20              // bytes
	ipv6Header    = 40              // bytes
	udpHeader     = 8               // bytes
	maxDatagram   = 65535           // bytes; the length fields of IPv4 and UDP have 16 bits
	protocolUDP   = 17              // IANA protocol number
	hopLimit      = 64              // IANA's recommended default TTL
	nanoseconds   = 9               // pcapng's if_tsresol: 10^-9 s
	interfaceName = "vqeval"        // pcapng's if_name
	wholePacket   = uint32(1 << 18) // snap length, bytes: tcpdump's "no limit"
)

// WriterOptions describe a capture. The zero value is usable.
type WriterOptions struct {
	App     string // what makes the file, with its version
	Comment string // what the file is: transport, settings, seed

	// Src and Dst stand in the headers that are put before each packet. Both
	// are IPv4 or both IPv6. Zero = 127.0.0.1, port 5004.
	Src, Dst netip.AddrPort
}

// A Writer writes RTP packets as pcapng with times in nanoseconds. Each packet
// gets an IP and a UDP header with right checksums (link type "raw IP").
//
// The file grows by whole packets only, and whenever a second of arrival time
// has passed, so that a killed process leaves a file that can be read. A
// Writer is not safe for concurrent use.
type Writer struct {
	buf      *bufio.Writer
	ng       *pcapgo.NgWriter
	src, dst netip.AddrPort
	flushed  time.Time // arrival time at the latest flush
	packet   []byte    // IP packet under construction
	id       uint16    // IPv4 identification
}

// NewWriter begins a capture on w. Close ends it and leaves w open.
func NewWriter(w io.Writer, o WriterOptions) (*Writer, error) {
	src, dst := endpoint(o.Src), endpoint(o.Dst)
	if src.Addr().Is4() != dst.Addr().Is4() {
		return nil, fmt.Errorf("capture: addresses %v and %v are of different families", src, dst)
	}
	buf := bufio.NewWriterSize(w, writeBuffer)
	ng, err := pcapgo.NewNgWriterInterface(buf, pcapgo.NgInterface{
		Name:                interfaceName,
		OS:                  runtime.GOOS,
		LinkType:            layers.LinkTypeRaw,
		SnapLength:          wholePacket,
		TimestampResolution: nanoseconds,
	}, pcapgo.NgWriterOptions{SectionInfo: pcapgo.NgSectionInfo{
		Application: option(o.App), Comment: option(o.Comment), OS: runtime.GOOS, Hardware: runtime.GOARCH,
	}})
	if err != nil {
		return nil, fmt.Errorf("capture: %w", err)
	}
	if err := ng.Flush(); err != nil {
		return nil, fmt.Errorf("capture: %w", err)
	}
	return &Writer{buf: buf, ng: ng, src: src, dst: dst}, nil
}

// Write appends one RTP packet that arrived at at. It does not keep packet.
func (w *Writer) Write(at time.Time, packet []byte) error {
	ip, err := w.wrap(packet)
	if err != nil {
		return err
	}
	if w.buf.Available() < len(ip)+blockOverhead || at.Sub(w.flushed) >= flushEvery {
		if err := w.Flush(); err != nil {
			return err
		}
		w.flushed = at
	}
	err = w.ng.WritePacket(gopacket.CaptureInfo{Timestamp: at, CaptureLength: len(ip), Length: len(ip)}, ip)
	if err != nil {
		return fmt.Errorf("capture: %w", err)
	}
	return nil
}

// Flush hands everything written so far to the underlying writer.
func (w *Writer) Flush() error {
	if err := w.buf.Flush(); err != nil {
		return fmt.Errorf("capture: %w", err)
	}
	return nil
}

// Close flushes the capture. The underlying writer stays open.
func (w *Writer) Close() error { return w.Flush() }

// wrap puts an IP and a UDP header before payload. The result is valid until
// the next call.
func (w *Writer) wrap(payload []byte) ([]byte, error) {
	size := udpHeader + len(payload)
	if size+ipv4Header > maxDatagram {
		return nil, fmt.Errorf("capture: a packet of %d bytes does not fit a datagram", len(payload))
	}
	src, dst := w.src.Addr(), w.dst.Addr()
	b := w.packet[:0]
	if src.Is4() {
		b = append(b, 0x45, 0) // version 4, five words
		b = binary.BigEndian.AppendUint16(b, uint16(ipv4Header+size))
		b = binary.BigEndian.AppendUint16(b, w.id)
		b = append(b, 0, 0, hopLimit, protocolUDP, 0, 0) // no fragment; checksum follows
		b = append(append(b, src.AsSlice()...), dst.AsSlice()...)
		binary.BigEndian.PutUint16(b[10:], ^fold(sum(0, b)))
		w.id++
	} else {
		b = append(b, 0x60, 0, 0, 0)
		b = binary.BigEndian.AppendUint16(b, uint16(size))
		b = append(b, protocolUDP, hopLimit)
		b = append(append(b, src.AsSlice()...), dst.AsSlice()...)
	}
	udp := len(b)
	b = binary.BigEndian.AppendUint16(b, w.src.Port())
	b = binary.BigEndian.AppendUint16(b, w.dst.Port())
	b = binary.BigEndian.AppendUint16(b, uint16(size))
	b = append(append(b, 0, 0), payload...)
	binary.BigEndian.PutUint16(b[udp+6:], udpChecksum(src, dst, b[udp:]))
	w.packet = b
	return b, nil
}

// udpChecksum is RFC 768's checksum over the pseudo header and the datagram,
// whose own checksum field is zero; never 0, which would mean "none".
func udpChecksum(src, dst netip.Addr, datagram []byte) uint16 {
	s := sum(0, src.AsSlice())
	s = sum(s, dst.AsSlice())
	s = sum(s+protocolUDP+uint32(len(datagram)), datagram)
	if c := ^fold(s); c != 0 {
		return c
	}
	return 0xffff
}

// sum adds the 16-bit words of b to s (RFC 1071); an odd last byte is a high
// byte. A datagram has too few words to overflow 32 bits.
func sum(s uint32, b []byte) uint32 {
	for len(b) >= 2 {
		s += uint32(b[0])<<8 | uint32(b[1])
		b = b[2:]
	}
	if len(b) == 1 {
		s += uint32(b[0]) << 8
	}
	return s
}

func fold(s uint32) uint16 {
	for s > 0xffff {
		s = s>>16 + s&0xffff
	}
	return uint16(s)
}

// endpoint fills in the default address and makes IPv4 of an IPv4-mapped one.
func endpoint(a netip.AddrPort) netip.AddrPort {
	addr := a.Addr().Unmap().WithZone("")
	if !a.Addr().IsValid() {
		addr = netip.AddrFrom4([4]byte{127, 0, 0, 1})
	}
	if a.Port() == 0 {
		return netip.AddrPortFrom(addr, defaultPort)
	}
	return netip.AddrPortFrom(addr, a.Port())
}

// option cuts s to what the 16-bit length of a pcapng option can say.
func option(s string) string { return s[:min(len(s), 65535)] }
