package h264

import "errors"

// Group joins the NAL units of a stream, in decoding order, to access units
// (7.4.1.2.3 and 7.4.1.2.4). PTS and DTS stay zero.
//
// A delimiter, a parameter set or SEI behind picture data begins a new unit; so
// does a slice whose header tells of another picture, and so does a second
// slice with the first macroblock. Where the parameter sets are not in the
// stream, only that last sign and the kind of NAL unit are left. NAL units behind the last
// picture go to its unit.
func Group(nalus [][]byte) []AccessUnit {
	g := grouper{}
	for _, n := range nalus {
		g.add(n)
	}
	return g.finish()
}

// A grouper holds the access unit being collected.
type grouper struct {
	params  paramSets
	units   []AccessUnit
	current [][]byte    // the unit being collected, from its first NAL unit on
	waiting [][]byte    // NAL units behind a picture; the next slice tells whose they are
	ends    bool        // one of waiting can only stand at the front of a unit
	picture bool        // current holds a slice
	first   sliceHeader // the last primary slice of current
	planes  [4]bool     // colour planes of which current has the first macroblock
}

func (g *grouper) add(n []byte) {
	t := TypeOf(n)
	if t == 0 && len(n) == 0 {
		return
	}
	g.params.add(n, true)
	switch {
	case t.header():
		g.slice(n)
	case !g.picture:
		g.current = append(g.current, n)
	case begins(t):
		g.waiting, g.ends = append(g.waiting, n), true
	case t == PrefixNAL || len(g.waiting) > 0:
		g.waiting = append(g.waiting, n)
	default:
		g.current = append(g.current, n)
	}
}

// begins reports whether a NAL unit of this type, behind the slices of a
// picture, begins the next access unit. A prefix NAL unit (14) does so only
// before the first slice, so it is not listed.
func begins(t Type) bool { return t >= SEI && t <= AUD || t >= 15 && t <= 18 }

func (g *grouper) slice(n []byte) {
	h, err := g.params.slice(n)
	whole := err == nil || errors.Is(err, errNoParams)
	if g.picture && (g.ends || whole && (g.differs(&h) || g.again(&h))) {
		g.emit()
	}
	g.current = append(append(g.current, g.waiting...), n)
	g.waiting, g.ends = nil, false
	g.picture = true
	if whole && h.redundant == 0 {
		g.first = h
		g.planes[h.plane] = g.planes[h.plane] || h.firstMB == 0
	}
}

// again reports whether the slice starts the picture at its first macroblock
// although the current picture has that already.
func (g *grouper) again(h *sliceHeader) bool {
	return h.firstMB == 0 && h.redundant == 0 && g.planes[h.plane]
}

// differs reports whether a slice belongs to another picture than the last one
// (7.4.1.2.4). A redundant slice belongs to the primary picture before it.
func (g *grouper) differs(h *sliceHeader) bool {
	p := &g.first
	if h.redundant > 0 {
		return false
	}
	if p.idr() != h.idr() || p.refIDC != h.refIDC && (p.refIDC == 0 || h.refIDC == 0) {
		return true
	}
	if p.sps == nil || h.sps == nil {
		return false
	}
	return p.frameNum != h.frameNum || p.ppsID != h.ppsID || p.field != h.field || p.bottom != h.bottom ||
		p.lsb != h.lsb || p.bottomLSB != h.bottomLSB || p.delta != h.delta || p.idrID != h.idrID
}

func (g *grouper) emit() {
	g.units = append(g.units, AccessUnit{NALUs: g.current})
	g.current, g.picture, g.planes = nil, false, [4]bool{}
}

func (g *grouper) finish() []AccessUnit {
	g.current = append(g.current, g.waiting...)
	if !g.picture && len(g.units) > 0 {
		last := &g.units[len(g.units)-1]
		last.NALUs = append(last.NALUs, g.current...)
	} else if len(g.current) > 0 {
		g.emit()
	}
	return g.units
}
