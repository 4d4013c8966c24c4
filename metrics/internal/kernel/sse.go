package kernel

// band is how many rows one call of assembly takes at most.
const band = 64

// SSE returns the sum of squared differences of two planes of w x h samples
// whose rows lie sa and sb bytes apart. It is exact: 2^16 x 2^16 samples of
// depth 16 cannot overflow it.
func SSE(c Config, a []byte, sa int, b []byte, sb, w, h int) (sum uint64) {
	if w <= 0 {
		return 0
	}
	for y := 0; y < h; y += band {
		n := min(band, h-y)
		if c.Depth > 8 {
			sum += sse16(c, a[y*sa:], sa, b[y*sb:], sb, w, n)
		} else {
			sum += sse8(c, a[y*sa:], sa, b[y*sb:], sb, w, n)
		}
	}
	return sum
}
