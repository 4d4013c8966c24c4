package batch

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A Threshold is the least that a number of a summary may be.
type Threshold struct {
	Column string
	Least  float64
}

// ParseThreshold reads psnr_y=35 or psnr_y_min=30: a metric, whose mean is then
// meant, or a column of the summary in which more is better.
func ParseThreshold(s string) (Threshold, error) {
	name, value, ok := strings.Cut(s, "=")
	if !ok {
		return Threshold{}, fmt.Errorf("%q: want METRIC=VALUE, such as psnr_y=35", s)
	}
	least, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	if err != nil || math.IsNaN(least) || math.IsInf(least, 0) {
		return Threshold{}, fmt.Errorf("%q: %q is not a number", s, value)
	}
	column := strings.TrimSpace(name)
	if !slices.Contains(numberNames[:], column) {
		column += "_mean"
	}
	if !slices.Contains(numberNames[:], column) {
		return Threshold{}, fmt.Errorf("unknown metric %q: want one of %s", name, strings.Join(limitable(), ", "))
	}
	if !slices.Contains(limitable(), strings.TrimSuffix(column, "_mean")) {
		return Threshold{}, fmt.Errorf("%q: less is better there; want one of %s", name, strings.Join(limitable(), ", "))
	}
	return Threshold{column, least}, nil
}

// limitable lists what may be given a threshold: means without their ending.
func limitable() []string {
	var names []string
	for _, n := range numberNames {
		if n == "ok" || n == "identical" || strings.HasPrefix(n, "psnr") || strings.Contains(n, "ssim") {
			names = append(names, strings.TrimSuffix(n, "_mean"))
		}
	}
	return names
}

// ErrNoSuchNumber says that a row has no number of a threshold's name.
var ErrNoSuchNumber = errors.New("was not measured")

// Miss says how a row misses the threshold, nil if it does not. A row of a
// capture that could not be scored misses none: it has an error of its own.
func (t Threshold) Miss(r Row) error {
	if r.Failed() {
		return nil
	}
	v := r.Number(t.Column)
	switch {
	case math.IsNaN(v):
		return fmt.Errorf("%s %w", t.Column, ErrNoSuchNumber)
	case v < t.Least:
		return fmt.Errorf("%s is %s, less than %s", t.Column, number(v), number(t.Least))
	}
	return nil
}

// Misses lists what a row misses.
func Misses(r Row, limits []Threshold) (misses []string) {
	for _, t := range limits {
		if err := t.Miss(r); err != nil {
			misses = append(misses, err.Error())
		}
	}
	return misses
}
