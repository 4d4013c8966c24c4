package metrics

import (
	"fmt"

	"github.com/vqeval/vqeval/metrics/internal/kernel"
)

// MinSize is the least width and height in samples of a picture to measure.
const MinSize = 8

// Scorer measures pairs of pictures of one format and size. It owns all memory
// that measuring needs; it is for one goroutine, and several may run at once.
type Scorer struct {
	format Format
	width  int
	height int
	opts   Options
	planes int
	areas  [3]int
	meters [3]meter
	scales *kernel.MultiScale // nil unless MS-SSIM is measured
}

// meter measures planes of one size: the mean SSIM and the sum of squared errors.
type meter interface {
	measure(a, b Plane) (ssim float64, sse uint64)
}

// NewScorer returns a scorer for pictures of width x height samples.
func NewScorer(f Format, width, height int, o Options) (*Scorer, error) {
	return newScorer(f, width, height, o, kernel.Config{Depth: f.Depth})
}

func newScorer(f Format, width, height int, o Options, c kernel.Config) (*Scorer, error) {
	if err := f.Check(); err != nil {
		return nil, err
	}
	if width < MinSize || height < MinSize || width > kernel.MaxWidth {
		return nil, fmt.Errorf("picture of %dx%d: a side is below %d or the width above %d", width, height, MinSize, kernel.MaxWidth)
	}
	s := &Scorer{format: f, width: width, height: height, opts: o, planes: f.Planes}
	if o.LumaOnly {
		s.planes = 1
	}
	for i := range s.planes {
		w, h := f.PlaneSize(i, width, height)
		s.areas[i] = w * h
		m, err := newMeter(o.SSIM, w, h, c)
		if err != nil {
			return nil, err
		}
		s.meters[i] = m
	}
	if o.MSSSIM {
		if min(width, height) < kernel.MinMultiScale {
			return nil, fmt.Errorf("picture of %dx%d: MS-SSIM needs at least %d samples a side", width, height, kernel.MinMultiScale)
		}
		s.scales = kernel.NewMultiScale(width, height, c)
	}
	return s, nil
}

// Check reports a picture that Score would refuse: one of another size, depth
// or subsampling, or with planes too short for it.
func (s *Scorer) Check(p Picture) error {
	if d := p.Format.Depth; d != s.format.Depth {
		return fmt.Errorf("depth is %d bits, want %d", d, s.format.Depth)
	}
	if p.Format.Planes < s.planes {
		return fmt.Errorf("%d planes, want %d", p.Format.Planes, s.planes)
	}
	for i := range s.planes {
		w, h := s.format.PlaneSize(i, s.width, s.height)
		if err := p.Planes[i].check(w, h, s.format.BytesPerSample()); err != nil {
			return fmt.Errorf("plane %c: %w", "YUV"[i], err)
		}
	}
	return nil
}

// Score measures got against ref. Both must pass Check, or it panics. It does
// not allocate, and neither picture is changed or kept.
func (s *Scorer) Score(ref, got Picture) Score {
	for _, p := range [...]*Picture{&ref, &got} {
		if err := s.Check(*p); err != nil {
			panic("metrics: " + err.Error())
		}
	}
	sc := Score{Planes: s.planes}
	for i := range s.planes {
		sc.SSIM[i], sc.SSE[i] = s.meters[i].measure(ref.Planes[i], got.Planes[i])
	}
	if s.scales != nil {
		a, b := ref.Planes[0], got.Planes[0]
		sc.MSSSIM = s.scales.Measure(a.Pix, a.Stride, b.Pix, b.Stride)
	}
	sc.finish(s.areas, s.format.Max())
	return sc
}
