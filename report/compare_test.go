package report

import (
	"bytes"
	"image/png"
	"strings"
	"testing"

	"github.com/vqeval/vqeval/metrics"
)

// panels returns n transports' pictures of a frame: QUIC whole, the others
// broken from ever lower down.
func panels(ref metrics.Picture, n int) []Panel {
	names := []string{"UDP", "QUIC", "rQUIC", "TCP", "TLS"}
	from := []float64{.35, 1, .7, 1, 1}
	var out []Panel
	for i := range n {
		p := Panel{Name: names[i], Picture: ref}
		if from[i] < 1 {
			p.Picture, p.Verdict = broken(ref, from[i]), metrics.Damaged
		}
		p.Score = score(ref, p.Picture)
		out = append(out, p)
	}
	return out
}

func TestCompareGolden(t *testing.T) {
	drawn(t)
	hd, small := scene(yuv420(), 768, 432, 0), scene(yuv420(), 320, 180, 0)
	frozen := panels(hd, 2)
	frozen[0].Picture = scene(yuv420(), 768, 432, -.03)
	frozen[0].Score, frozen[0].Verdict, frozen[0].Note = score(hd, frozen[0].Picture), metrics.Frozen, "shows frame 30 again"
	for _, c := range []struct {
		name   string
		ref    metrics.Picture
		panels []Panel
		o      CompareOptions
	}{
		{"compare-two", hd, panels(hd, 2), CompareOptions{Frame: 36, CellWidth: 480}},
		{"compare-frozen", hd, frozen, CompareOptions{Frame: 36, CellWidth: 480, NoMaps: true, Title: "Frame 36, playout deadline 200 ms"}},
		{"compare-five", small, panels(small, 5), CompareOptions{Frame: 36, CellWidth: 320}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var b bytes.Buffer
			if err := Compare(&b, c.ref, c.panels, c.o); err != nil {
				t.Fatal(err)
			}
			golden(t, c.name, b.Bytes())
		})
	}
}

// At full size the pictures are in the PNG pixel by pixel.
func TestCompareLossless(t *testing.T) {
	ref := scene(yuv420(), 96, 64, 0)
	var b bytes.Buffer
	if err := Compare(&b, ref, panels(ref, 1), CompareOptions{FullSize: true}); err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	want, err := Image(ref, MatrixAuto)
	if err != nil {
		t.Fatal(err)
	}
	at := newBoard(96, 64, 1, CompareOptions{FullSize: true}).at(0, 0)
	for y := range 64 {
		for x := range 96 {
			if distance(img.At(at.Min.X+x, at.Min.Y+y), want.At(x, y)) != 0 {
				t.Fatalf("pixel %d,%d is %v, want %v", x, y, img.At(at.Min.X+x, at.Min.Y+y), want.At(x, y))
			}
		}
	}
}

func TestCompareErrors(t *testing.T) {
	ref := scene(yuv420(), 64, 48, 0)
	other := scene(yuv420(), 64, 40, 0)
	short := ref
	short.Planes[2].Pix = short.Planes[2].Pix[:10]
	for _, c := range []struct {
		name   string
		ref    metrics.Picture
		panels []Panel
		want   string
	}{
		{"no panels", ref, nil, "no panels"},
		{"empty reference", metrics.Picture{}, []Panel{{Picture: ref}}, "reference"},
		{"other size", ref, []Panel{{Name: "UDP", Picture: other}}, "UDP: picture is 64x40, the reference 64x48"},
		{"short plane", ref, []Panel{{Name: "UDP", Picture: short}}, "UDP: plane 2 is too short"},
	} {
		err := Compare(&bytes.Buffer{}, c.ref, c.panels, CompareOptions{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got error %v, want one that says %q", c.name, err, c.want)
		}
	}
}
