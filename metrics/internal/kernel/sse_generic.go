package kernel

// sse8Generic is the definition of sse8.
func sse8Generic(a []byte, sa int, b []byte, sb, w, h int) (sum uint64) {
	for y := range h {
		p, q := a[y*sa:][:w], b[y*sb:][:w]
		var row uint32 // MaxWidth*255² < 2^32
		for i, x := range p {
			d := int32(x) - int32(q[i])
			row += uint32(d * d)
		}
		sum += uint64(row)
	}
	return sum
}

// sse16Generic is the definition of sse16.
func sse16Generic(a []byte, sa int, b []byte, sb, w, h int) (sum uint64) {
	for y := range h {
		p, q := a[y*sa:][:2*w], b[y*sb:][:2*w]
		for i := 0; i+1 < len(p) && i+1 < len(q); i += 2 {
			d := int64(p[i]) - int64(q[i]) + (int64(p[i+1])-int64(q[i+1]))<<8
			sum += uint64(d * d)
		}
	}
	return sum
}
