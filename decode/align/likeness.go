package align

// A likeness tells how much a captured frame speaks for being a certain
// reference frame.
type likeness struct {
	meter    *meter
	ref, got []Signature
	twins    []int
	near     []float64 // per reference frame: distance to the closer of the next different frames on both sides; 0 = there is none
	far      []float64 // the same for the farther one
}

func newLikeness(ref, got Clip) *likeness {
	l := &likeness{meter: newMeter(), ref: ref.Sigs, got: got.Sigs, twins: got.Twins}
	n := len(ref.Sigs)
	l.near, l.far = make([]float64, n), make([]float64, n)
	before := 0.0
	for i := range n {
		if i > 0 {
			if d := l.meter.distance(&l.ref[i], &l.ref[i-1]); d > 0 {
				before = d
			}
		}
		l.near[i] = before
	}
	behind := 0.0
	for i := n - 1; i >= 0; i-- {
		if i < n-1 {
			if d := l.meter.distance(&l.ref[i], &l.ref[i+1]); d > 0 {
				behind = d
			}
		}
		a, b := l.near[i], behind
		if a == 0 || b == 0 {
			a = max(a, b) // at an end of the clip there is only one side
			b = a
		}
		l.near[i], l.far[i] = min(a, b), max(a, b)
	}
	return l
}

// Gains are whole numbers, so that equal sums are equal whatever their order.
const (
	sure    = 1 << 12     // of a frame that is its reference frame, to the last sample
	certain = 1000 * sure // outweighs anything that pictures may say
)

// gain is sure for equal luma and 0 for a captured frame that differs from the
// reference frame as much as the neighbours of that do: what looks no more like
// it than the motion of one frame allows is no evidence. It is 0 throughout where
// the reference does not change, and certain for frames of the same coded bytes.
func (l *likeness) gain(i, j int) int {
	if l.twins != nil && l.twins[j] >= 0 {
		if l.twins[j] == i {
			return certain
		}
		return -certain
	}
	if l.far[i] == 0 {
		return 0
	}
	d := l.meter.distance(&l.ref[i], &l.got[j])
	return int(sure / 2 * (rest(d, l.near[i]) + rest(d, l.far[i])))
}

// rest is (1 - d/scale)^2, 0 beyond scale.
func rest(d, scale float64) float64 {
	if d >= scale {
		return 0
	}
	return (1 - d/scale) * (1 - d/scale)
}

// same reports whether two frames of one clip have equal luma.
func same(sigs []Signature, a, b int) bool { return sigs[a] == sigs[b] }
