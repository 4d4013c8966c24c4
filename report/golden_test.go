package report

import (
	"bytes"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "write the golden pictures anew")

// drawn skips a test of whole pictures under the race detector: one goroutine
// draws them, and they would take twenty times as long.
func drawn(t *testing.T) {
	t.Helper()
	if raceDetector {
		t.Skip("pictures are compared without the race detector")
	}
}

// golden compares a PNG with testdata/name.png. Both are shrunk to a quarter
// first: glyph edges may move by a pixel on another machine, a panel may not.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(got))
	if err != nil {
		t.Fatalf("%s: not a PNG: %v", name, err)
	}
	small := shrink(rgba(img), 4)
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
	if msg := differs(small, rgba(want)); msg != "" {
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
func differs(got, want *image.RGBA) string {
	if got.Rect != want.Rect {
		return "size " + got.Rect.Size().String() + ", want " + want.Rect.Size().String()
	}
	far := 0
	for i := 0; i < len(got.Pix); i += 4 {
		for k := range 3 {
			if d := int(got.Pix[i+k]) - int(want.Pix[i+k]); d > 40 || d < -40 {
				far++
				break
			}
		}
	}
	if share := 4 * float64(far) / float64(len(got.Pix)); share > 1./2000 {
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

// rgba copies any picture into the plain layout.
func rgba(src image.Image) *image.RGBA {
	out := image.NewRGBA(image.Rectangle{Max: src.Bounds().Size()})
	draw.Draw(out, out.Rect, src, src.Bounds().Min, draw.Src)
	return out
}

// shrink averages blocks of n x n pixels.
func shrink(src *image.RGBA, n int) *image.RGBA {
	w, h := src.Rect.Dx()/n, src.Rect.Dy()/n
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			var sum [4]int
			for v := range n {
				for u, p := range src.Pix[(y*n+v)*src.Stride+4*x*n:][:4*n] {
					sum[u%4] += int(p)
				}
			}
			for k, v := range sum {
				out.Pix[y*out.Stride+4*x+k] = uint8((v + n*n/2) / (n * n))
			}
		}
	}
	return out
}

// The comparison would notice a broken layout: a panel moved by a few pixels,
// a legend that is missing, another colour of a curve.
func TestGoldenNotices(t *testing.T) {
	drawn(t)
	draw := func(title string, curves ...Curve) *image.RGBA {
		var b bytes.Buffer
		if err := Figure(&b, curves, FigureOptions{Title: title, Frame: 36, Metrics: []Metric{PSNR}}); err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(&b)
		if err != nil {
			t.Fatal(err)
		}
		return shrink(rgba(img), 4)
	}
	udp, quic := run("UDP", 100, .05, 7), run("QUIC", 100, 0, 8)
	want := draw("Title", udp, quic)
	if msg := differs(draw("Title", udp, quic), want); msg != "" {
		t.Errorf("the same figure: %s", msg)
	}
	green := Curve{Name: "rQUIC", Rows: udp.Rows}
	for name, got := range map[string]*image.RGBA{
		"no title": draw("", udp, quic), "other curve": draw("Title", run("UDP", 100, .05, 9), quic), "other colour": draw("Title", green, quic),
	} {
		if differs(got, want) == "" {
			t.Errorf("%s went unnoticed", name)
		}
	}
}
