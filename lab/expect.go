package lab

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// An Expectation is what an experiment should show: medians over the seeds in a
// relation. It is checked after the runs.
type Expectation struct {
	Metric   string    `json:"metric" yaml:"metric"`               // a column of summary.csv
	A        string    `json:"a" yaml:"a"`                         // a transport's name
	Is       Relation  `json:"is" yaml:"is"`                       //
	Factor   float64   `json:"factor,omitempty" yaml:"factor"`     // of B, 0 = 1; for within: the largest share of B by which A may differ
	B        string    `json:"b,omitempty" yaml:"b"`               // the other transport, or the same over another link; empty = Value
	Value    float64   `json:"value,omitempty" yaml:"value"`       // a number in place of B
	Link     string    `json:"link,omitempty" yaml:"link"`         // A's; empty = each of the experiment
	BLink    string    `json:"b_link,omitempty" yaml:"b_link"`     // B's; empty = A's
	Deadline *Deadline `json:"deadline,omitempty" yaml:"deadline"` // nil = each of the experiment
}

// A Relation is >=, <= or within.
type Relation string

// The relations.
const (
	AtLeast Relation = ">="
	AtMost  Relation = "<="
	Within  Relation = "within"
)

// A Checked is an Expectation held against one link and deadline.
type Checked struct {
	Expectation
	Clip  string   `json:"clip"`
	At    Deadline `json:"at_deadline"`
	Over  string   `json:"over_link"`
	Got   float64  `json:"got"`   // A's median
	Other float64  `json:"other"` // B's median, or Value
	OK    bool     `json:"ok"`
	Why   string   `json:"why,omitempty"` // a result that is not there
}

// Bound is the limit that A is held against; for within the lower one.
func (c Checked) Bound() float64 { return c.factor() * c.Other }

func (x Expectation) factor() float64 {
	if x.Factor == 0 && x.Is != Within {
		return 1
	}
	return x.Factor
}

// String says what is expected, without the numbers.
func (x Expectation) String() string {
	other := x.B
	if other == "" {
		other = fmt.Sprintf("%g", x.Value)
	}
	if x.BLink != "" {
		other += " over " + x.BLink
	}
	switch {
	case x.Is == Within:
		return fmt.Sprintf("%s: %s within %g %% of %s", x.Metric, x.A, 100*x.Factor, other)
	case x.factor() != 1:
		return fmt.Sprintf("%s: %s %s %g x %s", x.Metric, x.A, x.Is, x.factor(), other)
	}
	return fmt.Sprintf("%s: %s %s %s", x.Metric, x.A, x.Is, other)
}

// check reports what is wrong with x as a part of e.
func (x Expectation) check(e Experiment) error {
	labels, links := e.labels(), e.linkLabels()
	metrics := make([]string, 0, len(measures()))
	for _, m := range measures() {
		metrics = append(metrics, m.name)
	}
	for _, w := range []struct {
		what, value string
		among       []string
		need        bool
	}{{"metric", x.Metric, metrics, true}, {"a", x.A, labels, true}, {"b", x.B, labels, false},
		{"is", string(x.Is), []string{string(AtLeast), string(AtMost), string(Within)}, true},
		{"link", x.Link, links, false}, {"b_link", x.BLink, links, false}} {
		if (w.need || w.value != "") && !slices.Contains(w.among, w.value) {
			return fmt.Errorf("%s: %q is none of %s", w.what, w.value, strings.Join(w.among, ", "))
		}
	}
	switch {
	case (e.Score.DeliveryOnly || e.Bulk.On()) && slices.Contains(pictureMeasures(), x.Metric):
		return fmt.Errorf("metric: %s is of pictures, and the experiment decodes none", x.Metric)
	case x.Factor < 0 || math.IsNaN(x.Factor):
		return fmt.Errorf("factor: %g is below 0", x.Factor)
	case x.Deadline != nil && !slices.Contains(e.Deadlines, *x.Deadline):
		return fmt.Errorf("deadline: %v is none of the experiment's", *x.Deadline)
	case x.B != "" && x.Value != 0:
		return fmt.Errorf("b and value exclude each other")
	case x.B == "" && x.BLink != "":
		return fmt.Errorf("b_link: there is no b")
	}
	return nil
}

// pictureMeasures are what only decoded pictures have.
func pictureMeasures() []string {
	return []string{"ok", "damaged", "frozen", "late", "expired", "missing", "identical", "mse_y_mean", "psnr_y_mean", "psnr_y_total", "ssim_y_mean", "freezes", "frozen_ms", "longest_freeze_ms"}
}

func (e Experiment) labels() []string {
	var out []string
	for _, t := range e.Transports {
		out = append(out, t.Label())
	}
	return out
}

func (e Experiment) linkLabels() []string {
	var out []string
	for _, l := range e.Sweep.expand(e.Links) {
		out = append(out, l.Label())
	}
	return out
}

// Check holds the experiment's expectations against the results: each for
// every clip, link and deadline that it speaks of.
func (r Results) Check() []Checked {
	e := r.Manifest.Experiment
	var out []Checked
	for _, x := range e.Expect {
		for _, clip := range e.clips() {
			for _, l := range e.linkLabels() {
				for _, d := range e.Deadlines {
					if (x.Link == "" || x.Link == l) && (x.Deadline == nil || *x.Deadline == d) {
						out = append(out, r.hold(x, clip, l, d))
					}
				}
			}
		}
	}
	return out
}

// hold holds one expectation against one link and deadline.
func (r Results) hold(x Expectation, clip, over string, d Deadline) Checked {
	c := Checked{Expectation: x, Clip: clip, Over: over, At: d, Other: x.Value}
	var ok bool
	if c.Got, ok = r.median(x.Metric, cellKey{clip, over, d, x.A}); !ok {
		c.Why = "no result of " + x.A
		return c
	}
	if x.B != "" {
		from := over
		if x.BLink != "" {
			from = x.BLink
		}
		if c.Other, ok = r.median(x.Metric, cellKey{clip, from, d, x.B}); !ok {
			c.Why = "no result of " + x.B
			return c
		}
	}
	switch x.Is {
	case AtLeast:
		c.OK = c.Got >= c.Bound()
	case AtMost:
		c.OK = c.Got <= c.Bound()
	case Within:
		c.OK = math.Abs(c.Got-c.Other) <= x.Factor*math.Abs(c.Other)
	}
	return c
}

// median returns the median of a metric over the seeds of one cell.
func (r Results) median(metric string, k cellKey) (float64, bool) {
	for _, c := range r.Cells {
		if (cellKey{c.Clip, c.Profile, c.Deadline, c.Transport}) == k {
			v, ok := c.Values[metric]
			return v.Median, ok && v.N > 0
		}
	}
	return 0, false
}
