package align

import "math"

// A meter measures how far apart two signatures are:
//
//	mean over the blocks of log2(1 + |difference of means| / knee)
//
// The logarithm lets blocks that agree count more than blocks that do not, so
// that half a picture that is intact outweighs the half that is destroyed.
type meter struct {
	fine   [1 << fineBits]uint16 // the logarithm in 1/unit, by difference in 1/256 code values
	coarse [1 << 11]uint16       // beyond fine: by difference in 1/8 code values
}

const (
	knee     = 0.5  // code values; about what coding does to the mean of a block
	unit     = 4096 // 9 * unit, the logarithm of the largest difference, fits 16 bits
	fineBits = 11   // differences below 8 code values; both tables stay in the first cache
)

// hair is the distance of frames whose luma differs although no mean does.
const hair = 1.0 / (unit * blocks)

func newMeter() *meter {
	m := &meter{}
	for d := range m.fine {
		m.fine[d] = uint16(math.Ceil(unit * math.Log2(1+float64(d)/256/knee)))
	}
	for d := range m.coarse {
		m.coarse[d] = uint16(math.Ceil(unit * math.Log2(1+float64(d)/8/knee)))
	}
	return m
}

// distance is 0 only for equal luma, and at most 9.
func (m *meter) distance(a, b *Signature) float64 {
	d := m.apart(a, b, 0)
	if d == 0 && a.sum != b.sum {
		return hair
	}
	return d
}

// apart is the distance of a and b, to whose means off is added first. It is 0 if
// all means then agree.
func (m *meter) apart(a, b *Signature, off int32) float64 {
	total := uint32(0)
	for i, x := range a.means {
		d := int32(x) - int32(b.means[i]) - off
		sign := d >> 31
		d = d ^ sign - sign
		if d < 1<<fineBits {
			total += uint32(m.fine[d])
		} else {
			total += uint32(m.coarse[min(d>>5, 1<<11-1)])
		}
	}
	return float64(total) / (unit * blocks)
}
