package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// table is read-only data of 32-bit entries.
func table(name string, entries ...uint32) Mem {
	m := GLOBL(name, RODATA|NOPTR)
	for i, v := range entries {
		DATA(4*i, U32(v))
	}
	return m
}

// keep returns a mask of the first rest lanes of eight, rest being 1..8.
func keep(name string, rest reg.Register) reg.VecVirtual {
	var bits [16]uint32
	for i := range 8 {
		bits[i] = 0xffffffff
	}
	p, mask := GP64(), YMM()
	LEAQ(table(name, bits[:]...), p)
	NEGQ(rest)
	VMOVUPS(Mem{Base: p, Index: rest, Scale: 4}.Offset(32), mask)
	return mask
}

// broadcast fills a vector with a 32-bit argument.
func broadcast(name string) reg.VecVirtual {
	r := YMM()
	VMOVD(Load(Param(name), GP32()), r.AsX())
	VPBROADCASTD(r.AsX(), r)
	return r
}

// total holds the eight float64 lanes that the windows are added to.
type total struct {
	at     Mem
	lo, hi reg.VecVirtual
}

func loadTotal(p reg.Register) total {
	t := total{Mem{Base: p}, YMM(), YMM()}
	VMOVUPD(t.at, t.lo)
	VMOVUPD(t.at.Offset(32), t.hi)
	return t
}

// add adds the eight float32 lanes of v, which it destroys.
func (t total) add(v reg.VecVirtual) {
	h, d := XMM(), YMM()
	VEXTRACTF128(U8(1), v, h)
	VCVTPS2PD(v.AsX(), d)
	VADDPD(d, t.lo, t.lo)
	VCVTPS2PD(h, d)
	VADDPD(d, t.hi, t.hi)
}

func (t total) store() {
	VMOVUPD(t.lo, t.at)
	VMOVUPD(t.hi, t.at.Offset(32))
}

// ratio leaves a*b/(c*d) in a, each of the four integers rounded to float32.
func ratio(a, b, c, d reg.VecVirtual) {
	for _, r := range []reg.VecVirtual{a, b, c, d} {
		VCVTDQ2PS(r, r)
	}
	VMULPS(b, a, a)
	VMULPS(d, c, c)
	VDIVPS(c, a, a)
}

// swapWords is a shuffle of bytes that exchanges the words of each 32-bit lane.
var swapWords = [8]uint32{0x01000302, 0x05040706, 0x09080b0a, 0x0d0c0f0e, 0x01000302, 0x05040706, 0x09080b0a, 0x0d0c0f0e}

// loop repeats body, which leaves eight values in a register, n times; of the
// last only those that mask keeps are added.
func loop(n reg.Register, mask reg.VecVirtual, t total, step func(), body func() reg.VecVirtual) {
	Label("group")
	v := body()
	step()
	DECQ(n)
	JZ(LabelRef("last"))
	t.add(v)
	JMP(LabelRef("group"))
	Label("last")
	VANDPS(mask, v, v)
	t.add(v)
	t.store()
	VZEROUPPER()
	RET()
}

