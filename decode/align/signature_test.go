package align

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/vqeval/vqeval/metrics"
)

func TestSignSizes(t *testing.T) {
	for _, size := range [][2]int{{0, 0}, {1, 1}, {8, 8}, {31, 17}, {33, 50}, {96, 54}, {1921, 1081}} {
		w, h := size[0], size[1]
		a, b := make([]byte, w*h), make([]byte, (w+7)*h)
		for y := range h {
			for x := range w {
				a[y*w+x] = byte(x*7 + y*13)
				b[y*(w+7)+x] = a[y*w+x]
			}
		}
		sa := Sign(metrics.Plane{Pix: a, Stride: w, Width: w, Height: h}, 8)
		sb := Sign(metrics.Plane{Pix: b, Stride: w + 7, Width: w, Height: h}, 8)
		if sa != sb {
			t.Errorf("%dx%d: the stride changes the signature", w, h)
		}
		if w*h == 0 {
			continue
		}
		a[w*h-1] ^= 1
		if sa == Sign(metrics.Plane{Pix: a, Stride: w, Width: w, Height: h}, 8) {
			t.Errorf("%dx%d: one sample changes and the signature does not", w, h)
		}
	}
}

// TestSignMeans checks block means by arithmetic: the block in column c and row r
// of a plane whose samples are all c+10r has that mean.
func TestSignMeans(t *testing.T) {
	const size = 5
	pix := make([]byte, blocksX*size*blocksY*size)
	deep := make([]byte, 2*len(pix))
	for i := range pix {
		x, y := i%(blocksX*size), i/(blocksX*size)
		pix[i] = byte(x/size + 10*(y/size))
		binary.LittleEndian.PutUint16(deep[2*i:], uint16(pix[i])<<2)
	}
	plane := metrics.Plane{Pix: pix, Stride: blocksX * size, Width: blocksX * size, Height: blocksY * size}
	s := Sign(plane, 8)
	for i, m := range s.means {
		if want := uint16(i%blocksX+10*(i/blocksX)) * 256; m != want {
			t.Fatalf("block %d: got mean %d, want %d", i, m, want)
		}
	}
	plane.Pix, plane.Stride = deep, 2*plane.Stride
	if d := Sign(plane, 10); d.means != s.means {
		t.Error("the same picture with 10 bits has other means")
	}
}

func TestSums(t *testing.T) {
	for _, n := range []int{0, 1, 2, 6, 7, 8, 9, 10, 14, 15, 16, 17, 60, 511, 512, 513, 2048} {
		for _, b := range [][]byte{slices.Repeat([]byte{255}, n), numbered(n)} {
			var bytes, pairs uint32
			for i, v := range b {
				bytes += uint32(v)
				if i%2 == 1 {
					pairs += uint32(binary.LittleEndian.Uint16(b[i-1:]))
				}
			}
			if got := sumBytes(b); got != bytes {
				t.Errorf("%d bytes: got %d, want %d", n, got, bytes)
			}
			if got := sumPairs(b); got != pairs {
				t.Errorf("%d bytes in pairs: got %d, want %d", n, got, pairs)
			}
		}
	}
}

// numbered returns n bytes of which no two neighbours are alike.
func numbered(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i*37 + 1)
	}
	return b
}

func TestDistance(t *testing.T) {
	m := newMeter()
	a, b := sign(flat(100)), sign(flat(101))
	if d := m.distance(&a, &a); d != 0 {
		t.Errorf("equal frames: got %v, want 0", d)
	}
	// log2(1 + 1/.5) = 1.58496
	if d := m.distance(&a, &b); d < 1.5849 || d > 1.5853 {
		t.Errorf("frames one code value apart: got %v, want 1.585", d)
	}
	if m.distance(&a, &b) != m.distance(&b, &a) {
		t.Error("distance is not symmetric")
	}
	c := sign(slices.Concat(flat(100)[:3*width], []byte{99, 101}, flat(100)[3*width+2:]))
	if d := m.distance(&a, &c); d <= 0 {
		t.Error("frames that differ only inside a block have distance 0")
	}
}

func TestMethodText(t *testing.T) {
	for m := Auto; m <= Coded; m++ {
		text, err := m.MarshalText()
		var back Method
		if err != nil || back.UnmarshalText(text) != nil || back != m || m.String() != string(text) {
			t.Errorf("%v: got %q, %v, %v", m, text, back, err)
		}
	}
	if _, err := Method(99).MarshalText(); err == nil {
		t.Error("method 99: got no error")
	}
	if err := new(Method).UnmarshalText([]byte("guess")); err == nil {
		t.Error("guess: got no error")
	}
}

func BenchmarkDistance(b *testing.B) {
	m, s, u := newMeter(), sign(picture(0)), sign(picture(9))
	for b.Loop() {
		m.distance(&s, &u)
	}
}

func BenchmarkSign(b *testing.B) {
	p := metrics.Plane{Pix: make([]byte, 1920*1080), Stride: 1920, Width: 1920, Height: 1080}
	b.SetBytes(int64(len(p.Pix)))
	for b.Loop() {
		Sign(p, 8)
	}
}
