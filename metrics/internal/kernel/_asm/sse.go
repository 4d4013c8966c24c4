package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// sse8 widens its 32-bit lanes after each row: MaxWidth/32 blocks of 32 samples
// add at most 2*255² each to a lane of either accumulator, below 2^28.
func sse8() {
	TEXT("sse8AVX2", NOSPLIT, "func(a, b *byte, sa, sb, n, h int) uint64")
	Doc("sse8AVX2 works like sse8Generic for rows of n blocks of 32 samples. n and h must not be 0.")
	Pragma("noescape")
	a, b, sa, sb, n, h := param("a"), param("b"), param("sa"), param("sb"), param("n"), param("h")
	low, nought, sum := words("low", 0x00ff), zero(), zero()
	even, odd := YMM(), YMM()
	x, left := GP64(), GP64()

	Label("row")
	VPXOR(even, even, even)
	VPXOR(odd, odd, odd)
	XORQ(x, x)
	MOVQ(n, left)
	Label("block")
	p, q, d, e := YMM(), YMM(), YMM(), YMM()
	VMOVDQU(Mem{Base: a, Index: x, Scale: 1}, p)
	VMOVDQU(Mem{Base: b, Index: x, Scale: 1}, q)
	VPSUBUSB(q, p, d) // |p-q| = sat(p-q) | sat(q-p)
	VPSUBUSB(p, q, e)
	VPOR(d, e, d)
	VPAND(low, d, e)
	VPSRLW(U8(8), d, d)
	VPMADDWD(e, e, e)
	VPMADDWD(d, d, d)
	VPADDD(e, even, even)
	VPADDD(d, odd, odd)
	ADDQ(U8(32), x)
	DECQ(left)
	JNZ(LabelRef("block"))
	widen(even, sum, nought)
	widen(odd, sum, nought)
	ADDQ(sa, a)
	ADDQ(sb, b)
	DECQ(h)
	JNZ(LabelRef("row"))
	returnSum(sum)
}

// sse16 widens at once: two squares of 15 bits fill a 32-bit lane.
func sse16() {
	TEXT("sse16AVX2", NOSPLIT, "func(a, b *byte, sa, sb, n, h int) uint64")
	Doc("sse16AVX2 works like sse16Generic for rows of n blocks of 16 samples of at most 15 bits. n and h must not be 0.")
	Pragma("noescape")
	a, b, sa, sb, n, h := param("a"), param("b"), param("sa"), param("sb"), param("n"), param("h")
	nought, sum := zero(), zero()
	x, left := GP64(), GP64()

	Label("row")
	XORQ(x, x)
	MOVQ(n, left)
	Label("block")
	d := YMM()
	VMOVDQU(Mem{Base: a, Index: x, Scale: 1}, d)
	VPSUBW(Mem{Base: b, Index: x, Scale: 1}, d, d)
	VPMADDWD(d, d, d)
	widen(d, sum, nought)
	ADDQ(U8(32), x)
	DECQ(left)
	JNZ(LabelRef("block"))
	ADDQ(sa, a)
	ADDQ(sb, b)
	DECQ(h)
	JNZ(LabelRef("row"))
	returnSum(sum)
}
