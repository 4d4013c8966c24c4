package report

import (
	"math"

	"github.com/vqeval/vqeval/metrics"
)

// picture makes a picture of a format from functions of the place, 0..1 for
// luma and -.5 .. .5 for chroma, in the range that the format names.
func picture(f metrics.Format, w, h int, y, u, v func(x, y float64) float64) metrics.Picture {
	p := metrics.Picture{Format: f}
	step := float64(int(1) << (f.Depth - 8))
	for i, fn := range []func(x, y float64) float64{y, u, v}[:f.Planes] {
		zero, span := 16*step, 219*step
		if i > 0 {
			zero, span = 128*step, 224*step
		}
		if f.FullRange {
			span = float64(f.Max())
			if i == 0 {
				zero = 0
			}
		}
		pw, ph := f.PlaneSize(i, w, h)
		plane := metrics.Plane{Stride: pw*f.BytesPerSample() + 6, Width: pw, Height: ph}
		plane.Pix = make([]byte, plane.Stride*ph)
		for r := range ph {
			for c := range pw {
				code := int(zero + span*fn((float64(c)+.5)/float64(pw), (float64(r)+.5)/float64(ph)) + .5)
				code = max(0, min(f.Max(), code))
				at := r*plane.Stride + c*f.BytesPerSample()
				plane.Pix[at] = byte(code)
				if f.Depth > 8 {
					plane.Pix[at+1] = byte(code >> 8)
				}
			}
		}
		p.Planes[i] = plane
	}
	return p
}

func yuv420() metrics.Format {
	return metrics.Format{Depth: 8, Planes: 3, ChromaShiftX: 1, ChromaShiftY: 1}
}

// scene is a landscape with a sun: smooth areas, an edge and fine texture.
func scene(f metrics.Format, w, h int, shift float64) metrics.Picture {
	sun := func(x, y float64) bool { return math.Hypot((x-.7-shift)*16/9, y-.25) < .12 }
	hill := func(x, y float64) bool { return y > .55+.12*math.Sin(7*x+9*shift) }
	return picture(f, w, h,
		func(x, y float64) float64 {
			switch {
			case sun(x, y):
				return .92
			case hill(x, y):
				return .34 + .1*math.Sin(90*x)*math.Sin(60*y) - .15*(y-.6)
			}
			return .75 - .4*y
		},
		func(x, y float64) float64 {
			switch {
			case sun(x, y):
				return -.4
			case hill(x, y):
				return -.15
			}
			return .22
		},
		func(x, y float64) float64 {
			switch {
			case sun(x, y):
				return .1
			case hill(x, y):
				return -.16
			}
			return -.13
		})
}

// broken is a copy of p whose lower part is lost: blocks of 16x16 samples below
// the given share of the height are shifted from elsewhere, as concealment does.
func broken(p metrics.Picture, from float64) metrics.Picture {
	out := p
	for i := range p.Format.Planes {
		a := p.Planes[i]
		b := a
		b.Pix = append([]byte(nil), a.Pix...)
		bw := max(1, a.Width*16/p.Planes[0].Width)
		for y := int(from * float64(a.Height)); y < a.Height; y++ {
			for x := range a.Width {
				k := (x/bw*7 + y/bw*13) % 11
				sx, sy := (x+k*bw*2)%a.Width, max(0, y-k*bw)
				b.Pix[y*b.Stride+x] = a.Pix[sy*a.Stride+sx]
			}
		}
		out.Planes[i] = b
	}
	return out
}

// score measures a pair as the tool does.
func score(ref, got metrics.Picture) metrics.Score {
	s, err := metrics.NewScorer(ref.Format, ref.Planes[0].Width, ref.Planes[0].Height, metrics.Options{})
	if err != nil {
		panic(err)
	}
	return s.Score(ref, got)
}
