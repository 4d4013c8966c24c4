package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func slide8() {
	TEXT("slide8AVX2", NOSPLIT, "func(a, b, r, s *byte, n int, maps *int32, stride int)")
	Doc("slide8AVX2 works like slide8Generic for n groups of 8 samples; stride is in bytes. n must not be 0.")
	Pragma("noescape")
	a, b, r, s, n, maps, st := param("a"), param("b"), param("r"), param("s"), param("n"), param("maps"), param("stride")
	Label("group")
	pair, y := packed(a, b)
	old, q := packed(r, s)
	ss, s12, t := YMM(), YMM(), YMM()
	VPMADDWD(pair, y, s12) // the upper words of y are 0
	VPMADDWD(old, q, t)
	VPSUBD(t, s12, s12)
	VPMADDWD(pair, pair, ss)
	VPMADDWD(old, old, t)
	VPSUBD(t, ss, ss)
	VPSUBD(old, pair, pair)
	for i, x := range []reg.VecVirtual{pair, ss, s12} {
		m := rows(maps, st, st)[i]
		VPADDD(m, x, x)
		VMOVDQU(x, m)
	}
	for _, p := range []reg.Register{a, b, r, s} {
		ADDQ(U8(8), p)
	}
	ADDQ(U8(32), maps)
	DECQ(n)
	JNZ(LabelRef("group"))
	VZEROUPPER()
	RET()
}

// packed returns eight samples of a and b as a + b<<16, and those of b.
func packed(a, b reg.Register) (pair, y reg.VecVirtual) {
	pair, y = YMM(), YMM()
	t := YMM()
	VPMOVZXBD(Mem{Base: a}, pair)
	VPMOVZXBD(Mem{Base: b}, y)
	VPSLLD(U8(16), y, t)
	VPOR(t, pair, pair)
	return pair, y
}

// doubles returns a vector of v in each of its 32-bit lanes.
func doubles(name string, v uint32) reg.VecVirtual {
	r := YMM()
	VPBROADCASTD(table(name, v), r)
	return r
}

func box8() {
	TEXT("box8AVX2", NOSPLIT, "func(maps *int32, stride, n, rest int, c1, c2 int32, acc *[8]float64)")
	Doc("box8AVX2 works like box8Generic for n groups of 8 windows, of which the last counts rest (1..8); stride is in bytes. n must not be 0.")
	Pragma("noescape")
	maps, st, n := param("maps"), param("stride"), param("n")
	mask := keep("keepbox", param("rest"))
	c1, c2, swapped := broadcast("c1"), broadcast("c2"), YMM()
	n1, n2 := doubles("n121", 121), doubles("n242", 242)
	VMOVDQU(table("swapbox", swapWords[:]...), swapped)
	t := loadTotal(param("acc"))
	loop(n, mask, t, func() { ADDQ(U8(32), maps) }, func() reg.VecVirtual {
		var m [3]reg.VecVirtual
		for i := range m {
			at := rows(maps, st, st)[i]
			u := YMM()
			m[i] = YMM()
			VMOVDQU(at, m[i])
			VMOVDQU(at.Offset(4), u)
			for x := 2; x < taps; x += 2 {
				VPADDD(at.Offset(4*x), m[i], m[i])
				if x+1 < taps {
					VPADDD(at.Offset(4*x+4), u, u)
				}
			}
			VPADDD(u, m[i], m[i])
		}
		pair, ss, s12 := m[0], m[1], m[2]
		sq, prod := YMM(), YMM()
		VPSHUFB(swapped, pair, prod)
		VPMADDWD(pair, prod, prod) // 2*s1*s2
		VPMADDWD(pair, pair, sq)
		VPMULLD(n2, s12, s12) // 2*121*s12
		VPMULLD(n1, ss, ss)
		VPSUBD(prod, s12, s12)
		VPSUBD(sq, ss, ss)
		VPADDD(c1, prod, prod)
		VPADDD(c2, s12, s12)
		VPADDD(c1, sq, sq)
		VPADDD(c2, ss, ss)
		ratio(prod, s12, sq, ss)
		return prod
	})
}