func windows8() {
	TEXT("windows8AVX2", NOSPLIT, "func(cur, prev *int32, stride, n, rest int, c1, c2 int32, acc *[8]float64)")
	Doc("windows8AVX2 works like windows8Generic for n groups of 8 windows, of which the last counts rest (1..8); stride is in bytes. n must not be 0.")
	Pragma("noescape")
	cur, prev, st, n := param("cur"), param("prev"), param("stride"), param("n")
	mask := keep("keep8", param("rest"))
	c1, c2, swapped := broadcast("c1"), broadcast("c2"), YMM()
	VMOVDQU(table("swap8", swapWords[:]...), swapped)
	t := loadTotal(param("acc"))
	step := func() {
		ADDQ(U8(32), cur)
		ADDQ(U8(32), prev)
	}
	loop(n, mask, t, step, func() reg.VecVirtual {
		var m [3]reg.VecVirtual
		u := YMM()
		for i := range m {
			c, p := rows(cur, st, st)[i], rows(prev, st, st)[i]
			m[i] = YMM()
			VMOVDQU(c, m[i])
			VMOVDQU(c.Offset(4), u)
			VPADDD(p, m[i], m[i])
			VPADDD(p.Offset(4), u, u)
			VPADDD(u, m[i], m[i])
		}
		pair, ss, s12 := m[0], m[1], m[2]
		sq, prod := YMM(), YMM()
		VPSHUFB(swapped, pair, prod)
		VPMADDWD(pair, prod, prod) // 2*s1*s2
		VPMADDWD(pair, pair, sq)
		VPSLLD(U8(7), s12, s12) // 2*64*s12
		VPSLLD(U8(6), ss, ss)
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

func windows16() {
	TEXT("windows16AVX2", NOSPLIT, "func(cur, prev *float64, stride, n, rest int, k *[3]float64, acc *[8]float64)")
	Doc("windows16AVX2 works like windows16Generic for n groups of 8 windows, of which the last counts rest (1..8); stride is in bytes, k holds 64, c1, c2. n must not be 0.",
		"Every step before the division is exact: nothing exceeds 2^48.")
	Pragma("noescape")
	cur, prev, st, n := param("cur"), param("prev"), param("stride"), param("n")
	mask := keep("keep16", param("rest"))
	st3 := triple(st)
	k := param("k")
	c64, c1, c2 := YMM(), YMM(), YMM()
	for i, r := range []reg.VecVirtual{c64, c1, c2} {
		VBROADCASTSD(Mem{Base: k}.Offset(8*i), r)
	}
	t := loadTotal(param("acc"))
	step := func() {
		ADDQ(U8(64), cur)
		ADDQ(U8(64), prev)
	}
	loop(n, mask, t, step, func() reg.VecVirtual {
		rc, rp := rows(cur, st, st3), rows(prev, st, st3)
		lo, hi := quad(rc, rp, 0, c64, c1, c2), quad(rc, rp, 32, c64, c1, c2)
		v := YMM()
		VINSERTF128(U8(1), hi, lo.AsY(), v)
		return v
	})
}

// quad returns the values of four windows whose cells stand off bytes on.
func quad(cur, prev [4]Mem, off int, c64, c1, c2 reg.VecVirtual) reg.VecVirtual {
	var m [4]reg.VecVirtual
	u := YMM()
	for i := range m {
		c, p := cur[i].Offset(off), prev[i].Offset(off)
		m[i] = YMM()
		VMOVUPD(c, m[i])
		VMOVUPD(c.Offset(8), u)
		VADDPD(p, m[i], m[i])
		VADDPD(p.Offset(8), u, u)
		VADDPD(u, m[i], m[i])
	}
	s1, s2, ss, s12 := m[0], m[1], m[2], m[3]
	prod := YMM()
	VMULPD(s1, s2, prod)
	VMULPD(s1, s1, s1)
	VFMADD231PD(s2, s2, s1) // s1² + s2²
	VFMSUB132PD(c64, prod, s12)
	VFMSUB132PD(c64, s1, ss)
	for _, r := range []reg.VecVirtual{prod, s12} {
		VADDPD(r, r, r)
	}
	VADDPD(c1, prod, prod)
	VADDPD(c2, s12, s12)
	VADDPD(c1, s1, s1)
	VADDPD(c2, ss, ss)
	var f [4]reg.VecVirtual
	for i, r := range []reg.VecVirtual{prod, s12, s1, ss} {
		f[i] = XMM()
		VCVTPD2PSY(r, f[i])
	}
	VMULPS(f[1], f[0], f[0])
	VMULPS(f[3], f[2], f[2])
	VDIVPS(f[2], f[0], f[0])
	return f[0]
}
