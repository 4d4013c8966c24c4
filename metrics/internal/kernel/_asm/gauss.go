package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The layout of Gauss, in bytes; the constants are those of gauss.go.
const (
	strip    = 128              // windows a strip
	rowMap   = (strip + 32) * 4 // from one map to the next in a row of samples
	ringMap  = (strip + 8) * 4  // from one map to the next in a filtered row
	ringRow  = 4 * ringMap      // from one filtered row to the next
	taps     = 11               // of the filter, of which the first six are distinct
	distinct = (taps + 1) / 2   // weights, then 2*C1, 2*C2 and the centre of u and v
)

// spread writes u, v, u² and v² of 16 sample pairs, of which p and q hold the
// words, and moves on.
func spread(p, q, centreU, centreV reg.VecVirtual, row reg.Register) {
	d, hi := YMM(), XMM()
	VPSUBW(q, p, d)
	VPADDW(q, p, p)
	VPSUBW(centreU, p, p)
	VPSUBW(centreV, d, d)
	f := [4]reg.VecVirtual{YMM(), YMM(), YMM(), YMM()}
	for i, x := range []reg.VecVirtual{p, d} {
		VPMOVSXWD(x.AsX(), f[2*i])
		VEXTRACTI128(U8(1), x, hi)
		VPMOVSXWD(hi, f[2*i+1])
	}
	for i, x := range f {
		VCVTDQ2PS(x, x)
		squares(x, Mem{Base: row}.Offset(i/2*rowMap+i%2*32))
	}
	ADDQ(U8(64), row)
}

// squares writes eight values of a map, and their squares two maps on.
func squares(x reg.VecVirtual, at Mem) {
	VMOVUPS(x, at)
	VMULPS(x, x, x)
	VMOVUPS(x, at.Offset(2*rowMap))
}

func spread8() {
	TEXT("spread8AVX2", NOSPLIT, "func(a, b *byte, n int, centreU, centreV int32, row *float32)")
	Doc("spread8AVX2 works like spread8Generic for n groups of 16 samples. n must not be 0.")
	Pragma("noescape")
	a, b, n, row := param("a"), param("b"), param("n"), param("row")
	u, v := broadcast("centreU"), broadcast("centreV")
	for _, x := range []reg.VecVirtual{u, v} {
		VPBROADCASTW(x.AsX(), x)
	}
	Label("group")
	p, q := YMM(), YMM()
	VPMOVZXBW(Mem{Base: a}, p)
	VPMOVZXBW(Mem{Base: b}, q)
	spread(p, q, u, v, row)
	ADDQ(U8(16), a)
	ADDQ(U8(16), b)
	DECQ(n)
	JNZ(LabelRef("group"))
	VZEROUPPER()
	RET()
}

// spread16 widens before it adds: two samples of 16 bits do not fit a word.
func spread16() {
	TEXT("spread16AVX2", NOSPLIT, "func(a, b *byte, n int, centreU, centreV int32, row *float32)")
	Doc("spread16AVX2 works like spread16Generic for n groups of 8 samples. n must not be 0.")
	Pragma("noescape")
	a, b, n, row := param("a"), param("b"), param("n"), param("row")
	u, v := broadcast("centreU"), broadcast("centreV")
	Label("group")
	p, q, d := YMM(), YMM(), YMM()
	VPMOVZXWD(Mem{Base: a}, p)
	VPMOVZXWD(Mem{Base: b}, q)
	VPSUBD(q, p, d)
	VPADDD(q, p, p)
	VPSUBD(u, p, p)
	VPSUBD(v, d, d)
	for i, x := range []reg.VecVirtual{p, d} {
		VCVTDQ2PS(x, x)
		squares(x, Mem{Base: row}.Offset(i*rowMap))
	}
	ADDQ(U8(16), a)
	ADDQ(U8(16), b)
	ADDQ(U8(32), row)
	DECQ(n)
	JNZ(LabelRef("group"))
	VZEROUPPER()
	RET()
}

