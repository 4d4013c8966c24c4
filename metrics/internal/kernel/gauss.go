package kernel

import "math"

// The Gaussian works in strips of columns, so that the filtered rows of one
// strip stay in the first-level cache. _asm/gauss.go has the same numbers.
const (
	strip    = 128 // windows a strip
	taps     = 11  // samples a side of the window
	distinct = (taps + 1) / 2
	slots    = 32 // filtered rows kept; the last ten move to the front when they are full
)

// sampleRow holds a strip's samples of one row as four maps: u = a+b, v = a-b,
// and their squares, which do the work of the usual five (a, b, a², b², ab).
// From u and v a centre is taken away, about their mean in the strip: it keeps
// the squares small, on which the precision of a variance in float32 depends.
type sampleRow [4][strip + 32]float32

// filteredRow holds the four maps of a row after the horizontal filter.
type filteredRow [4][strip + 16]float32

// gaussian holds the filter's distinct weights, 2*C1, 2*C2 and the centres of u and v.
type gaussian [distinct + 4]float32

// newGaussian returns the weights of sigma 1.5, normalised, and the constants.
// The middle weight is what the others leave of 1 after their rounding: a flat
// picture would otherwise have a variance.
func newGaussian(depth int) (g gaussian) {
	sum := 0.
	for i := range taps {
		sum += weight(i)
	}
	middle := 1.
	for i := range taps / 2 {
		g[i] = float32(weight(i) / sum)
		middle -= 2 * float64(g[i])
	}
	g[taps/2] = float32(middle)
	l := float64(int(1)<<depth - 1)
	g[distinct], g[distinct+1] = float32(2*.01*.01*l*l), float32(2*.03*.03*l*l)
	return g
}

func weight(i int) float64 {
	d := float64(i - taps/2)
	return math.Exp(-d * d / (2 * 1.5 * 1.5))
}

// Gauss measures planes with the 11x11 Gaussian window of sigma 1.5 in
// float32. It is the memory for that, for one goroutine.
type Gauss struct {
	ring [slots]filteredRow // first, where the allocator aligns it to cache lines
	row  sampleRow
	edge [2][2 * (strip + 32)]byte // samples that lie across an edge
	c    Config
	g    gaussian
	acc  lanes
}

// NewGauss returns the memory for planes of any size.
func NewGauss(c Config) *Gauss { return &Gauss{c: c, g: newGaussian(c.Depth)} }

// kind is what is summed over the windows.
type kind bool

const (
	similarity kind = false // SSIM
	contrast   kind = true  // its factor of contrast and structure alone
)

// Similarity returns the mean SSIM of two planes of w x h samples: of the
// windows around every sample with replicated edges, or else of those that lie
// within the plane, which then must be at least 11x11.
func (k *Gauss) Similarity(a []byte, sa int, b []byte, sb, w, h int, edges bool) float64 {
	return k.mean(&source{a: a, b: b, sa: sa, sb: sb, w: w, h: h}, edges, similarity)
}

// mean returns the mean over all windows of what.
func (k *Gauss) mean(in *source, edges bool, what kind) float64 {
	margin := 0
	if edges {
		margin = taps / 2
	}
	cols, rows := in.w+2*margin-(taps-1), in.h+2*margin-(taps-1)
	k.acc = lanes{}
	for x := 0; x < cols; x += strip {
		k.strip(in, x-margin, min(strip, cols-x), -margin, rows, what)
	}
	return k.acc.sum() / (float64(cols) * float64(rows))
}

// strip adds rows times n windows, the first with its corner at (x, y).
func (k *Gauss) strip(in *source, x, n, y, rows int, what kind) {
	k.g[distinct+2], k.g[distinct+3] = in.centre(k.c, x, n)
	slot := 0
	for i := range rows + taps - 1 {
		in.spread(k, min(max(y+i, 0), in.h-1), x, n+taps-1)
		if slot == slots {
			copy(k.ring[:taps-1], k.ring[slots-(taps-1):])
			slot = taps - 1
		}
		horizontal(k.c, &k.row, &k.ring[slot], n, &k.g)
		slot++
		if i >= taps-1 {
			k.vertical(k.ring[slot-taps:slot], n, what)
		}
	}
}

func (k *Gauss) vertical(rows []filteredRow, n int, what kind) {
	if what == contrast {
		contrasts(k.c, rows, n, &k.g, &k.acc)
	} else {
		similarities(k.c, rows, n, &k.g, &k.acc)
	}
}
