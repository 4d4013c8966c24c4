package kernel

import "math"

// source is a pair of planes that the Gaussian reads: bytes, or the maps u and
// v in float32 (see sampleRow) where those are set.
type source struct {
	a, b   []byte
	sa, sb int // bytes from row to row
	u, v   []float32
	su     int // floats from row to row, with 16 to spare behind each row
	w, h   int
}

// spread fills k.row with n samples from column x of row y. Beyond the edges
// the nearest sample is repeated; float planes have no edges.
func (s *source) spread(k *Gauss, y, x, n int) {
	u, v := k.g[distinct+2], k.g[distinct+3]
	if s.u != nil {
		spreadFloat(k.c, s.u[y*s.su+x:], s.v[y*s.su+x:], n, u, v, &k.row)
		return
	}
	bps := k.c.bytes()
	a, b := s.a[y*s.sa:][:s.w*bps], s.b[y*s.sb:][:s.w*bps]
	if whole := (n + 15) &^ 15; x < 0 || x+whole > s.w {
		a, b = extract(k.edge[0][:], a, x, n, bps), extract(k.edge[1][:], b, x, n, bps)
	} else {
		a, b = a[x*bps:], b[x*bps:]
	}
	if bps == 1 {
		spread8(k.c, a, b, n, int32(u), int32(v), &k.row)
	} else {
		spread16(k.c, a, b, n, int32(u), int32(v), &k.row)
	}
}

// extract copies n samples from column x of row to buf, which has room for 31
// more, and returns buf.
func extract(buf, row []byte, x, n, bps int) []byte {
	w := len(row) / bps
	from, to := min(max(x, 0), w-1), min(x+n, w)
	left := max(-x, 0)
	copied := left + copy(buf[left*bps:n*bps], row[from*bps:to*bps])/bps
	for i := range left {
		copy(buf[i*bps:], row[:bps])
	}
	for i := copied; i < n; i++ {
		copy(buf[i*bps:], row[(w-1)*bps:])
	}
	return buf
}

// grid is how many samples a side centre looks at.
const grid = 8

// centre returns about the mean of u and v in the n columns from x, as whole
// numbers.
func (s *source) centre(c Config, x, n int) (u, v float32) {
	var su, sv float64
	for j := range grid {
		for i := range grid {
			col, row := min(max(x+i*n/grid, 0), s.w-1), j*s.h/grid
			p, q := s.sample(c, col, row)
			su, sv = su+p, sv+q
		}
	}
	return float32(math.Round(su / (grid * grid))), float32(math.Round(sv / (grid * grid)))
}

// sample returns u and v of one sample.
func (s *source) sample(c Config, x, y int) (u, v float64) {
	if s.u != nil {
		return float64(s.u[y*s.su+x]), float64(s.v[y*s.su+x])
	}
	a, b := s.a[y*s.sa:], s.b[y*s.sb:]
	p, q := int(a[x*c.bytes()]), int(b[x*c.bytes()])
	if c.Depth > 8 {
		p, q = p|int(a[2*x+1])<<8, q|int(b[2*x+1])<<8
	}
	return float64(p + q), float64(p - q)
}
