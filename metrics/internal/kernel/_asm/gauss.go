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
	ringMap  = (strip + 16) * 4 // from one map to the next in a filtered row
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
