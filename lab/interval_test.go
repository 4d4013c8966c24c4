package lab

import (
	"math"
	"testing"
)

func TestIntervalOfKnownNumbers(t *testing.T) {
	tests := []struct {
		name         string
		values       []float64
		mean, median float64
		unclear      bool
	}{
		{"one seed says nothing about noise", []float64{3}, 3, 3, true},
		{"equal", []float64{2, 2, 2}, 2, 2, false},
		{"around zero", []float64{-1, 1, -2, 2}, 0, 0, true},
		{"far from zero", []float64{9, 10, 11, 10}, 10, 10, false},
		{"NaN is left out", []float64{math.NaN(), 4, 6}, 5, 5, false},
		{"nothing", nil, 0, 0, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := NewInterval(tt.values)
			if got.Mean != tt.mean || got.Median != tt.median || got.Unclear() != tt.unclear {
				t.Errorf("got %+v, unclear %v; want mean %v, median %v, unclear %v", got, got.Unclear(), tt.mean, tt.median, tt.unclear)
			}
			if got.N > 0 && (got.Low > got.Mean || got.High < got.Mean) {
				t.Errorf("the interval %v..%v does not hold the mean %v", got.Low, got.High, got.Mean)
			}
			if again := NewInterval(tt.values); again != got {
				t.Errorf("a second time it is %+v, was %+v", again, got)
			}
		})
	}
}

// For normal values the bootstrap's interval is close to mean ± 1.96 s/√n.
func TestIntervalWidth(t *testing.T) {
	var v []float64
	for i := range 100 {
		v = append(v, math.Sin(float64(i)*12.9898)*3)
	}
	var ss float64
	m := mean(v)
	for _, x := range v {
		ss += (x - m) * (x - m)
	}
	want := 2 * 1.96 * math.Sqrt(ss/100) / 10
	got := NewInterval(v)
	if w := got.High - got.Low; math.Abs(w-want) > .15*want {
		t.Errorf("width %v, want about %v", w, want)
	}
}

func TestQuantile(t *testing.T) {
	v := []float64{4, 1, 3, 2}
	for _, tt := range []struct{ q, want float64 }{{0, 1}, {.5, 2.5}, {1, 4}, {1. / 3, 2}} {
		if got := quantile(v, tt.q); math.Abs(got-tt.want) > 1e-12 {
			t.Errorf("quantile %v = %v, want %v", tt.q, got, tt.want)
		}
	}
}
