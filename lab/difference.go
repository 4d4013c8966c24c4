package lab

import "slices"

// A Difference is how much more of a metric one transport has than another on
// the same seeds, everything else being equal.
type Difference struct {
	Clip     string   `json:"clip"`
	Profile  string   `json:"profile"`
	Deadline Deadline `json:"deadline"`
	Metric   string   `json:"metric"`
	A        string   `json:"a"`
	B        string   `json:"b"`
	AMinusB  Interval `json:"a_minus_b"`
	Unclear  bool     `json:"unclear"` // noise explains it
}

// A Ratio is how many times as much of a metric one transport has as another,
// on the same seeds.
type Ratio struct {
	Clip    string   `json:"clip"`
	Profile string   `json:"profile"`
	Metric  string   `json:"metric"`
	A       string   `json:"a"`
	B       string   `json:"b"`
	AOverB  Interval `json:"a_over_b"`
}

// Differences compares each pair of transports over the seeds that both have.
func Differences(rows []Row, metrics ...string) []Difference {
	var out []Difference
	eachPair(rows, metrics, func(m string, a, b cellKey, x, y []float64) {
		d := make([]float64, len(x))
		for i := range x {
			d[i] = x[i] - y[i]
		}
		v := NewInterval(d)
		out = append(out, Difference{a.clip, a.profile, a.deadline, m, a.transport, b.transport, v, v.Unclear()})
	})
	return out
}

// Ratios compares each pair of transports, the later one in the plan with the
// earlier one. It leaves out what depends on the deadline only in name.
func Ratios(rows []Row, metrics ...string) []Ratio {
	var out []Ratio
	first := map[cellKey]Deadline{}
	eachPair(rows, metrics, func(m string, a, b cellKey, x, y []float64) {
		k := a
		k.deadline = 0
		if d, ok := first[k]; ok && d != a.deadline {
			return
		}
		first[k] = a.deadline
		var r []float64
		for i := range x {
			if x[i] != 0 {
				r = append(r, y[i]/x[i])
			}
		}
		out = append(out, Ratio{a.clip, a.profile, m, b.transport, a.transport, NewInterval(r)})
	})
	return out
}

// eachPair calls f with the values of each two transports, paired by seed, for
// each metric at each clip, link and deadline.
func eachPair(rows []Row, metrics []string, f func(metric string, a, b cellKey, x, y []float64)) {
	groups, order := grouped(rows)
	for i, ka := range order {
		for _, kb := range order[i+1:] {
			if ka.clip != kb.clip || ka.profile != kb.profile || ka.deadline != kb.deadline {
				continue
			}
			for _, m := range measures() {
				if slices.Contains(metrics, m.name) {
					x, y := paired(groups[ka], groups[kb], m.value)
					f(m.name, ka, kb, x, y)
				}
			}
		}
	}
}

// paired returns the values of a and of b for each seed that both have.
func paired(a, b []Row, f func(Row) float64) (x, y []float64) {
	for _, r := range a {
		for _, s := range b {
			if r.Seed == s.Seed {
				x, y = append(x, f(r)), append(y, f(s))
			}
		}
	}
	return x, y
}
