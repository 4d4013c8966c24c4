package capture

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"
)

// maxBlock bounds what one packet may read from the file, bytes. A damaged
// length can so never make the reader hold more.
const maxBlock = 16 << 20

// Counts say what a Reader has seen so far.
type Counts struct {
	Frames      int // packets in the file, of any kind
	Datagrams   int // UDP datagrams returned
	Other       int // neither UDP nor a fragment of it
	Cut         int // datagrams that the snap length cut short: not returned
	Fragments   int // IP fragments
	Incomplete  int // datagrams of which a fragment was missing
	UnknownLink int // packets of a link type that is not supported
	LinkType    int // one of those link types (LINKTYPE_ value), if there was any
}

// A Reader returns the UDP datagrams of a capture, in the file's order.
type Reader struct {
	source  *source
	next    func() ([]byte, gopacket.CaptureInfo, layers.LinkType, error)
	section func() pcapgo.NgSectionInfo
	defrag  defrag
	counts  Counts
}

// Open begins to read a capture: pcap (microseconds or nanoseconds, either
// byte order) or pcapng, gzip-compressed or not. The link layer may be
// Ethernet with or without VLAN tags, Linux cooked (SLL, SLL2), raw IP, or
// BSD loopback; IPv4 and IPv6, fragments are put together.
func Open(r io.Reader) (*Reader, error) {
	head, err := plain(bufio.NewReader(r))
	if err != nil {
		return nil, fmt.Errorf("capture: %w", err)
	}
	magic, _ := head.Peek(4) // a file shorter than that is neither
	rd := &Reader{source: &source{r: head, left: maxBlock}}
	switch {
	case len(magic) == 0:
		return nil, errors.New("capture: the file is empty")
	case bytes.Equal(magic, []byte{0x0a, 0x0d, 0x0d, 0x0a}):
		err = rd.openNg()
	default:
		err = rd.openClassic()
	}
	if err == nil {
		return rd, nil
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("capture: the header is incomplete: %w", ErrTruncated)
	}
	return nil, fmt.Errorf("capture: neither pcap nor pcapng: %w", err)
}

// plain unpacks gzip, which tcpdump's and Wireshark's users like to apply.
func plain(r *bufio.Reader) (*bufio.Reader, error) {
	if magic, _ := r.Peek(2); !bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		return r, nil
	}
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, err
	}
	return bufio.NewReader(z), nil
}

func (r *Reader) openNg() error {
	ng, err := pcapgo.NewNgReader(r.source, pcapgo.NgReaderOptions{WantMixedLinkType: true, SkipUnknownVersion: true})
	if err != nil {
		return err
	}
	r.section = ng.SectionInfo
	r.next = func() ([]byte, gopacket.CaptureInfo, layers.LinkType, error) {
		data, info, err := ng.ReadPacketData()
		if err != nil {
			return nil, info, 0, err
		}
		link, _ := info.AncillaryData[0].(layers.LinkType)
		return data, info, link, nil
	}
	return nil
}

func (r *Reader) openClassic() error {
	p, err := pcapgo.NewReader(r.source)
	if err != nil {
		return err
	}
	p.SetSnaplen(maxBlock) // writers exist that exceed the length they declare
	r.section = func() pcapgo.NgSectionInfo { return pcapgo.NgSectionInfo{} }
	r.next = func() ([]byte, gopacket.CaptureInfo, layers.LinkType, error) {
		data, info, err := p.ReadPacketData()
		if err == io.EOF && info.Length != 0 { // a header without its packet
			err = io.ErrUnexpectedEOF
		}
		return data, info, p.LinkType(), err
	}
	return nil
}

// Next returns the next datagram. It returns io.EOF at the end, an error that
// is ErrTruncated where the file is cut off or damaged, and any other error
// that reading the file gave. After an error Next must not be called again.
func (r *Reader) Next() (Record, error) {
	for {
		r.source.left = maxBlock
		data, info, link, err := r.next()
		if err != nil {
			return Record{}, r.fault(err)
		}
		r.counts.Frames++
		if rec, ok := r.datagram(data, info, link); ok {
			r.counts.Datagrams++
			return rec, nil
		}
	}
}

func (r *Reader) fault(err error) error {
	r.counts.Incomplete += r.defrag.pending()
	r.defrag = defrag{}
	switch {
	case r.source.err != nil: // of the disk, not of the format
		return fmt.Errorf("capture: packet %d: %w", r.counts.Frames, r.source.err)
	case err == io.EOF:
		return io.EOF
	}
	return fmt.Errorf("packet %d: %v: %w", r.counts.Frames, err, ErrTruncated)
}

// datagram finds the UDP datagram in one captured packet, or returns !ok.
func (r *Reader) datagram(data []byte, info gopacket.CaptureInfo, link layers.LinkType) (Record, bool) {
	packet, known := network(data, link)
	if !known {
		r.counts.UnknownLink++
		r.counts.LinkType = int(link)
		return Record{}, false
	}
	p, ok := parseIP(packet)
	if ok && p.fragment {
		r.counts.Fragments++
		if p.cut {
			r.counts.Cut++
			return Record{}, false
		}
		whole, evicted, done := r.defrag.add(p, info.Timestamp)
		r.counts.Incomplete += evicted
		if !done {
			return Record{}, false
		}
		p, ok = whole, whole.src.Is4() || whole.skipExtensions()
	}
	if !ok || p.protocol != protocolUDP || p.fragment {
		r.counts.Other++
		return Record{}, false
	}
	rec, err := parseUDP(p)
	if err != nil {
		r.counts.Cut++
		return Record{}, false
	}
	rec.At = info.Timestamp
	return rec, true
}

// Counts returns what was seen up to now.
func (r *Reader) Counts() Counts { return r.counts }

// Made returns application and comment of a pcapng's section, "" where it has
// none: with a capture of ours what its Writer was told.
func (r *Reader) Made() (app, comment string) {
	s := r.section()
	return s.Application, s.Comment
}

// A source limits how much may be read for one packet and remembers a real
// read error, as distinct from the end of the file.
type source struct {
	r    io.Reader
	left int // bytes
	err  error
}

var errTooLong = errors.New("a block is too long")

func (s *source) Read(p []byte) (int, error) {
	if s.left <= 0 {
		return 0, errTooLong
	}
	n, err := s.r.Read(p[:min(len(p), s.left)])
	s.left -= n
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF && !corrupt(err) {
		s.err = err
	}
	return n, err
}

// corrupt reports whether gzip found its data damaged.
func corrupt(err error) bool {
	return errors.Is(err, gzip.ErrChecksum) || errors.Is(err, gzip.ErrHeader) || errors.As(err, new(flate.CorruptInputError))
}
