package report

import (
	"bytes"
	"math"
	"strings"
	"testing"
)

// losses is what a sweep over random loss gives: quality and goodput of four
// transports, with an interval that widens.
func losses() SweepChart {
	at := []float64{.1, .5, 1, 2, 5}
	panel := func(label string, top, scale float64, zero bool) SweepPanel {
		p := SweepPanel{Label: label, Top: top, Zero: zero}
		for i, name := range []string{"UDP", "QUIC", "QUIC-DGRAM", "rQUIC"} {
			c := SweepCurve{Name: name}
			for _, x := range at {
				v := scale * (1 - .1*float64(i%3)*math.Log10(1+10*x)/1.7)
				c.Points = append(c.Points, SweepPoint{At: x, Mean: v, Low: v - .02*scale*math.Sqrt(x), High: min(top, v+.015*scale*math.Sqrt(x))})
			}
			p.Curves = append(p.Curves, c)
		}
		return p
	}
	return SweepChart{Title: "fullhd over 20mbit, played out after 400 ms", Axis: "Random loss, %",
		Panels: []SweepPanel{panel("SSIM", 1, .99, false), panel("PSNR, dB", 100, 95, false), panel("Goodput, Mbit/s", 8, 6, true)}}
}

func TestSweepGolden(t *testing.T) {
	drawn(t)
	var b bytes.Buffer
	if err := SweepPlot(&b, losses(), PNG); err != nil {
		t.Fatal(err)
	}
	golden(t, "sweep", b.Bytes())
}

func TestSweepEmpty(t *testing.T) {
	err := SweepPlot(&bytes.Buffer{}, SweepChart{Panels: []SweepPanel{{Label: "SSIM"}}}, PNG)
	if err == nil || !strings.Contains(err.Error(), "no points") {
		t.Errorf("got %v, want an error about points", err)
	}
}

// Values within a decade keep their distances; beyond it their ratios; a zero
// stands to the left of all.
func TestSweepScale(t *testing.T) {
	for _, c := range []struct {
		all  []float64
		want []float64 // places
	}{
		{[]float64{1, 2, 5}, []float64{1, 2, 5}},
		{[]float64{0, 1, 2}, []float64{0, 1, 2}},
		{[]float64{.1, 1, 10}, []float64{-1, 0, 1}},
		{[]float64{0, .1, 1, 10}, []float64{-1.3, -1, 0, 1}},
		{[]float64{7}, []float64{7}},
		{[]float64{0}, []float64{0}},
	} {
		place := sweepScale(c.all)
		for i, v := range c.all {
			if got := place(v); math.Abs(got-c.want[i]) > 1e-9 {
				t.Errorf("%v: %g lies at %g, want %g", c.all, v, got, c.want[i])
			}
		}
	}
}

// All values of a panel lie inside its axis, also when they are all equal.
func TestSweepPanelAxis(t *testing.T) {
	for _, c := range []struct {
		panel  SweepPanel
		values []float64
		lo, hi float64 // bounds of the axis
	}{
		{SweepPanel{Top: 1}, []float64{1, 1}, .9, 1},
		{SweepPanel{Top: 1}, []float64{.62, .97}, .6, 1},
		{SweepPanel{Zero: true}, []float64{3.2, 7.9}, 0, 8},
		{SweepPanel{}, []float64{0, 0}, -1, 1},
	} {
		k := SweepCurve{Name: "UDP"}
		for i, v := range c.values {
			k.Points = append(k.Points, SweepPoint{At: float64(i), Mean: v})
		}
		c.panel.Curves = []SweepCurve{k}
		a := c.panel.axis()
		if a.lo < c.lo-1e-9 || a.hi > c.hi+1e-9 || len(a.ticks) < 2 {
			t.Errorf("%v: axis %g..%g with %d ticks, want inside %g..%g", c.values, a.lo, a.hi, len(a.ticks), c.lo, c.hi)
		}
		for _, v := range c.values {
			if v < a.lo-1e-9 || v > a.hi+1e-9 {
				t.Errorf("%v: %g lies outside the axis %g..%g", c.values, v, a.lo, a.hi)
			}
		}
	}
}
