//go:build !purego

package kernel

import "golang.org/x/sys/cpu"

var (
	useAVX2   = cpu.X86.HasAVX2 && cpu.X86.HasFMA
	useAVX512 = useAVX2 && cpu.X86.HasAVX512F && cpu.X86.HasBMI2
)

// fast says whether the assembly is to be used.
func (c Config) fast() bool { return useAVX2 && !c.Portable }

// wide says whether vectors of 512 bits are to be used where there is such a form.
func (c Config) wide() bool { return useAVX512 && !c.Portable && !c.Narrow }

// span panics unless p holds h rows of n bytes, stride bytes apart: assembly
// checks no bounds.
func span(p []byte, stride, n, h int) *byte {
	_ = p[(h-1)*stride+n-1]
	return &p[0]
}

func sse8(c Config, a []byte, sa int, b []byte, sb, w, h int) (sum uint64) {
	n := w / 32
	if !c.fast() || n == 0 {
		return sse8Generic(a, sa, b, sb, w, h)
	}
	sum = sse8AVX2(span(a, sa, w, h), span(b, sb, w, h), sa, sb, n, h)
	if x := 32 * n; x < w {
		sum += sse8Generic(a[x:], sa, b[x:], sb, w-x, h)
	}
	return sum
}

func sse16(c Config, a []byte, sa int, b []byte, sb, w, h int) (sum uint64) {
	n := w / 16
	if !c.fast() || n == 0 || c.Depth > 15 {
		return sse16Generic(a, sa, b, sb, w, h)
	}
	sum = sse16AVX2(span(a, sa, 2*w, h), span(b, sb, 2*w, h), sa, sb, n, h)
	if x := 16 * n; x < w {
		sum += sse16Generic(a[2*x:], sa, b[2*x:], sb, w-x, h)
	}
	return sum
}

func cells8(c Config, a []byte, sa int, b []byte, sb, n int, out []int32, stride int) (sse uint64) {
	groups := n / 8
	if !c.fast() || groups == 0 {
		return cells8Generic(a, sa, b, sb, n, out, stride)
	}
	_ = out[2*stride+n-1]
	sse = cells8AVX2(span(a, sa, 4*n, 4), span(b, sb, 4*n, 4), sa, sb, groups, &out[0], 4*stride)
	if x := 8 * groups; x < n {
		sse += cells8Generic(a[4*x:], sa, b[4*x:], sb, n-x, out[x:], stride)
	}
	return sse
}

func cells16(c Config, a []byte, sa int, b []byte, sb, n int, out []float64, stride int) (sse uint64) {
	groups := n / 4
	if !c.fast() || groups == 0 || c.Depth > 12 {
		return cells16Generic(a, sa, b, sb, n, out, stride)
	}
	_ = out[3*stride+n-1]
	sse = cells16AVX2(span(a, sa, 8*n, 4), span(b, sb, 8*n, 4), sa, sb, groups, &out[0], 8*stride)
	if x := 4 * groups; x < n {
		sse += cells16Generic(a[8*x:], sa, b[8*x:], sb, n-x, out[x:], stride)
	}
	return sse
}

// rest returns how many of the last of n/8 groups of eight count, 1 to 8.
func rest(n int) int { return (n-1)%8 + 1 }

func windows8(c Config, cur, prev []int32, stride, n int, k *constants, acc *lanes) {
	if !c.fast() || n == 0 {
		windows8Generic(cur, prev, stride, n, k, acc)
		return
	}
	groups := (n + 7) / 8
	_, _ = cur[2*stride+8*groups], prev[2*stride+8*groups]
	windows8AVX2(&cur[0], &prev[0], 4*stride, groups, rest(n), int32(k.c1), int32(k.c2), (*[8]float64)(acc))
}

