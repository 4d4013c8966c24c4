package kernel

import "encoding/binary"

// slide8Generic is the definition of slide8: sums of columns, with those of a
// and b packed as s1 + s2<<16, then those of all squares and of products.
func slide8Generic(a, b, r, s []byte, n int, maps []int32, stride int) {
	pair, ss, s12 := maps[:n], maps[stride:][:n], maps[2*stride:][:n]
	for i := range pair {
		x, y, p, q := int32(a[i]), int32(b[i]), int32(r[i]), int32(s[i])
		pair[i] += x - p + (y-q)<<16
		ss[i] += x*x + y*y - p*p - q*q
		s12[i] += x*y - p*q
	}
}

// box8Generic adds the values of n windows, each the sum of eleven columns of
// the three maps of slide8, to acc: window i to lane i%8.
func box8Generic(maps []int32, stride, n int, k *constants, acc *lanes) {
	pairs, squares, products := maps[:n+taps-1], maps[stride:][:n+taps-1], maps[2*stride:][:n+taps-1]
	var pair, ss, s12 int32
	for i := range pairs {
		pair, ss, s12 = pair+pairs[i], ss+squares[i], s12+products[i]
		if j := i - (taps - 1); j >= 0 {
			acc[j%8] += float64(k.value(pair&0xffff, pair>>16, ss, s12))
			pair, ss, s12 = pair-pairs[j], ss-squares[j], s12-products[j]
		}
	}
}

// slide16Generic is slide8Generic for samples of two bytes, with the four maps
// s1, s2, ss and s12.
func slide16Generic(a, b, r, s []byte, n int, maps []int64, stride int) {
	m1, m2, ss, s12 := maps[:n], maps[stride:][:n], maps[2*stride:][:n], maps[3*stride:][:n]
	for i := range m1 {
		x, y, p, q := word(a, i), word(b, i), word(r, i), word(s, i)
		m1[i] += x - p
		m2[i] += y - q
		ss[i] += x*x + y*y - p*p - q*q
		s12[i] += x*y - p*q
	}
}

// word is sample i of two bytes.
func word(p []byte, i int) int64 { return int64(binary.LittleEndian.Uint16(p[2*i:])) }

// box16Generic is box8Generic for the maps of slide16Generic.
func box16Generic(maps []int64, stride, n int, k *constants, acc *lanes) {
	w := n + taps - 1
	m1, m2, squares, products := maps[:w], maps[stride:][:w], maps[2*stride:][:w], maps[3*stride:][:w]
	var s1, s2, ss, s12 int64
	for i := range m1 {
		s1, s2, ss, s12 = s1+m1[i], s2+m2[i], ss+squares[i], s12+products[i]
		if j := i - (taps - 1); j >= 0 {
			acc[j%8] += float64(k.value64(s1, s2, ss, s12))
			s1, s2, ss, s12 = s1-m1[j], s2-m2[j], ss-squares[j], s12-products[j]
		}
	}
}
