package kernel

import "math"

// scales is the number of scales of MS-SSIM, and MinMultiScale the least side
// of a plane whose smallest scale still holds an 11x11 window.
const (
	scales        = 5
	MinMultiScale = taps << (scales - 1)
)

// MultiScale measures MS-SSIM (Wang, Simoncelli, Bovik 2003): contrast and
// structure at five scales, luminance at the last alone, each scale half the
// one before by the mean of 2x2 samples, windows where they fit. It is the
// memory for that, for one goroutine.
type MultiScale struct {
	g      *Gauss
	w, h   int
	levels [scales - 1]source // the halved planes, as u = a+b and v = a-b, which shrink as a and b do
}

// exponents weigh the scales, from the largest picture to the smallest.
func exponents() [scales]float64 { return [...]float64{.0448, .2856, .3001, .2363, .1333} }

// NewMultiScale returns the memory for planes of w x h samples, neither of
// which may be below MinMultiScale.
func NewMultiScale(w, h int, c Config) *MultiScale {
	k := &MultiScale{g: NewGauss(c), w: w, h: h}
	for i := range k.levels {
		w, h = (w+1)/2, (h+1)/2
		su := w + 16
		k.levels[i] = source{u: make([]float32, su*h), v: make([]float32, su*h), su: su, w: w, h: h}
	}
	return k
}

// Measure returns the MS-SSIM of two planes, 0 to 1. A scale whose mean is
// negative counts as 0, as no real power of it exists.
func (k *MultiScale) Measure(a []byte, sa int, b []byte, sb int) float64 {
	in := source{a: a, b: b, sa: sa, sb: sb, w: k.w, h: k.h}
	from, product := &in, 1.
	for i, e := range exponents() {
		if i > 0 {
			k.levels[i-1].shrink(from, k.g.c)
			from = &k.levels[i-1]
		}
		what := contrast
		if i == scales-1 {
			what = similarity
		}
		product *= math.Pow(max(k.g.mean(from, false, what), 0), e)
	}
	return product
}

// shrink fills s with the means of 2x2 samples of from. The last column and
// row of odd sizes are repeated.
func (s *source) shrink(from *source, c Config) {
	for y := range s.h {
		y0, y1 := 2*y, min(2*y+1, from.h-1)
		u, v := s.u[y*s.su:][:s.w], s.v[y*s.su:][:s.w]
		if from.u != nil {
			halve(u, from.u[y0*from.su:][:from.w], from.u[y1*from.su:][:from.w])
			halve(v, from.v[y0*from.su:][:from.w], from.v[y1*from.su:][:from.w])
			continue
		}
		n := from.w * c.bytes()
		a0, a1 := from.a[y0*from.sa:][:n], from.a[y1*from.sa:][:n]
		b0, b1 := from.b[y0*from.sb:][:n], from.b[y1*from.sb:][:n]
		if c.Depth > 8 {
			halve16(u, v, a0, a1, b0, b1)
		} else {
			halve8(u, v, a0, a1, b0, b1)
		}
	}
}

// halve writes the means of pairs of columns of two rows.
func halve(out, p, q []float32) {
	last := len(p) - 1
	for i := range out {
		x, z := 2*i, min(2*i+1, last)
		out[i] = (p[x] + p[z] + q[x] + q[z]) * .25
	}
}

// halve8 writes the means of u and v of pairs of columns of two rows of bytes.
func halve8(u, v []float32, a0, a1, b0, b1 []byte) {
	last := len(a0) - 1
	for i := range u {
		x, z := 2*i, min(2*i+1, last)
		p := int32(a0[x]) + int32(a0[z]) + int32(a1[x]) + int32(a1[z])
		q := int32(b0[x]) + int32(b0[z]) + int32(b1[x]) + int32(b1[z])
		u[i], v[i] = float32(p+q)*.25, float32(p-q)*.25
	}
}

// halve16 is halve8 for samples of two bytes.
func halve16(u, v []float32, a0, a1, b0, b1 []byte) {
	last := len(a0)/2 - 1
	for i := range u {
		x, z := 2*i, min(2*i+1, last)
		p := word(a0, x) + word(a0, z) + word(a1, x) + word(a1, z)
		q := word(b0, x) + word(b0, z) + word(b1, x) + word(b1, z)
		u[i], v[i] = float32(p+q)*.25, float32(p-q)*.25
	}
}
