package rtph264

import "github.com/vqeval/vqeval/stream/h264"

// plausible reports whether a payload looks like H.264 in packetization mode 0
// or 1.
func plausible(b []byte) bool {
	if len(b) < 2 {
		return false
	}
	switch t := b[0] & 0x1f; t {
	case typeSTAPA:
		return len(b) > 3 && int(b[1])<<8|int(b[2]) <= len(b)-3
	case typeFUA:
		kind := b[1] & 0x1f
		return kind > 0 && kind < typeSTAPA
	default:
		return t > 0 && t < typeSTAPA
	}
}

// payload takes the NAL units, or the part of one, that a packet holds.
func (a *assembler) payload(p *packet, stats *Stats, policy Policy) {
	b := p.payload
	t := b[0] & 0x1f
	if t == typeFUA {
		a.fu(b, stats, policy)
		return
	}
	a.join()
	a.fragment.skipping = false
	switch {
	case t == typeSTAPA:
		a.stap(b[1:], stats)
	case t > 0 && t < typeSTAPA:
		a.whole(b)
	default:
		a.bad = true
		stats.Unsupported++
	}
}

// whole appends a NAL unit.
func (a *assembler) whole(n []byte) {
	a.see(n[0])
	a.buf = append(a.buf, n...)
	a.ends = append(a.ends, len(a.buf))
}

// see notes what the header of a NAL unit says of the unit, kept or not.
func (a *assembler) see(header byte) {
	n := []byte{header}
	if t := h264.TypeOf(n); t.Slice() {
		a.unit.Key = a.unit.Key || t == h264.IDR
		a.unit.Reference = a.unit.Reference || h264.RefIDC(n) != 0
	}
}

// stap takes the NAL units of a STAP-A. Behind a size that cannot be, nothing
// is known any more.
func (a *assembler) stap(b []byte, stats *Stats) {
	for len(b) > 0 {
		size := 0
		if len(b) >= 2 {
			size = int(b[0])<<8 | int(b[1])
		}
		if size == 0 || 2+size > len(b) {
			a.bad = true
			stats.Malformed++
			return
		}
		n := b[2 : 2+size]
		if t := h264.TypeOf(n); t == 0 || t >= typeSTAPA {
			a.bad = true
			stats.Unsupported++
		} else {
			a.whole(n)
		}
		b = b[2+size:]
	}
}

// fu takes a fragment of a NAL unit.
func (a *assembler) fu(b []byte, stats *Stats, policy Policy) {
	if len(b) < 2 {
		a.bad = true
		stats.Malformed++
		return
	}
	typ := h264.Type(b[1] & 0x1f)
	if typ == 0 || typ >= typeSTAPA {
		a.bad = true
		stats.Unsupported++
		return
	}
	header := b[0]&0xe0 | byte(typ)
	a.see(header)
	f := &a.fragment
	switch {
	case b[1]&fuStart != 0:
		a.join()
		*f = fragment{open: true, typ: typ, start: len(a.buf)}
		a.buf = append(append(a.buf, header), b[2:]...)
	case f.open && f.typ == typ:
		a.buf = append(a.buf, b[2:]...)
	default:
		a.orphan(typ, policy)
	}
	if b[1]&fuEnd != 0 {
		a.join()
		f.skipping = false
	}
}

// orphan passes over a fragment whose NAL unit lacks its beginning, or a part
// before it that is already booked.
func (a *assembler) orphan(typ h264.Type, policy Policy) {
	f := &a.fragment
	if f.open {
		a.cut(policy)
	}
	if !f.skipping || f.typ != typ {
		a.unit.Dropped++
	}
	f.skipping, f.typ = true, typ
}

// join ends the NAL unit in fragments as a whole one.
func (a *assembler) join() {
	if a.fragment.open {
		a.fragment.open = false
		a.ends = append(a.ends, len(a.buf))
	}
}

// close ends the NAL unit in fragments where nothing, or something unknown,
// follows, and reports whether it had to be cut. With a marker it is whole even
// without its end bit: no sender sets one inside a NAL unit.
func (a *assembler) close(policy Policy) (cut bool) {
	if !a.fragment.open {
		return false
	}
	if a.lastMarker {
		a.join()
		return false
	}
	a.cut(policy)
	return true
}

// cut ends the NAL unit in fragments before a gap: the head of a slice is kept
// if the policy says so, anything else is dropped.
func (a *assembler) cut(policy Policy) {
	f := &a.fragment
	f.open = false
	if policy != Drop && f.typ.Slice() && len(a.buf) > f.start+1 {
		a.ends = append(a.ends, len(a.buf))
		a.unit.Truncated++
		return
	}
	a.buf = a.buf[:f.start]
	a.unit.Dropped++
}
