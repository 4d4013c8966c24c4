package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// prefetch asks for the four rows below the current ones: eight streams of rows
// are more than the hardware follows by itself.
func prefetch(rows ...Mem) {
	for _, r := range rows {
		PREFETCHT0(r)
	}
}

// cells8 takes even and odd samples apart as words; a multiply-add of words
// then leaves in each 32-bit lane samples of one cell only.
func cells8() {
	TEXT("cells8AVX2", NOSPLIT, "func(a, b *byte, sa, sb, n int, out *int32, stride int) uint64")
	Doc("cells8AVX2 works like cells8Generic for n groups of 8 cells; stride is in bytes. n must not be 0.")
	Pragma("noescape")
	a, b, sa, sb, n, out, st := param("a"), param("b"), param("sa"), param("sb"), param("n"), param("out"), param("stride")
	low, ones, err := words("low8", 0x00ff), words("ones8", 1), zero()
	sa3, sb3, pa, pb := triple(sa), triple(sb), GP64(), GP64()
	LEAQ(Mem{Base: a, Index: sa, Scale: 4}, pa)
	LEAQ(Mem{Base: b, Index: sb, Scale: 4}, pb)
	ra, rb, na, nb := rows(a, sa, sa3), rows(b, sb, sb3), rows(pa, sa, sa3), rows(pb, sb, sb3)

	Label("group")
	prefetch(na[:]...)
	prefetch(nb[:]...)
	s1, s2, ss, s12 := YMM(), YMM(), YMM(), YMM()
	pe, po, qe, qo, t, u := YMM(), YMM(), YMM(), YMM(), YMM(), YMM()
	for y := range 4 {
		VMOVDQU(ra[y], po)
		VMOVDQU(rb[y], qo)
		VPAND(low, po, pe)
		VPAND(low, qo, qe)
		VPSRLW(U8(8), po, po)
		VPSRLW(U8(8), qo, qo)
		if y == 0 {
			VPADDW(pe, po, s1)
			VPADDW(qe, qo, s2)
			VPMADDWD(pe, pe, ss)
			VPMADDWD(pe, qe, s12)
		} else {
			VPADDW(pe, po, t)
			VPADDW(t, s1, s1)
			VPADDW(qe, qo, u)
			VPADDW(u, s2, s2)
			VPMADDWD(pe, pe, t)
			VPADDD(t, ss, ss)
			VPMADDWD(pe, qe, u)
			VPADDD(u, s12, s12)
		}
		VPMADDWD(po, qo, t)
		VPADDD(t, s12, s12)
		VPMADDWD(po, po, u)
		VPADDD(u, ss, ss)
		VPMADDWD(qe, qe, t)
		VPADDD(t, ss, ss)
		VPMADDWD(qo, qo, u)
		VPADDD(u, ss, ss)
	}
	VPMADDWD(ones, s1, s1)
	VPMADDWD(ones, s2, s2)
	VPSLLD(U8(16), s2, s2)
	VPOR(s2, s1, s1)
	VMOVDQU(s1, Mem{Base: out})
	VMOVDQU(ss, Mem{Base: out, Index: st, Scale: 1})
	VMOVDQU(s12, Mem{Base: out, Index: st, Scale: 2})
	VPADDD(ss, err, err) // a row adds at most MaxWidth/32 * 16*255² to a lane, below 2^31
	VPADDD(s12, s12, s12)
	VPSUBD(s12, err, err)
	for _, r := range []reg.Register{a, b, pa, pb, out} {
		ADDQ(U8(32), r)
	}
	DECQ(n)
	JNZ(LabelRef("group"))
	nought, sum := zero(), zero()
	widen(err, sum, nought)
	returnSum(sum)
}

// cells16 sums pairs of samples in 32-bit lanes and joins two lanes to a cell
// at the end. 12 bits: 16 cells' samples add at most 2*16*4095² < 2^30.
func cells16() {
	TEXT("cells16AVX2", NOSPLIT, "func(a, b *byte, sa, sb, n int, out *float64, stride int) uint64")
	Doc("cells16AVX2 works like cells16Generic for n groups of 4 cells of samples of at most 12 bits; stride is in bytes. n must not be 0.")
	Pragma("noescape")
	a, b, sa, sb, n, out, st := param("a"), param("b"), param("sa"), param("sb"), param("n"), param("out"), param("stride")
	ones, err := words("ones16", 1), zero()
	sa3, sb3, st3, pa, pb := triple(sa), triple(sb), triple(st), GP64(), GP64()
	LEAQ(Mem{Base: a, Index: sa, Scale: 4}, pa)
	LEAQ(Mem{Base: b, Index: sb, Scale: 4}, pb)
	ra, rb, na, nb := rows(a, sa, sa3), rows(b, sb, sb3), rows(pa, sa, sa3), rows(pb, sb, sb3)
	maps := rows(out, st, st3)

	Label("group")
	prefetch(na[:]...)
	prefetch(nb[:]...)
	s1, s2, ss, s12 := YMM(), YMM(), YMM(), YMM()
	p, q, t := YMM(), YMM(), YMM()
	for y := range 4 {
		VMOVDQU(ra[y], p)
		VMOVDQU(rb[y], q)
		if y == 0 {
			VMOVDQA(p, s1)
			VMOVDQA(q, s2)
			VPMADDWD(p, p, ss)
			VPMADDWD(p, q, s12)
		} else {
			VPADDW(p, s1, s1)
			VPADDW(q, s2, s2)
			VPMADDWD(p, q, t)
			VPADDD(t, s12, s12)
			VPMADDWD(p, p, p)
			VPADDD(p, ss, ss)
		}
		VPMADDWD(q, q, q)
		VPADDD(q, ss, ss)
	}
	VPMADDWD(ones, s1, s1)
	VPMADDWD(ones, s2, s2)
	join(s2, s1)
	join(s12, ss)
	d, e := XMM(), YMM()
	store(s1, maps[0], maps[1])
	store(ss, maps[2], maps[3])
	VEXTRACTI128(U8(1), ss, d)
	VPADDD(d, d, d)
	VPSUBD(d, ss.AsX(), d)
	VPMOVZXDQ(d, e)
	VPADDQ(e, err, err)
	for _, r := range []reg.Register{a, b, pa, pb, out} {
		ADDQ(U8(32), r)
	}
	DECQ(n)
	JNZ(LabelRef("group"))
	returnSum(err)
}

// join adds neighbouring lanes: those of lo to its lower half, those of hi to
// lo's upper half.
func join(hi, lo reg.VecVirtual) {
	VPHADDD(hi, lo, lo)
	VPERMQ(U8(0b11_01_10_00), lo, lo)
}

// store writes the halves of x as float64.
func store(x reg.VecVirtual, lo, hi Mem) {
	t, u := XMM(), YMM()
	VEXTRACTI128(U8(1), x, t)
	VCVTDQ2PD(x.AsX(), u)
	VMOVUPD(u, lo)
	VCVTDQ2PD(t, u)
	VMOVUPD(u, hi)
}
