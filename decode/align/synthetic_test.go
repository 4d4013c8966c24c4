package align

import (
	"math"
	"slices"

	"github.com/vqeval/vqeval/metrics"
)

const (
	width  = 96
	height = 54
)

// picture returns frame n of a texture that moves by 1.5 samples a frame.
func picture(n int) []byte {
	pix := make([]byte, width*height)
	for y := range height {
		for x := range width {
			u, v := float64(x)+1.5*float64(n), float64(y)+.7*float64(n)
			value := 128 + 60*math.Sin(u/5+math.Sin(v/7)) + 50*math.Sin(v/4-u/11)
			pix[y*width+x] = byte(value)
		}
	}
	return pix
}

func sign(pix []byte) Signature {
	return Sign(metrics.Plane{Pix: pix, Stride: width, Width: width, Height: height}, 8)
}

// moving returns the signatures of n frames that all differ.
func moving(n int) []Signature {
	s := make([]Signature, n)
	for i := range s {
		s[i] = sign(picture(i))
	}
	return s
}

// dot returns the signatures of n frames that differ in one sample, which moves.
func dot(n int) []Signature {
	s, still := make([]Signature, n), picture(0)
	for i := range s {
		pix := slices.Clone(still)
		pix[20*width+2*i] ^= 64
		s[i] = sign(pix)
	}
	return s
}

// flat returns a picture of one value.
func flat(value byte) []byte {
	pix := make([]byte, width*height)
	for i := range pix {
		pix[i] = value
	}
	return pix
}

// timed makes a clip of 25 frames/s.
func timed(sigs []Signature) Clip {
	c := Clip{Sigs: sigs, HasPTS: true, PTS: make([]int64, len(sigs))}
	for i := range c.PTS {
		c.PTS[i] = int64(i) * ticks25
	}
	return c
}

// choose takes the given frames of a clip; their times are closed up unless keep.
func choose(c Clip, frames []int, keep bool) Clip {
	var sigs []Signature
	var pts []int64
	for _, i := range frames {
		sigs = append(sigs, c.Sigs[i])
		pts = append(pts, c.PTS[i]-c.PTS[frames[0]])
	}
	out := timed(sigs)
	if keep {
		out.PTS = pts
	}
	return out
}

// pairs returns the pairs that a clip made of the given frames must get: of
// repeated ones the first counts.
func pairs(n int, frames []int) []int {
	want := make([]int, n)
	for i := range want {
		want[i] = -1
	}
	for j, i := range frames {
		if want[i] < 0 {
			want[i] = j
		}
	}
	return want
}
