package rtph264

import "github.com/vqeval/vqeval/stream/h264"

// A tri is an answer that may be unknown.
type tri uint8

const (
	maybe tri = iota
	no
	yes
)

func triOf(b bool) tri {
	if b {
		return yes
	}
	return no
}

// A charge divides the packets of a gap between two units.
type charge struct{ earlier, later, between int }

// split charges lost packets between two units, by whether the earlier one came
// to its end and whether what came of the later one is its beginning. The
// reasons stand at Depacketizer.
func split(lost int, ended, begins tri) charge {
	switch {
	case begins == yes && ended == yes:
		return charge{between: lost}
	case begins == yes, begins == maybe && ended == no:
		return charge{earlier: lost}
	case begins == no && ended == no && lost > 1:
		return charge{earlier: (lost + 1) / 2, later: lost / 2}
	}
	return charge{later: lost}
}

// startOf reports whether a packet is the first of its access unit. Frame
// marking says so; else a delimiter, an SPS, SEI or a slice with the first
// macroblock stand there. An IDR slice should have parameter sets before it, so
// that alone proves nothing, nor does a PPS.
func startOf(p *packet) tri {
	if p.hasMark {
		return triOf(p.mark&markStart != 0)
	}
	b := p.payload
	switch b[0] & 0x1f {
	case typeSTAPA:
		if len(b) < 4 {
			return maybe
		}
		return startsWith(b[3:])
	case typeFUA:
		if len(b) < 3 || b[1]&fuStart == 0 {
			return no
		}
		return startsWith([]byte{b[1] & 0x1f, b[2]})
	}
	return startsWith(b)
}

// startsWith is startOf for the first bytes of a NAL unit.
func startsWith(n []byte) tri {
	t := h264.TypeOf(n)
	switch {
	case t == h264.AUD || t == h264.TypeSPS || t == h264.SEI:
		return yes
	case !t.Slice() || len(n) < 2:
		return maybe
	case n[1]&0x80 == 0: // first_mb_in_slice is ue(v): 0 is a single 1 bit
		return no
	case t == h264.IDR:
		return maybe
	}
	return yes
}
