// Command asm generates the assembly of package kernel.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

//go:generate go run . -out ../asm_amd64.s -stubs ../asm_amd64.go -pkg kernel

func main() {
	ConstraintExpr("!purego")
	sse8()
	sse16()
	cells8()
	cells16()
	windows8()
	windows16()
	slide8()
	box8()
	spread8()
	spread16()
	spreadFloat()
	for _, w := range []width{avx2, avx512} {
		w.horizontal()
		w.vertical("similarity", true)
		w.vertical("contrast", false)
	}
	Generate()
}

// param loads an argument into a register.
func param(name string) reg.Register { return Load(Param(name), GP64()) }

// zero returns a vector of zeros.
func zero() reg.VecVirtual {
	r := YMM()
	VPXOR(r, r, r)
	return r
}

// words returns a vector of v in each of its 16 words.
func words(name string, v uint16) reg.VecVirtual {
	m := GLOBL(name, RODATA|NOPTR)
	DATA(0, U16(v))
	r := YMM()
	VPBROADCASTW(m, r)
	return r
}

// rows returns the operands of four rows from base, stride bytes apart;
// stride3 is 3*stride.
func rows(base, stride, stride3 reg.Register) [4]Mem {
	m := Mem{Base: base}
	return [4]Mem{m, m.Idx(stride, 1), m.Idx(stride, 2), m.Idx(stride3, 1)}
}

// triple returns a register of 3*r.
func triple(r reg.Register) reg.Register {
	t := GP64()
	LEAQ(Mem{Base: r, Index: r, Scale: 2}, t)
	return t
}

// widen adds the eight 32-bit lanes of x to the four 64-bit lanes of sum.
func widen(x, sum, zero reg.VecVirtual) {
	lo, hi := YMM(), YMM()
	VPUNPCKLDQ(zero, x, lo)
	VPUNPCKHDQ(zero, x, hi)
	VPADDQ(lo, sum, sum)
	VPADDQ(hi, sum, sum)
}

// returnSum returns the sum of four 64-bit lanes.
func returnSum(sum reg.VecVirtual) {
	t, u, r := XMM(), XMM(), GP64()
	VEXTRACTI128(U8(1), sum, t)
	VPADDQ(t, sum.AsX(), t)
	VPSRLDQ(U8(8), t, u)
	VPADDQ(u, t, t)
	VMOVQ(t, r)
	VZEROUPPER()
	Store(r, ReturnIndex(0))
	RET()
}
