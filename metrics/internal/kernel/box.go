package kernel

// boxMargin is how far a window of 11x11 reaches to each side of its sample.
const boxMargin = taps / 2

// Box measures planes with 11x11 windows of equal weights around every sample,
// edges replicated, in integers. It is the memory for that, for one goroutine.
//
// It keeps the sums of each column over the eleven rows of a window, in the
// maps that cells8 and cells16 have; a row down, one row is added to them and
// one taken away.
type Box struct {
	c      Config
	k      constants
	stride int     // entries between maps: five columns of margin, the row, five more, and room for a group
	narrow []int32 // depth 8
	wide   []int64 // above
	zero   []byte  // a row of zeros
	acc    lanes
}

// NewBox returns the memory for planes of up to width samples a row.
func NewBox(width int, c Config) *Box {
	k := &Box{c: c, k: boxConstants(c.Depth), stride: width + 2*boxMargin + 16, zero: make([]byte, (width+16)*c.bytes())}
	if c.Depth > 8 {
		k.wide = make([]int64, 4*k.stride)
	} else {
		k.narrow = make([]int32, 3*k.stride)
	}
	return k
}

// Measure returns the mean SSIM of two planes of w x h samples.
func (k *Box) Measure(a []byte, sa int, b []byte, sb, w, h int) float64 {
	k.acc = lanes{}
	clear(k.narrow)
	clear(k.wide)
	n := w * k.c.bytes()
	rowOf := func(y int) (p, q []byte) {
		y = min(max(y, 0), h-1)
		return a[y*sa:][:n], b[y*sb:][:n]
	}
	for y := -boxMargin; y < boxMargin; y++ {
		p, q := rowOf(y)
		k.slide(p, q, k.zero, k.zero, w)
	}
	for y := range h {
		p, q := rowOf(y + boxMargin)
		r, s := k.zero, k.zero
		if y > 0 {
			r, s = rowOf(y - boxMargin - 1)
		}
		k.slide(p, q, r, s, w)
		k.sum(w)
	}
	return k.acc.sum() / (float64(w) * float64(h))
}

// slide adds the rows a and b to the columns' sums and takes r and s away.
func (k *Box) slide(a, b, r, s []byte, w int) {
	if k.c.Depth > 8 {
		slide16Generic(a, b, r, s, w, k.wide[boxMargin:], k.stride)
		return
	}
	slide8(k.c, a, b, r, s, w, k.narrow[boxMargin:], k.stride)
}

// sum adds the values of a row of w windows.
func (k *Box) sum(w int) {
	if k.c.Depth > 8 {
		replicate(k.wide, k.stride, w)
		box16Generic(k.wide, k.stride, w, &k.k, &k.acc)
		return
	}
	replicate(k.narrow, k.stride, w)
	box8(k.c, k.narrow, k.stride, w, &k.k, &k.acc)
}

// replicate repeats the first and last of w columns in the margins.
func replicate[T any](maps []T, stride, w int) {
	for m := 0; m < len(maps); m += stride {
		cols := maps[m : m+stride]
		for i := range boxMargin {
			cols[i] = cols[boxMargin]
			cols[boxMargin+w+i] = cols[boxMargin+w-1]
		}
	}
}
