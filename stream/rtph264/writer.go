package rtph264

import "github.com/vqeval/vqeval/stream/h264"

// Types of RTP payloads that are no NAL unit types (RFC 6184, table 1), and the
// bits of a fragment's second byte.
const (
	typeSTAPA = 24
	typeFUA   = 28
	fuStart   = 0x80
	fuEnd     = 0x40
)

// A writer collects the packets of one access unit.
type writer struct {
	header  []byte // begins every packet
	room    int    // bytes of H.264 in a packet at most
	packets [][]byte
}

// unit writes all NAL units and returns how many RTP cannot carry.
func (w *writer) unit(au h264.AccessUnit) (skipped int) {
	nalus := make([][]byte, 0, len(au.NALUs))
	for _, n := range au.NALUs {
		if t := h264.TypeOf(n); t == 0 || t >= typeSTAPA {
			skipped++
			continue
		}
		nalus = append(nalus, n)
	}
	for len(nalus) > 0 {
		count := aggregate(nalus, w.room)
		switch {
		case count > 1:
			w.stap(nalus[:count])
		case len(nalus[0]) <= w.room:
			copy(w.packet(len(nalus[0])), nalus[0])
		default:
			w.fragments(nalus[0])
		}
		nalus = nalus[count:]
	}
	return skipped
}

// packet begins a packet and returns the room for its payload.
func (w *writer) packet(size int) []byte {
	b := make([]byte, len(w.header)+size)
	copy(b, w.header)
	w.packets = append(w.packets, b)
	return b[len(w.header):]
}

// aggregate returns how many of the first NAL units go into one packet: a run
// of parameter sets and SEI that has at least one parameter set, as far as it
// fits, else one.
func aggregate(nalus [][]byte, room int) int {
	size, count, params := 1, 0, false
	for _, n := range nalus {
		t := h264.TypeOf(n)
		size += 2 + len(n)
		if t != h264.TypeSPS && t != h264.TypePPS && t != h264.SEI || size > room || len(n) > 0xffff {
			break
		}
		params = params || t != h264.SEI
		count++
	}
	if count < 2 || !params {
		return 1
	}
	return count
}

// stap writes one STAP-A (RFC 6184, section 5.7.1). Its header has the highest
// nal_ref_idc, and the forbidden bit if any NAL unit has it.
func (w *writer) stap(nalus [][]byte) {
	size, forbidden, ref := 1, byte(0), byte(0)
	for _, n := range nalus {
		size += 2 + len(n)
		forbidden |= n[0] & 0x80
		ref = max(ref, n[0]&0x60)
	}
	b := append(w.packet(size)[:0], forbidden|ref|typeSTAPA)
	for _, n := range nalus {
		b = append(b, byte(len(n)>>8), byte(len(n)))
		b = append(b, n...)
	}
}

// fragments writes a NAL unit that does not fit one packet as FU-A (RFC 6184,
// section 5.8): all packets but the last are full.
func (w *writer) fragments(n []byte) {
	indicator, kind := n[0]&0xe0|typeFUA, n[0]&0x1f
	flags := byte(fuStart)
	for rest := n[1:]; len(rest) > 0; {
		size := min(len(rest), w.room-2)
		if size == len(rest) {
			flags = fuEnd
		}
		b := w.packet(2 + size)
		b[0], b[1] = indicator, flags|kind
		copy(b[2:], rest)
		rest, flags = rest[size:], 0
	}
}