func windows16(c Config, cur, prev []float64, stride, n int, k *constants, acc *lanes) {
	if !c.fast() || n == 0 {
		windows16Generic(cur, prev, stride, n, k, acc)
		return
	}
	groups := (n + 7) / 8
	_, _ = cur[3*stride+8*groups], prev[3*stride+8*groups]
	f := [3]float64{float64(k.n), float64(k.c1), float64(k.c2)}
	windows16AVX2(&cur[0], &prev[0], 8*stride, groups, rest(n), &f, (*[8]float64)(acc))
}

func spread8(c Config, a, b []byte, n int, u, v int32, row *sampleRow) {
	groups := (n + 15) / 16
	if !c.fast() {
		spread8Generic(a, b, n, u, v, row)
		return
	}
	_, _ = a[16*groups-1], b[16*groups-1]
	spread8AVX2(&a[0], &b[0], groups, u, v, &row[0][0])
}

func spread16(c Config, a, b []byte, n int, u, v int32, row *sampleRow) {
	groups := (n + 7) / 8
	if !c.fast() {
		spread16Generic(a, b, n, u, v, row)
		return
	}
	_, _ = a[16*groups-1], b[16*groups-1]
	spread16AVX2(&a[0], &b[0], groups, u, v, &row[0][0])
}

func spreadFloat(c Config, u, v []float32, n int, cu, cv float32, row *sampleRow) {
	groups := (n + 7) / 8
	if !c.fast() {
		spreadFloatGeneric(u, v, n, cu, cv, row)
		return
	}
	_, _ = u[8*groups-1], v[8*groups-1]
	spreadFloatAVX2(&u[0], &v[0], groups, cu, cv, &row[0][0])
}

func horizontal(c Config, row *sampleRow, out *filteredRow, n int, g *gaussian) {
	switch {
	case c.wide():
		horizontalAVX512(&row[0][0], &out[0][0], &g[0], (n+15)/16)
	case c.fast():
		horizontalAVX2(&row[0][0], &out[0][0], &g[0], (n+7)/8)
	default:
		horizontalGeneric(row, out, n, g)
	}
}

func similarities(c Config, rows []filteredRow, n int, g *gaussian, acc *lanes) {
	_ = rows[taps-1]
	switch {
	case c.wide():
		similarityAVX512(&rows[0][0][0], &g[0], (n+15)/16, (n-1)%16+1, (*[8]float64)(acc))
	case c.fast():
		similarityAVX2(&rows[0][0][0], &g[0], (n+7)/8, rest(n), (*[8]float64)(acc))
	default:
		similaritiesGeneric(rows, n, g, acc)
	}
}

func contrasts(c Config, rows []filteredRow, n int, g *gaussian, acc *lanes) {
	_ = rows[taps-1]
	switch {
	case c.wide():
		contrastAVX512(&rows[0][0][0], &g[0], (n+15)/16, (n-1)%16+1, (*[8]float64)(acc))
	case c.fast():
		contrastAVX2(&rows[0][0][0], &g[0], (n+7)/8, rest(n), (*[8]float64)(acc))
	default:
		contrastsGeneric(rows, n, g, acc)
	}
}

func slide8(c Config, a, b, r, s []byte, n int, maps []int32, stride int) {
	x := n &^ 7
	if c.fast() && x > 0 {
		_, _, _, _, _ = a[n-1], b[n-1], r[n-1], s[n-1], maps[2*stride+n-1]
		slide8AVX2(&a[0], &b[0], &r[0], &s[0], n/8, &maps[0], 4*stride)
		a, b, r, s, n, maps = a[x:], b[x:], r[x:], s[x:], n-x, maps[x:]
	}
	slide8Generic(a, b, r, s, n, maps, stride)
}

func box8(c Config, maps []int32, stride, n int, k *constants, acc *lanes) {
	if !c.fast() || n == 0 {
		box8Generic(maps, stride, n, k, acc)
		return
	}
	groups := (n + 7) / 8
	_ = maps[2*stride+8*groups+taps-2]
	box8AVX2(&maps[0], 4*stride, groups, rest(n), int32(k.c1), int32(k.c2), (*[8]float64)(acc))
}
