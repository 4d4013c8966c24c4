package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A width is the vectors that the Gaussian's filters work in. Both do the same
// operations in the same order, so that their results are equal.
type width struct {
	suffix string
	lanes  int // float32
	vec    func() reg.VecVirtual
}

var (
	avx2   = width{"AVX2", 8, YMM}
	avx512 = width{"AVX512", 16, ZMM}
)

func (w width) bytes() int { return 4 * w.lanes }

// filter returns the symmetric filter g of the eleven vectors at(0..10).
func (w width) filter(g [distinct]reg.VecVirtual, at func(i int) Mem) reg.VecVirtual {
	return w.pairs(g, at, func(i int) reg.VecVirtual {
		t := w.vec()
		VMOVUPS(at(i), t)
		return t
	})
}

// pairs is filter with the first five vectors in registers that it may change.
func (w width) pairs(g [distinct]reg.VecVirtual, at func(i int) Mem, first func(i int) reg.VecVirtual) reg.VecVirtual {
	r := w.vec()
	VMULPS(at(distinct-1), g[distinct-1], r)
	for i := distinct - 2; i >= 0; i-- {
		t := first(i)
		VADDPS(at(taps-1-i), t, t)
		VFMADD231PS(t, g[i], r)
	}
	return r
}

// along filters the eleven vectors from at, one sample apart. All but the first
// of 512 bits lie across two cache lines, so that half of them are put together
// in registers instead.
func (w width) along(g [distinct]reg.VecVirtual, at Mem) reg.VecVirtual {
	tap := func(i int) Mem { return at.Offset(4 * i) }
	if w.lanes == 8 {
		return w.filter(g, tap)
	}
	here, next := w.vec(), w.vec()
	VMOVUPS(at, here)
	VMOVUPS(at.Offset(w.bytes()), next)
	return w.pairs(g, tap, func(i int) reg.VecVirtual {
		if i == 0 {
			return here // the last that is asked for
		}
		t := w.vec()
		VALIGND(U8(i), here, next, t)
		return t
	})
}

// weights fills one vector with each distinct weight.
func (w width) weights(p reg.Register) (g [distinct]reg.VecVirtual) {
	for i := range g {
		g[i] = w.constant(p, i)
	}
	return g
}

// constant fills a vector with entry i of the weights and what follows them.
func (w width) constant(p reg.Register, i int) reg.VecVirtual {
	r := w.vec()
	VBROADCASTSS(Mem{Base: p}.Offset(4*i), r)
	return r
}

func (w width) horizontal() {
	TEXT("horizontal"+w.suffix, NOSPLIT, "func(row, out, weight *float32, n int)")
	Doc(fmt.Sprintf("horizontal%s works like horizontalGeneric for n groups of %d windows. n must not be 0.", w.suffix, w.lanes))
	Pragma("noescape")
	row, out, n := param("row"), param("out"), param("n")
	g := w.weights(param("weight"))
	Label("group")
	for m := range 4 {
		r := w.along(g, Mem{Base: row}.Offset(m*rowMap))
		VMOVUPS(r, Mem{Base: out}.Offset(m*ringMap))
	}
	ADDQ(U8(w.bytes()), row)
	ADDQ(U8(w.bytes()), out)
	DECQ(n)
	JNZ(LabelRef("group"))
	VZEROUPPER()
	RET()
}

// vertical makes both forms: SSIM, or its factor of contrast and structure.
func (w width) vertical(name string, luminance bool) {
	TEXT(name+w.suffix, NOSPLIT, "func(ring, weight *float32, n, rest int, acc *[8]float64)")
	Doc(fmt.Sprintf("%s%s works like %sGeneric for n groups of %d windows, of which the last counts rest (1..%d). n must not be 0.",
		name, w.suffix, name, w.lanes, w.lanes))
	Pragma("noescape")
	ring, gp, n := param("ring"), param("weight"), param("n")
	g := w.weights(gp)
	body := func() (num, den reg.VecVirtual) { return w.quotient(ring, gp, g, luminance) }
	step := func() { ADDQ(U8(w.bytes()), ring) }
	if w.lanes == 8 {
		mask := keep("keep"+name, param("rest"))
		loop(n, mask, loadTotal(param("acc")), step, func() reg.VecVirtual {
			num, den := body()
			VDIVPS(den, num, num)
			return num
		})
		return
	}
	loop16(n, param("rest"), param("acc"), step, body)
}

// quotient returns numerator and denominator of a group's values.
func (w width) quotient(ring, gp reg.Register, g [distinct]reg.VecVirtual, luminance bool) (num, den reg.VecVirtual) {
	at := func(m int) func(i int) Mem {
		return func(i int) Mem { return Mem{Base: ring}.Offset(i*ringRow + m*ringMap) }
	}
	constant := func(i int) reg.VecVirtual { return w.constant(gp, distinct+i) }
	u, uu := w.filter(g, at(0)), w.filter(g, at(2))
	VFNMADD231PS(u, u, uu) // variance of u
	v, vv := w.filter(g, at(1)), w.filter(g, at(3))
	VFNMADD231PS(v, v, vv) // variance of v
	num, den = w.vec(), uu
	c2 := constant(1)
	VSUBPS(vv, uu, num)
	VADDPS(c2, num, num)
	VADDPS(vv, den, den)
	VADDPS(c2, den, den)
	if luminance {
		t, c1 := w.vec(), constant(0)
		VADDPS(constant(2), u, u)
		VADDPS(constant(3), v, v)
		VMULPS(u, u, u)
		VMULPS(v, v, v)
		VSUBPS(v, u, t)
		VADDPS(c1, t, t)
		VADDPS(v, u, u)
		VADDPS(c1, u, u)
		VMULPS(t, num, num)
		VMULPS(u, den, den)
	}
	return num, den
}

// loop16 is loop for groups of 16, whose halves are added one after the other.
func loop16(n, rest, acc reg.Register, step func(), body func() (num, den reg.VecVirtual)) {
	all, last, bits := K(), K(), GP32()
	count := rest.(reg.GPVirtual)
	MOVL(U32(0xffff), bits)
	KMOVW(bits, all)
	MOVL(U32(1), bits)
	SHLXL(count.As32(), bits, bits)
	DECL(bits)
	KMOVW(bits, last)
	t := ZMM()
	VMOVUPD(Mem{Base: acc}, t)
	Label("group")
	CMPQ(n, U8(1))
	JNE(LabelRef("whole"))
	KMOVW(last, all)
	Label("whole")
	num, den := body()
	VDIVPS_Z(den, num, all, num)
	hi, d := YMM(), ZMM()
	VEXTRACTF64X4(U8(1), num, hi)
	VCVTPS2PD(num.AsY(), d)
	VADDPD(d, t, t)
	VCVTPS2PD(hi, d)
	VADDPD(d, t, t)
	step()
	DECQ(n)
	JNZ(LabelRef("group"))
	VMOVUPD(t, Mem{Base: acc})
	VZEROUPPER()
	RET()
}
