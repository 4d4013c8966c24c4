//go:build !amd64 || purego

package kernel

func sse8(_ Config, a []byte, sa int, b []byte, sb, w, h int) uint64 {
	return sse8Generic(a, sa, b, sb, w, h)
}

func sse16(_ Config, a []byte, sa int, b []byte, sb, w, h int) uint64 {
	return sse16Generic(a, sa, b, sb, w, h)
}

func cells8(_ Config, a []byte, sa int, b []byte, sb, n int, out []int32, stride int) uint64 {
	return cells8Generic(a, sa, b, sb, n, out, stride)
}

func cells16(_ Config, a []byte, sa int, b []byte, sb, n int, out []float64, stride int) uint64 {
	return cells16Generic(a, sa, b, sb, n, out, stride)
}

func windows8(_ Config, cur, prev []int32, stride, n int, k *constants, acc *lanes) {
	windows8Generic(cur, prev, stride, n, k, acc)
}

func windows16(_ Config, cur, prev []float64, stride, n int, k *constants, acc *lanes) {
	windows16Generic(cur, prev, stride, n, k, acc)
}
