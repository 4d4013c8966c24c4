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

func spread8(_ Config, a, b []byte, n int, u, v int32, row *sampleRow) {
	spread8Generic(a, b, n, u, v, row)
}

func spread16(_ Config, a, b []byte, n int, u, v int32, row *sampleRow) {
	spread16Generic(a, b, n, u, v, row)
}

func spreadFloat(_ Config, u, v []float32, n int, cu, cv float32, row *sampleRow) {
	spreadFloatGeneric(u, v, n, cu, cv, row)
}

func horizontal(_ Config, row *sampleRow, out *filteredRow, n int, g *gaussian) {
	horizontalGeneric(row, out, n, g)
}

func similarities(_ Config, rows []filteredRow, n int, g *gaussian, acc *lanes) {
	similaritiesGeneric(rows, n, g, acc)
}

func contrasts(_ Config, rows []filteredRow, n int, g *gaussian, acc *lanes) {
	contrastsGeneric(rows, n, g, acc)
}

func slide8(_ Config, a, b, r, s []byte, n int, maps []int32, stride int) {
	slide8Generic(a, b, r, s, n, maps, stride)
}

func box8(_ Config, maps []int32, stride, n int, k *constants, acc *lanes) {
	box8Generic(maps, stride, n, k, acc)
}
