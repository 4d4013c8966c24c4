package report

import (
	"bytes"
	"cmp"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"slices"

	xdraw "golang.org/x/image/draw"

	"github.com/vqeval/vqeval/metrics"
)

// FrameView is one frame for the viewer of the page, in pictures that a browser
// reads (JPEG or PNG). NewFrameView makes it.
type FrameView struct {
	Frame         int
	Width, Height int // of the pictures
	Gain          int // amplification of the difference maps
	Reference     []byte
	Shots         []Shot
}

// Shot is one transport's picture of a frame with its two maps. Transport is
// the name of its curve.
type Shot struct {
	Transport                 string
	Picture, Difference, SSIM []byte
}

// ViewOptions say how large the pictures of a FrameView are. The zero value is
// JPEG at 960 pixels width, some 100 kB a picture.
type ViewOptions struct {
	Width    int  // 0 = 960; a picture is never enlarged
	Quality  int  // of the JPEG, 1..100; 0 = 82
	Lossless bool // PNG instead
	Gain     int  // amplification of the difference map; 0 = 4
	Matrix   Matrix
}

// NewFrameView converts, shrinks and compresses one frame of all transports.
// The pictures are read during the call only.
func NewFrameView(frame int, ref metrics.Picture, panels []Panel, o ViewOptions) (FrameView, error) {
	if o.Gain <= 0 {
		o.Gain = 4
	}
	img, err := Image(ref, o.Matrix)
	if err != nil {
		return FrameView{}, fmt.Errorf("frame %d: reference: %w", frame, err)
	}
	small := o.fit(img)
	v := FrameView{Frame: frame, Width: small.Bounds().Dx(), Height: small.Bounds().Dy(), Gain: o.Gain}
	if v.Reference, err = o.encode(small); err != nil {
		return FrameView{}, fmt.Errorf("frame %d: reference: %w", frame, err)
	}
	for _, p := range panels {
		s, err := o.shot(ref, p)
		if err != nil {
			return FrameView{}, fmt.Errorf("frame %d: %s: %w", frame, p.Name, err)
		}
		v.Shots = append(v.Shots, s)
	}
	return v, nil
}

func (o ViewOptions) shot(ref metrics.Picture, p Panel) (Shot, error) {
	s := Shot{Transport: p.Name}
	img, err := Image(p.Picture, o.Matrix)
	if err != nil {
		return s, err
	}
	diff, err := Diff(ref, p.Picture, o.Gain)
	if err != nil {
		return s, err
	}
	local, err := SSIMMap(ref, p.Picture)
	if err != nil {
		return s, err
	}
	for _, x := range []struct {
		to  *[]byte
		img image.Image
	}{{&s.Picture, o.fit(img)}, {&s.Difference, o.fit(diff.Image)}, {&s.SSIM, local}} {
		if *x.to, err = o.encode(x.img); err != nil {
			return s, err
		}
	}
	return s, nil
}

// fit shrinks a picture to the width.
func (o ViewOptions) fit(img image.Image) image.Image {
	width, b := o.Width, img.Bounds()
	if width <= 0 {
		width = 960
	}
	if b.Dx() <= width {
		return img
	}
	out := image.NewRGBA(image.Rect(0, 0, width, max(1, (b.Dy()*width+b.Dx()/2)/b.Dx())))
	xdraw.CatmullRom.Scale(out, out.Rect, img, b, xdraw.Src, nil)
	return out
}

func (o ViewOptions) encode(img image.Image) ([]byte, error) {
	var b bytes.Buffer
	if o.Lossless {
		err := png.Encode(&b, img)
		return b.Bytes(), err
	}
	q := o.Quality
	if q <= 0 {
		q = 82
	}
	err := jpeg.Encode(&b, img, &jpeg.Options{Quality: q})
	return b.Bytes(), err
}

// PickFrames chooses up to n frames worth embedding: first, then the worst ones
// of the curves by turns, each from another stretch of damage (at least 12
// frames from any other). They come in ascending order.
func PickFrames(curves []Curve, first, n int) []int {
	picked := []int{first}
	far := func(f int) bool {
		return !slices.ContainsFunc(picked, func(g int) bool { return max(f-g, g-f) < 12 })
	}
	queues := make([][]metrics.Row, len(curves))
	for i, c := range curves {
		queues[i] = slices.DeleteFunc(slices.Clone(c.Rows), func(r metrics.Row) bool { return r.Score.Identical })
		slices.SortStableFunc(queues[i], func(a, b metrics.Row) int { return cmp.Compare(a.Score.PSNR[0], b.Score.PSNR[0]) })
	}
	for left := true; left && len(picked) < n; {
		left = false
		for i := range queues {
			for len(queues[i]) > 0 && !far(queues[i][0].Frame) {
				queues[i] = queues[i][1:]
			}
			if len(queues[i]) > 0 && len(picked) < n {
				picked, left = append(picked, queues[i][0].Frame), true
			}
		}
	}
	slices.Sort(picked)
	return picked
}
