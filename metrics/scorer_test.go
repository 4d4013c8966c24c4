package metrics

import (
	"math"
	"testing"
)

// flat is a grey 8-bit picture without chroma.
func flat(w, h int, v byte) Picture {
	p := Picture{Format: Format{Depth: 8, Planes: 1}}
	p.Planes[0] = Plane{Pix: make([]byte, w*h), Stride: w, Width: w, Height: h}
	for i := range p.Planes[0].Pix {
		p.Planes[0].Pix[i] = v
	}
	return p
}

// The vector that VQMT 14.1 publishes: ten flat grey frames, i = 0..9,
// reference 50+10i, captured 50+8i; closed form, within 5e-6.
func TestPublishedVector(t *testing.T) {
	psnr := []float64{100, 42.1102066, 36.08960342, 32.56777954, 30.06900406, 28.13080215, 26.54718018, 25.20824242, 24.04840469, 23.02535248}
	ssim := []float64{1, .99942541, .99827111, .99696863, .99568194, .99447572, .99336535, .99235517, .9914369, .99060369}
	s, err := NewScorer(Format{Depth: 8, Planes: 1}, 64, 48, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range psnr {
		got := s.Score(flat(64, 48, byte(50+10*i)), flat(64, 48, byte(50+8*i)))
		if math.Abs(got.PSNR[0]-psnr[i]) > 5e-6 || math.Abs(got.SSIM[0]-ssim[i]) > 5e-6 {
			t.Errorf("frame %d: PSNR %.8f SSIM %.8f, want %.8f and %.8f", i, got.PSNR[0], got.SSIM[0], psnr[i], ssim[i])
		}
	}
}
