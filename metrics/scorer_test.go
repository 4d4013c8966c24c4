package metrics

import (
	"fmt"
	"math"
	"testing"

	"github.com/vqeval/vqeval/metrics/internal/kernel"
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

// every calls f for each dialect and each format, in sizes that are odd or
// less than a window.
func every(t *testing.T, f func(t *testing.T, o Options, format Format, w, h int)) {
	for _, c := range []struct {
		format Format
		w, h   int
	}{
		{Format{Depth: 8, Planes: 3, ChromaShiftX: 1, ChromaShiftY: 1}, 150, 61},
		{Format{Depth: 8, Planes: 3, ChromaShiftX: 1, ChromaShiftY: 1}, 8, 8},
		{Format{Depth: 8, Planes: 3, ChromaShiftX: 2, ChromaShiftY: 2}, 9, 17},
		{Format{Depth: 8, Planes: 3, ChromaShiftX: 1}, 33, 11},
		{Format{Depth: 8, Planes: 1}, 11, 12},
		{Format{Depth: 10, Planes: 3, ChromaShiftX: 1, ChromaShiftY: 1}, 71, 35},
		{Format{Depth: 16, Planes: 3}, 31, 20},
	} {
		for d := range dialects {
			o := Options{SSIM: Dialect(d)}
			t.Run(fmt.Sprintf("%s/%dx%d/depth%d", o.SSIM, c.w, c.h, c.format.Depth), func(t *testing.T) { f(t, o, c.format, c.w, c.h) })
		}
	}
}

func mustScorer(t *testing.T, f Format, w, h int, o Options) *Scorer {
	t.Helper()
	s, err := NewScorer(f, w, h, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Identical pictures read 0, 100 dB and exactly 1; noise makes every metric
// worse, more noise more so; swapping the pictures changes nothing but the last
// digits; padding changes nothing at all.
func TestProperties(t *testing.T) {
	every(t, func(t *testing.T, o Options, f Format, w, h int) {
		s := mustScorer(t, f, w, h, o)
		ref := newPicture(f, w, h, 0, sceneAt(f, 0))
		same := s.Score(ref, newPicture(f, w, h, 6, sceneAt(f, 0)))
		for i := range f.Planes {
			if same.MSE[i] != 0 || same.PSNR[i] != 100 || same.SSIM[i] != 1 {
				t.Errorf("plane %d of identical pictures: %+v", i, same)
			}
		}
		if !same.Identical || same.PSNRYUV != 100 || same.SSIMYUV != 1 {
			t.Errorf("identical pictures: %+v", same)
		}
		last := same
		for _, noise := range []int{2, 12, 70} {
			got := newPicture(f, w, h, 0, damaged(f, 0, noise))
			sc := s.Score(ref, got)
			if sc.MSEYUV <= last.MSEYUV || sc.PSNRYUV >= last.PSNRYUV || sc.SSIMYUV >= last.SSIMYUV || sc.Identical {
				t.Errorf("noise %d: %+v, with less of it %+v", noise, sc, last)
			}
			if padded := s.Score(newPicture(f, w, h, 14, sceneAt(f, 0)), newPicture(f, w, h, 2, damaged(f, 0, noise))); padded != sc {
				t.Errorf("noise %d: %+v, with padding %+v", noise, sc, padded)
			}
			if swapped := s.Score(got, ref); math.Abs(swapped.SSIMYUV-sc.SSIMYUV) > 1e-7 || swapped.SSE != sc.SSE {
				t.Errorf("noise %d: %+v, swapped %+v", noise, sc, swapped)
			}
			last = sc
		}
	})
}

// The integer dialects give the same bits with and without assembly, the
// Gaussian the same to 4e-6 (a plane below the window: 1e-5).
func TestPortableAgrees(t *testing.T) {
	every(t, func(t *testing.T, o Options, f Format, w, h int) {
		best := mustScorer(t, f, w, h, o)
		plain, err := newScorer(f, w, h, o, kernel.Config{Depth: f.Depth, Portable: true})
		if err != nil {
			t.Fatal(err)
		}
		ref, got := newPicture(f, w, h, 0, sceneAt(f, 1)), newPicture(f, w, h, 0, damaged(f, 1, 30))
		x, y := best.Score(ref, got), plain.Score(ref, got)
		if o.SSIM == FFmpeg || o.SSIM == Fast {
			if x != y {
				t.Errorf("%+v, portable %+v", x, y)
			}
		} else if x.SSE != y.SSE || math.Abs(x.SSIMYUV-y.SSIMYUV) > 1e-5 {
			t.Errorf("%+v, portable %+v", x, y)
		}
	})
}

// Flat pictures have the closed form (2ab+C1)/(a²+b²+C1) in every dialect; the
// FFmpeg one has a C1 of a 64th.
func TestFlatPictures(t *testing.T) {
	for d := range dialects {
		for _, v := range [][2]byte{{100, 110}, {0, 255}, {255, 0}, {16, 235}, {1, 2}, {128, 128}} {
			a, b, c1 := float64(v[0]), float64(v[1]), .01*.01*255*255
			if Dialect(d) == FFmpeg {
				c1 = 416. / 4096
			}
			want := (2*a*b + c1) / (a*a + b*b + c1)
			sc := mustScorer(t, Format{Depth: 8, Planes: 1}, 34, 50, Options{SSIM: Dialect(d)}).Score(flat(34, 50, v[0]), flat(34, 50, v[1]))
			if math.Abs(sc.SSIM[0]-want) > 1e-6 || sc.MSE[0] != (a-b)*(a-b) {
				t.Errorf("%s: %v reads SSIM %.8f, MSE %v; want %.8f", Dialect(d), v, sc.SSIM[0], sc.MSE[0], want)
			}
		}
	}
}

// One row of 1080 that differs by 10: MSE 100/1080, 58.4650 dB.
func TestOneRow(t *testing.T) {
	a, b := flat(1920, 1080, 90), flat(1920, 1080, 90)
	for i := range 1920 {
		b.Planes[0].Pix[1079*1920+i] = 100
	}
	sc := mustScorer(t, Format{Depth: 8, Planes: 1}, 1920, 1080, Options{}).Score(a, b)
	if sc.MSE[0] != 100./1080 || math.Abs(sc.PSNR[0]-58.4650) > 5e-5 {
		t.Errorf("MSE %v, PSNR %v", sc.MSE[0], sc.PSNR[0])
	}
}

// The weights of YUV are the planes' areas: 4/6, 1/6, 1/6 for 4:2:0.
func TestWeights(t *testing.T) {
	f := Format{Depth: 8, Planes: 3, ChromaShiftX: 1, ChromaShiftY: 1}
	s := mustScorer(t, f, 64, 64, Options{})
	grey := newPicture(f, 64, 64, 0, func(int, int, int) int { return 100 })
	off := newPicture(f, 64, 64, 0, func(plane, _, _ int) int { return 100 + 6*plane })
	sc := s.Score(grey, off)
	if sc.MSE != [3]float64{0, 36, 144} || sc.MSEYUV != 30 || math.Abs(sc.SSIMYUV-(4*sc.SSIM[0]+sc.SSIM[1]+sc.SSIM[2])/6) > 1e-15 {
		t.Errorf("score is %+v", sc)
	}
	if luma := mustScorer(t, f, 64, 64, Options{LumaOnly: true}).Score(grey, off); luma.Planes != 1 || !luma.Identical || luma.MSEYUV != 0 {
		t.Errorf("luma alone: %+v", luma)
	}
}

func TestMSSSIM(t *testing.T) {
	f := Format{Depth: 8, Planes: 1}
	s := mustScorer(t, f, 176, 180, Options{MSSSIM: true})
	ref := newPicture(f, 176, 180, 0, sceneAt(f, 0))
	last := 1 + 1e-9
	for _, noise := range []int{0, 5, 30, 100} {
		got := s.Score(ref, newPicture(f, 176, 180, 0, damaged(f, 0, noise))).MSSSIM
		if got >= last || got <= 0 {
			t.Errorf("noise %d reads %v, less of it %v", noise, got, last)
		}
		last = got
	}
}
