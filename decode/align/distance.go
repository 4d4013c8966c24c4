package align

import "math"

// A meter measures how far apart two signatures are:
//
//	mean over the blocks of log2(1 + |difference of means| / knee)
//
// The logarithm lets blocks that agree count more than blocks that do not, so
// that half a picture that is intact outweighs the half that is destroyed.
type meter struct {
	table [1 << 16]uint16 // the logarithm in 1/unit, by difference in 1/256 code values
}

const (
	knee = 0.5  // code values; about what coding does to the mean of a block
	unit = 4096 // 9 * unit, the logarithm of the largest difference, fits 16 bits
)

// hair is the distance of frames whose luma differs although no mean does.
const hair = 1.0 / (unit * blocks)

func newMeter() *meter {
	m := &meter{}
	for d := range m.table {
		m.table[d] = uint16(math.Ceil(unit * math.Log2(1+float64(d)/256/knee)))
	}
	return m
}

// distance is 0 only for equal luma, and at most 9.
func (m *meter) distance(a, b *Signature) float64 {
	total := uint64(0)
	for i, x := range a.means {
		d := int(x) - int(b.means[i])
		if d < 0 {
			d = -d
		}
		total += uint64(m.table[d])
	}
	if total == 0 && a.sum != b.sum {
		return hair
	}
	return float64(total) / (unit * blocks)
}