func spreadFloat() {
	TEXT("spreadFloatAVX2", NOSPLIT, "func(u, v *float32, n int, centreU, centreV float32, row *float32)")
	Doc("spreadFloatAVX2 works like spreadFloatGeneric for n groups of 8 samples. n must not be 0.")
	Pragma("noescape")
	u, v, n, row := param("u"), param("v"), param("n"), param("row")
	var centre [2]reg.VecVirtual
	for i, name := range []string{"centreU", "centreV"} {
		centre[i] = YMM()
		VBROADCASTSS(Load(Param(name), XMM()), centre[i])
	}
	Label("group")
	for i, p := range []reg.Register{u, v} {
		x := YMM()
		VMOVUPS(Mem{Base: p}, x)
		VSUBPS(centre[i], x, x)
		squares(x, Mem{Base: row}.Offset(i*rowMap))
		ADDQ(U8(32), p)
	}
	ADDQ(U8(32), row)
	DECQ(n)
	JNZ(LabelRef("group"))
	VZEROUPPER()
	RET()
}

// filter returns the symmetric filter g of the eleven vectors at(0..10).
func filter(g [distinct]reg.VecVirtual, at func(i int) Mem) reg.VecVirtual {
	r := YMM()
	VMULPS(at(distinct-1), g[distinct-1], r)
	for i := distinct - 2; i >= 0; i-- {
		t := YMM()
		VMOVUPS(at(i), t)
		VADDPS(at(taps-1-i), t, t)
		VFMADD231PS(t, g[i], r)
	}
	return r
}

// weights fills one vector with each distinct weight.
func weights(p reg.Register) (g [distinct]reg.VecVirtual) {
	for i := range g {
		g[i] = YMM()
		VBROADCASTSS(Mem{Base: p}.Offset(4*i), g[i])
	}
	return g
}

func horizontal() {
	TEXT("horizontalAVX2", NOSPLIT, "func(row, out, weight *float32, n int)")
	Doc("horizontalAVX2 works like horizontalGeneric for n groups of 8 windows. n must not be 0.")
	Pragma("noescape")
	row, out, n := param("row"), param("out"), param("n")
	g := weights(param("weight"))
	Label("group")
	for m := range 4 {
		r := filter(g, func(i int) Mem { return Mem{Base: row}.Offset(m*rowMap + 4*i) })
		VMOVUPS(r, Mem{Base: out}.Offset(m*ringMap))
	}
	ADDQ(U8(32), row)
	ADDQ(U8(32), out)
	DECQ(n)
	JNZ(LabelRef("group"))
	VZEROUPPER()
	RET()
}

// vertical makes both forms: SSIM, or its factor of contrast and structure.
func vertical(name string, luminance bool) {
	TEXT(name+"AVX2", NOSPLIT, "func(ring, weight *float32, n, rest int, acc *[8]float64)")
	Doc(name + "AVX2 works like " + name + "Generic for n groups of 8 windows, of which the last counts rest (1..8). n must not be 0.")
	Pragma("noescape")
	ring, gp, n := param("ring"), param("weight"), param("n")
	g := weights(gp)
	mask := keep("keep"+name, param("rest"))
	t := loadTotal(param("acc"))
	at := func(m int) func(i int) Mem {
		return func(i int) Mem { return Mem{Base: ring}.Offset(i*ringRow + m*ringMap) }
	}
	constant := func(i int) reg.VecVirtual {
		r := YMM()
		VBROADCASTSS(Mem{Base: gp}.Offset(4*(distinct+i)), r)
		return r
	}
	loop(n, mask, t, func() { ADDQ(U8(32), ring) }, func() reg.VecVirtual {
		u, uu := filter(g, at(0)), filter(g, at(2))
		VFNMADD231PS(u, u, uu) // variance of u
		v, vv := filter(g, at(1)), filter(g, at(3))
		VFNMADD231PS(v, v, vv) // variance of v
		num, c2 := YMM(), constant(1)
		VSUBPS(vv, uu, num)
		VADDPS(c2, num, num)
		VADDPS(vv, uu, uu)
		VADDPS(c2, uu, uu)
		if luminance {
			w, c1 := YMM(), constant(0)
			VADDPS(constant(2), u, u)
			VADDPS(constant(3), v, v)
			VMULPS(u, u, u)
			VMULPS(v, v, v)
			VSUBPS(v, u, w)
			VADDPS(c1, w, w)
			VADDPS(v, u, u)
			VADDPS(c1, u, u)
			VMULPS(w, num, num)
			VMULPS(u, uu, uu)
		}
		VDIVPS(uu, num, num)
		return num
	})
}
