package metrics

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
)

// newPicture is a picture whose rows are padded by pad bytes, with every sample
// from at.
func newPicture(f Format, w, h, pad int, at func(plane, x, y int) int) Picture {
	p := Picture{Format: f}
	bps := f.BytesPerSample()
	for i := range f.Planes {
		pw, ph := f.PlaneSize(i, w, h)
		pl := Plane{Stride: pw*bps + pad, Width: pw, Height: ph}
		pl.Pix = make([]byte, pl.Stride*ph)
		for y := range ph {
			row := pl.Pix[y*pl.Stride:]
			for x := range pw {
				v := min(max(at(i, x, y), 0), f.Max())
				if bps == 1 {
					row[x] = byte(v)
				} else {
					binary.LittleEndian.PutUint16(row[2*x:], uint16(v))
				}
			}
		}
		p.Planes[i] = pl
	}
	return p
}

// scene is a picture with gradients, edges, flat parts and fine texture, which
// frame number n moves on. Its values stand for depth 8.
func scene(n int) func(plane, x, y int) float64 {
	return func(plane, x, y int) float64 {
		x += 3 * n
		switch fx, fy := float64(x), float64(y); (x/24 + y/16 + plane) % 4 {
		case 0:
			return 128 + 60*math.Sin(fx/5+fy/17) + 40*math.Cos(fx*fy/211)
		case 1:
			return float64(16 + (x*7+y*3)%220)
		case 2:
			return float64(40 + 150*(x/9%2))
		}
		return float64(235 - 30*plane)
	}
}

// sceneAt gives scene n in the depth of f.
func sceneAt(f Format, n int) func(plane, x, y int) int {
	s := scene(n)
	return func(plane, x, y int) int { return int(s(plane, x, y) * float64(int(1)<<(f.Depth-8))) }
}

// damaged is scene n with noise of the given strength (of depth 8), half of it
// below the least difference of 8 bits where samples are deeper.
func damaged(f Format, n, noise int) func(plane, x, y int) int {
	rng := rand.New(rand.NewPCG(uint64(n), uint64(noise)))
	at := sceneAt(f, n)
	span := noise << (f.Depth - 8)
	return func(plane, x, y int) int { return at(plane, x, y) + rng.IntN(2*span+1) - span }
}

// raw is the picture as rawvideo: its planes without padding.
func (p Picture) raw() (b []byte) {
	for _, pl := range p.Planes[:p.Format.Planes] {
		n := pl.Width * p.Format.BytesPerSample()
		for y := range pl.Height {
			b = append(b, pl.Pix[y*pl.Stride:][:n]...)
		}
	}
	return b
}
