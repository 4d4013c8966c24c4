package align

import (
	"fmt"
	"math"
	"slices"
)

// Limits of levelling.
const (
	probes    = 16  // captured frames that are looked at
	slightest = 256 // difference worth taking away, in 1/256 code values
	helps     = .7  // share of the distances that may be left of it
	alike     = .5  // mean distance of frames in the same places from which nothing differs by a code value
)

// A tone is how the brightness of one clip follows from that of another: gain
// times it, plus an offset in 1/256 code values.
type tone struct{ gain, offset float64 }

// level takes away from a capture's signatures a difference of brightness and
// contrast that it has throughout, as from a capture card, a wrong sample range or
// a player's settings. Some captured frames are compared with all of the
// reference, the means of both made equal; what the closest ones differ by is the
// difference, if it explains most of how unlike the clips are.
func level(ref, got Clip) (Clip, []string) {
	if len(ref.Sigs) == 0 || len(got.Sigs) == 0 {
		return got, nil
	}
	m := newMeter()
	if inPlace(m, ref.Sigs, got.Sigs) < alike {
		return got, nil
	}
	var chosen []*Signature
	var tones []tone
	plain := 0.0
	for k := range min(probes, len(got.Sigs)) {
		s := &got.Sigs[probe(k, len(got.Sigs))]
		if s.flat() {
			continue // it resembles whatever is flat
		}
		nearest, like, at := math.Inf(1), math.Inf(1), 0
		for i := range ref.Sigs {
			r := &ref.Sigs[i]
			nearest = min(nearest, m.distance(r, s))
			if d := m.apart(r, s, r.mean()-s.mean()); d < like {
				like, at = d, i
			}
		}
		chosen, tones, plain = append(chosen, s), append(tones, between(s, &ref.Sigs[at])), plain+nearest
	}
	if len(chosen) == 0 {
		return got, nil
	}
	t := middle(tones)
	if math.Abs(t.gain*128*256+t.offset-128*256) < slightest && math.Abs(t.gain-1) < .02 {
		return got, nil
	}
	levelled := 0.0
	for _, s := range chosen {
		nearest, there := math.Inf(1), s.toned(t)
		for i := range ref.Sigs {
			nearest = min(nearest, m.distance(&ref.Sigs[i], &there))
		}
		levelled += nearest
	}
	if levelled > helps*plain {
		return got, nil
	}
	got.Sigs = slices.Clone(got.Sigs)
	for j := range got.Sigs {
		got.Sigs[j] = got.Sigs[j].toned(t)
	}
	return got, []string{fmt.Sprintf("the capture has another brightness: reference = %.2f x capture %+.0f of 255; for the pairing alone that was taken away", t.gain, t.offset/256)}
}

// probe is the place of probe k among n frames.
func probe(k, n int) int { return k * n / min(probes, n) }

// inPlace is the mean distance of probes to the reference frames in their places.
func inPlace(m *meter, ref, got []Signature) float64 {
	sum, n := 0., min(probes, len(got))
	for k := range n {
		j := probe(k, len(got))
		sum += m.distance(&ref[min(j, len(ref)-1)], &got[j])
	}
	return sum / float64(n)
}

// between fits the tone that makes a signature another one: least squares over
// the blocks.
func between(from, to *Signature) tone {
	mx, my := float64(from.mean()), float64(to.mean())
	var xx, xy float64
	for i, x := range from.means {
		dx := float64(x) - mx
		xx, xy = xx+dx*dx, xy+dx*(float64(to.means[i])-my)
	}
	gain := 1.
	if xx > 0 {
		gain = max(.5, min(2, xy/xx))
	}
	return tone{gain, my - gain*mx}
}

// middle is the tone of the median gain and offset.
func middle(tones []tone) tone {
	var gains, offsets []float64
	for _, t := range tones {
		gains, offsets = append(gains, t.gain), append(offsets, t.offset)
	}
	slices.Sort(gains)
	slices.Sort(offsets)
	return tone{gains[len(gains)/2], offsets[len(offsets)/2]}
}

// mean is the mean of the blocks' means.
func (s *Signature) mean() int32 {
	sum := int32(0)
	for _, m := range s.means {
		sum += int32(m)
	}
	return sum / blocks
}

// toned returns s with another brightness.
func (s Signature) toned(t tone) Signature {
	for i, m := range s.means {
		s.means[i] = uint16(max(0, min(math.MaxUint16, math.Round(t.gain*float64(m)+t.offset))))
	}
	return s
}
