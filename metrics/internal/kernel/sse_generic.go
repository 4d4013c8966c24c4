package kernel

// sse8Generic is the definition of sse8.
func sse8Generic(a []byte, sa int, b []byte, sb, w, h int) (sum uint64) {
	for y := range h {
		p, q := a[y*sa:][:w], b[y*sb:][:w]
		var row uint64
		for i, x := range p {
			d := int(x) - int(q[i])
			row += uint64(d * d)
		}
		sum += row
	}
	return sum
}

// sse16Generic is the definition of sse16.
func sse16Generic(a []byte, sa int, b []byte, sb, w, h int) (sum uint64) {
	for y := range h {
		p, q := a[y*sa:][:2*w], b[y*sb:][:2*w]
		for i := 0; i+1 < len(p) && i+1 < len(q); i += 2 {
			d := (int(p[i]) | int(p[i+1])<<8) - (int(q[i]) | int(q[i+1])<<8)
			sum += uint64(d * d)
		}
	}
	return sum
}
