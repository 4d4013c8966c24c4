package h264

import "slices"

// WithParams returns the units with the parameter sets that a decoder needs to
// start at any IDR picture: at the first unit and at each one with an IDR slice,
// every SPS and PPS known so far, from c and from the stream (the later of two
// with the same number), is put in where the unit does not have it. Units that
// need nothing are returned as they are; none of those given is changed.
func WithParams(units []AccessUnit, c Config) []AccessUnit {
	known := paramNALUs{}
	for _, n := range slices.Concat(c.SPS, c.PPS) {
		known.set(n)
	}
	out := make([]AccessUnit, len(units))
	for i, u := range units {
		own := paramNALUs{}
		for _, n := range u.NALUs {
			own.set(n)
			known.set(n)
		}
		if i == 0 || u.Key() {
			u.NALUs = insert(u.NALUs, known.missing(own, TypeSPS), known.missing(own, TypePPS))
		}
		out[i] = u
	}
	return out
}

// insert puts parameter sets behind the delimiter, if there is one, and each
// PPS behind every SPS.
func insert(nalus, sps, pps [][]byte) [][]byte {
	if len(sps) == 0 && len(pps) == 0 {
		return nalus
	}
	front := 0
	if len(nalus) > 0 && TypeOf(nalus[0]) == AUD {
		front = 1
	}
	behind := front
	for i, n := range nalus {
		if TypeOf(n) == TypeSPS {
			behind = i + 1
		}
	}
	return slices.Concat(nalus[:front], sps, nalus[front:behind], pps, nalus[behind:])
}

// paramNALUs are parameter sets as NAL units, each number at most once, in
// order of first appearance.
type paramNALUs struct {
	keys  []paramKey
	nalus [][]byte
}

// A paramKey names a parameter set: its kind and its number.
type paramKey struct {
	typ Type
	id  uint32
}

// set adds a NAL unit or replaces the one of the same number; what is no
// parameter set is passed over.
func (p *paramNALUs) set(n []byte) {
	r, key := newBitReader(n), paramKey{typ: TypeOf(n)}
	switch key.typ {
	case TypeSPS:
		r.u(24)
		key.id = r.ue()
	case TypePPS:
		key.id = r.ue()
	default:
		return
	}
	if r.err != nil {
		return
	}
	if i := slices.Index(p.keys, key); i >= 0 {
		p.nalus[i] = n
		return
	}
	p.keys, p.nalus = append(p.keys, key), append(p.nalus, n)
}

// missing returns the sets of one kind that own does not have.
func (p *paramNALUs) missing(own paramNALUs, t Type) [][]byte {
	var nalus [][]byte
	for i, key := range p.keys {
		if key.typ == t && !slices.Contains(own.keys, key) {
			nalus = append(nalus, p.nalus[i])
		}
	}
	return nalus
}
