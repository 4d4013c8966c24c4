package lab

import (
	"math"
	"math/rand/v2"
	"slices"
)

// An Interval is what several seeds say about one number: their mean and
// median and a 95 % interval of the mean by the percentile bootstrap (Efron
// and Tibshirani 1993, section 13.3). With one seed Low and High equal Mean.
type Interval struct {
	N      int     `json:"n"`
	Mean   float64 `json:"mean"`
	Median float64 `json:"median"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
}

// resamples is how many bootstrap samples an interval is made of.
const resamples = 2000

// NewInterval returns the interval of values, NaN left out. The same values in
// the same order give the same interval.
func NewInterval(values []float64) Interval {
	v := slices.DeleteFunc(slices.Clone(values), math.IsNaN)
	if len(v) == 0 {
		return Interval{}
	}
	i := Interval{N: len(v), Mean: mean(v), Median: median(v)}
	i.Low, i.High = i.Mean, i.Mean
	if len(v) < 2 {
		return i
	}
	rng := rand.New(rand.NewPCG(uint64(len(v)), 0x9e3779b97f4a7c15))
	means := make([]float64, resamples)
	for k := range means {
		var sum float64
		for range v {
			sum += v[rng.IntN(len(v))]
		}
		means[k] = sum / float64(len(v))
	}
	slices.Sort(means)
	i.Low, i.High = means[resamples*25/1000], means[resamples*975/1000-1]
	return i
}

// Unclear reports whether noise explains i as a difference from zero: the
// interval holds 0, or there are too few seeds to say.
func (i Interval) Unclear() bool {
	return i.N < 2 || i.Low <= 0 && i.High >= 0
}

func mean(v []float64) float64 {
	var sum float64
	for _, x := range v {
		sum += x
	}
	return sum / float64(len(v))
}

// median returns the median of v, which must not be empty.
func median(v []float64) float64 {
	s := slices.Clone(v)
	slices.Sort(s)
	n := len(s)
	if n%2 == 1 {
		return s[n/2]
	}
	return (s[n/2-1] + s[n/2]) / 2
}

// quantile returns the q-quantile, q in [0, 1], by linear interpolation
// between order statistics; 0 of nothing.
func quantile(v []float64, q float64) float64 {
	if len(v) == 0 {
		return 0
	}
	s := slices.Clone(v)
	slices.Sort(s)
	at := q * float64(len(s)-1)
	i := int(at)
	if i+1 >= len(s) {
		return s[len(s)-1]
	}
	return s[i] + (at-float64(i))*(s[i+1]-s[i])
}
