package metrics

import (
	"math"
	"slices"
)

// Difference says where one series parts from another.
type Difference struct {
	Frames    int                         `json:"frames"`      // frames that both have
	OnlyA     []int                       `json:"only_a"`      // frames that only the first has
	OnlyB     []int                       `json:"only_b"`      // frames that only the second has
	First     int                         `json:"first_frame"` // the first frame that differs in a metric or its verdict, -1 if none does
	Verdicts  []int                       `json:"verdicts"`    // frames whose verdicts differ
	Metrics   map[string]MetricDifference `json:"metrics"`     // of the metrics that both have
	MissingIn map[string]string           `json:"missing_in"`  // "a" or "b" for a metric that the other alone has
	Dialects  bool                        `json:"dialects"`    // the dialects of SSIM differ, so that SSIM cannot agree
}

// MetricDifference says how far one metric is apart.
type MetricDifference struct {
	Frames   int     `json:"frames"`      // frames that differ
	First    int     `json:"first_frame"` // the first of them, -1 if none
	Largest  float64 `json:"largest"`     // the largest absolute difference
	At       int     `json:"at_frame"`    // where it is, -1 if nowhere
	MeanA    float64 `json:"mean_a"`      // over the frames that both have
	MeanB    float64 `json:"mean_b"`
	Compared int     `json:"compared"` // frames that have it in both
}

// Same says that the series have the same frames, verdicts and values.
func (d Difference) Same() bool {
	return d.First < 0 && len(d.OnlyA) == 0 && len(d.OnlyB) == 0 && len(d.MissingIn) == 0
}

// Diff compares two series frame by frame, by frame number. Values no further
// apart than tolerance count as equal. If a number occurs twice in a series,
// its last row counts.
func Diff(a, b Series, tolerance float64) Difference {
	d := Difference{First: -1, Metrics: map[string]MetricDifference{}, MissingIn: map[string]string{}, Dialects: a.Options.SSIM != b.Options.SSIM}
	rowsA, rowsB := byFrame(a), byFrame(b)
	d.OnlyA, d.OnlyB = without(rowsA, rowsB), without(rowsB, rowsA)
	for _, f := range without(rowsA, nil) {
		if y, ok := rowsB[f]; ok {
			d.Frames++
			if rowsA[f].Verdict != y.Verdict {
				d.Verdicts = append(d.Verdicts, f)
				d.part(f)
			}
		}
	}
	for _, name := range Metrics() {
		d.compare(name, a, b, rowsA, rowsB, tolerance)
	}
	return d
}

// part notes that frame f differs.
func (d *Difference) part(f int) {
	if d.First < 0 || f < d.First {
		d.First = f
	}
}

func (d *Difference) compare(name string, a, b Series, rowsA, rowsB map[int]Row, tolerance float64) {
	m := MetricDifference{First: -1, At: -1}
	var onlyA, onlyB int
	for _, f := range without(rowsA, nil) {
		other, both := rowsB[f]
		if !both {
			continue
		}
		x, inA := a.value(rowsA[f], name)
		y, inB := b.value(other, name)
		switch {
		case inA && inB:
			m.add(f, x, y, tolerance)
		case inA:
			onlyA++
		case inB:
			onlyB++
		}
	}
	if m.Compared > 0 {
		m.MeanA /= float64(m.Compared)
		m.MeanB /= float64(m.Compared)
		d.Metrics[name] = m
	}
	if m.First >= 0 {
		d.part(m.First)
	}
	if onlyA > 0 {
		d.MissingIn[name] = "b"
	} else if onlyB > 0 {
		d.MissingIn[name] = "a"
	}
}

// add compares one frame; the means are sums until the end.
func (m *MetricDifference) add(frame int, x, y, tolerance float64) {
	m.Compared++
	m.MeanA += x
	m.MeanB += y
	apart := math.Abs(x - y)
	if apart <= tolerance {
		return
	}
	m.Frames++
	if m.First < 0 {
		m.First = frame
	}
	if apart > m.Largest {
		m.Largest, m.At = apart, frame
	}
}

// value returns a metric of a row of the series, if it has it.
func (s Series) value(r Row, name string) (float64, bool) {
	for _, m := range metricTable {
		if m.name == name {
			return *m.field(&r.Score), r.Score.Planes >= m.planes && s.Has(name)
		}
	}
	return 0, false
}

func byFrame(s Series) map[int]Row {
	m := make(map[int]Row, len(s.Rows))
	for _, r := range s.Rows {
		m[r.Frame] = r
	}
	return m
}

// without lists the frames of a that b lacks, in order.
func without(a, b map[int]Row) []int {
	frames := []int{}
	for f := range a {
		if _, ok := b[f]; !ok {
			frames = append(frames, f)
		}
	}
	slices.Sort(frames)
	return frames
}
