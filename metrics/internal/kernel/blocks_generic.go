package kernel

// cells8Generic sums n cells of 4x4 samples side by side. It fills three maps
// of out, stride entries apart: the two sums packed as s1 + s2<<16, the sum of
// all squares, and the sum of products. It returns the squared error of the
// cells, which is ss - 2*s12.
func cells8Generic(a []byte, sa int, b []byte, sb, n int, out []int32, stride int) (sse uint64) {
	for x := range n {
		var s1, s2, ss, s12 int32
		for y := range 4 {
			p, q := a[y*sa+4*x:][:4], b[y*sb+4*x:][:4]
			p0, p1, p2, p3 := int32(p[0]), int32(p[1]), int32(p[2]), int32(p[3])
			q0, q1, q2, q3 := int32(q[0]), int32(q[1]), int32(q[2]), int32(q[3])
			s1 += p0 + p1 + p2 + p3
			s2 += q0 + q1 + q2 + q3
			ss += p0*p0 + p1*p1 + p2*p2 + p3*p3 + q0*q0 + q1*q1 + q2*q2 + q3*q3
			s12 += p0*q0 + p1*q1 + p2*q2 + p3*q3
		}
		out[x], out[stride+x], out[2*stride+x] = s1|s2<<16, ss, s12
		sse += uint64(ss - 2*s12)
	}
	return sse
}

// windows8Generic adds the values of n windows of 2x2 cells, the rows cur and
// prev of cells as cells8 leaves them, to acc: window x to lane x%8. A packed
// sum of four cells does not carry, as 64*255 < 2^15.
func windows8Generic(cur, prev []int32, stride, n int, k *constants, acc *lanes) {
	for x := range n {
		pair := quad(cur, prev, x)
		ss, s12 := quad(cur, prev, stride+x), quad(cur, prev, 2*stride+x)
		acc[x%8] += float64(k.value(pair&0xffff, pair>>16, ss, s12))
	}
}

// quad adds the four cells at x of a map.
func quad[T int32 | float64](cur, prev []T, x int) T {
	c, p := cur[x:][:2], prev[x:][:2]
	return c[0] + c[1] + p[0] + p[1]
}

// cells16Generic is cells8Generic for samples of two bytes. Its four maps are
// s1, s2, ss and s12 as float64, in which they are exact up to depth 16.
func cells16Generic(a []byte, sa int, b []byte, sb, n int, out []float64, stride int) (sse uint64) {
	for x := range n {
		var s1, s2, ss, s12 int64
		for y := range 4 {
			p, q := a[y*sa+8*x:][:8], b[y*sb+8*x:][:8]
			for i := 0; i < 8; i += 2 {
				u, v := int64(p[i])|int64(p[i+1])<<8, int64(q[i])|int64(q[i+1])<<8
				s1 += u
				s2 += v
				ss += u*u + v*v
				s12 += u * v
			}
		}
		out[x], out[stride+x], out[2*stride+x], out[3*stride+x] = float64(s1), float64(s2), float64(ss), float64(s12)
		sse += uint64(ss - 2*s12)
	}
	return sse
}

// windows16Generic is windows8Generic for the maps of cells16.
func windows16Generic(cur, prev []float64, stride, n int, k *constants, acc *lanes) {
	for x := range n {
		s1, s2 := quad(cur, prev, x), quad(cur, prev, stride+x)
		ss, s12 := quad(cur, prev, 2*stride+x), quad(cur, prev, 3*stride+x)
		acc[x%8] += float64(k.value64(int64(s1), int64(s2), int64(ss), int64(s12)))
	}
}
