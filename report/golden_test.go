package report

import (
	"bytes"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "write the golden pictures anew")

// golden compares a PNG with testdata/name.png. Both are shrunk to a quarter
// first: glyph edges may move by a pixel on another machine, a panel may not.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(got))
	if err != nil {
		t.Fatalf("%s: not a PNG: %v", name, err)
	}
	small := shrink(img, 4)
	path := filepath.Join("testdata", name+".png")
	if dir := os.Getenv("REPORT_PICTURES"); dir != "" { // full size, for a look
		write(t, filepath.Join(dir, name+".png"), got)
	}
	if *update {
		var b bytes.Buffer
		if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, small); err != nil {
			t.Fatal(err)
		}
		write(t, path, b.Bytes())
		return
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (run with -update to make it)", err)
	}
	want, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	if msg := differs(small, want); msg != "" {
		t.Errorf("%s: %s (look at the new picture with REPORT_PICTURES=DIR, accept it with -update)", name, msg)
	}
}

func write(t *testing.T, path string, b []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b, 0o666); err != nil {
		t.Fatal(err)
	}
}

// differs says how two pictures differ beyond the tolerance: the same size, and
// at most one pixel in 2000 off by more than 40 of 255 in some channel.
func differs(got, want image.Image) string {
	if got.Bounds() != want.Bounds() {
		return "size " + got.Bounds().Size().String() + ", want " + want.Bounds().Size().String()
	}
	b, far := got.Bounds(), 0
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			if distance(got.At(x, y), want.At(x, y)) > 40 {
				far++
			}
		}
	}
	if share := float64(far) / float64(b.Dx()*b.Dy()); share > 1./2000 {
		return fmt.Sprintf("%.2f %% of the pixels differ", share*100)
	}
	return ""
}

func distance(a, b color.Color) float64 {
	r, g, bl, _ := a.RGBA()
	r2, g2, b2, _ := b.RGBA()
	d := func(x, y uint32) float64 { return math.Abs(float64(x)-float64(y)) / 257 }
	return max(d(r, r2), d(g, g2), d(bl, b2))
}

// shrink averages blocks of n x n pixels.
func shrink(src image.Image, n int) *image.RGBA {
	b := src.Bounds()
	out := image.NewRGBA(image.Rect(0, 0, (b.Dx()+n-1)/n, (b.Dy()+n-1)/n))
	for y := range out.Rect.Dy() {
		for x := range out.Rect.Dx() {
			var sum [3]uint32
			count := uint32(0)
			for v := y * n; v < min(y*n+n, b.Dy()); v++ {
				for u := x * n; u < min(x*n+n, b.Dx()); u++ {
					r, g, bl, _ := src.At(b.Min.X+u, b.Min.Y+v).RGBA()
					sum[0], sum[1], sum[2] = sum[0]+r>>8, sum[1]+g>>8, sum[2]+bl>>8
					count++
				}
			}
			out.SetRGBA(x, y, color.RGBA{R: uint8(sum[0] / count), G: uint8(sum[1] / count), B: uint8(sum[2] / count), A: 0xff})
		}
	}
	return out
}
