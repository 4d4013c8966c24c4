package report

import (
	"math"
	"slices"
	"time"
)

// packetData counts packets in bins of equal length.
type packetData struct {
	Bin    num        `json:"bin"`    // seconds
	Places []string   `json:"places"` // the first is "arrived"
	Colors []string   `json:"colors"`
	Lanes  []laneData `json:"lanes"`
}

type laneData struct {
	Name   string  `json:"name"`
	Counts [][]int `json:"counts"` // for each place, for each bin
	Totals []int   `json:"totals"`
}

// maxBins keeps a lane's bars at least two pixels wide on a screen.
const maxBins = 400

// binPackets counts the packets of all lanes in the same bins.
func binPackets(lanes []Lane) packetData {
	if len(lanes) == 0 {
		return packetData{}
	}
	d := packetData{Places: []string{"arrived"}}
	end := time.Duration(0)
	for _, l := range lanes {
		for _, e := range l.Events {
			end = max(end, e.At)
			if e.Place != "" && !slices.Contains(d.Places[1:], e.Place) {
				d.Places = append(d.Places, e.Place)
			}
		}
	}
	slices.Sort(d.Places[1:])
	d.Colors = placeColors(len(d.Places))
	bin := 10 * time.Millisecond
	for _, step := range []time.Duration{2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 6000, 30000, 360000} {
		if end/bin < maxBins {
			break
		}
		bin = step * 10 * time.Millisecond
	}
	d.Bin = num(bin.Seconds())
	for _, l := range lanes {
		d.Lanes = append(d.Lanes, d.lane(l, bin, int(end/bin)+1))
	}
	return d
}

func (d *packetData) lane(l Lane, bin time.Duration, bins int) laneData {
	out := laneData{Name: l.Name, Totals: make([]int, len(d.Places)), Counts: make([][]int, len(d.Places))}
	for i := range out.Counts {
		out.Counts[i] = make([]int, bins)
	}
	for _, e := range l.Events {
		k := 0
		if e.Place != "" {
			k = 1 + slices.Index(d.Places[1:], e.Place)
		}
		out.Counts[k][max(0, int(e.At/bin))]++
		out.Totals[k]++
	}
	return out
}

// placeColors are for "arrived" and then the places where packets are lost; they
// differ in lightness too.
func placeColors(n int) []string {
	known := []uint32{0xb5c4bb, 0xd55e00, 0x222222, 0x0072b2, 0xcc79a7, 0xe69f00, 0x56b4e9, 0x009e73, 0x7f3c8d}
	var out []string
	for i := range n {
		out = append(out, hexColor(rgb(known[min(i, len(known)-1)])))
	}
	return out
}

type timePanelData struct {
	Label  string      `json:"label"`
	Steps  bool        `json:"steps"`
	Traces []traceData `json:"traces"`
}

type traceData struct {
	Name  string `json:"name"`
	Color string `json:"color"`
	Dark  string `json:"dark"`
	T     []num  `json:"t"` // seconds
	V     []num  `json:"v"`
}

// timePanels gives each name one colour in all panels and thins long traces.
func timePanels(panels []TimePanel) []timePanelData {
	var labels []string
	for _, p := range panels {
		for _, t := range p.Traces {
			if !slices.Contains(labels, t.Name) {
				labels = append(labels, t.Name)
			}
		}
	}
	colors := palette(labels)
	var out []timePanelData
	for _, p := range panels {
		d := timePanelData{Label: p.Label, Steps: p.Steps}
		for _, t := range p.Traces {
			c := colors[slices.Index(labels, t.Name)]
			x := traceData{Name: t.Name, Color: hexColor(c), Dark: hexColor(dark(c))}
			for _, i := range thin(t.V, 1500) {
				x.T, x.V = append(x.T, num(t.T[i].Seconds())), append(x.V, num(t.V[i]))
			}
			d.Traces = append(d.Traces, x)
		}
		out = append(out, d)
	}
	return out
}

// thin returns the indices of at most about n values that keep the shape: of
// each stretch its first value, its least and its greatest one, in order.
func thin(v []float64, n int) []int {
	var out []int
	if len(v) <= n {
		for i := range v {
			out = append(out, i)
		}
		return out
	}
	stretch := int(math.Ceil(3 * float64(len(v)) / float64(n)))
	for a := 0; a < len(v); a += stretch {
		lo, hi := a, a
		for i := a; i < min(a+stretch, len(v)); i++ {
			if v[i] < v[lo] {
				lo = i
			}
			if v[i] > v[hi] {
				hi = i
			}
		}
		keep := []int{a, lo, hi}
		slices.Sort(keep)
		out = append(out, slices.Compact(keep)...)
	}
	if out[len(out)-1] != len(v)-1 {
		out = append(out, len(v)-1)
	}
	return out
}

type latencyData struct {
	Metric string             `json:"metric"`
	Label  string             `json:"label"`
	Ticks  []tickData         `json:"ticks"`
	Lo     num                `json:"lo"`
	Hi     num                `json:"hi"`
	Curves []latencyCurveData `json:"curves"`
}

type tickData struct {
	At    num    `json:"at"`
	Label string `json:"label"`
}

type latencyCurveData struct {
	Name   string  `json:"name"`
	Color  string  `json:"color"`
	Dark   string  `json:"dark"`
	Points [][]num `json:"points"` // place on the axis, mean, low, high
}

// newLatencyData uses the axis of the static plot.
func newLatencyData(c LatencyChart) latencyData {
	d := latencyData{Metric: c.Metric.String(), Label: c.Metric.label() + ", mean"}
	x, place, err := deadlineAxis(c.Curves)
	if err != nil {
		return d
	}
	d.Lo, d.Hi = num(x.lo), num(x.hi)
	for _, t := range x.ticks {
		d.Ticks = append(d.Ticks, tickData{num(t.Value), t.Label})
	}
	labels := make([]string, len(c.Curves))
	for i, k := range c.Curves {
		labels[i] = k.Name
	}
	for i, col := range palette(labels) {
		k := latencyCurveData{Name: labels[i], Color: hexColor(col), Dark: hexColor(dark(col))}
		for _, p := range c.Curves[i].sorted() {
			lo, hi := p.interval()
			k.Points = append(k.Points, []num{num(place(p.Deadline)), num(p.Mean), num(lo), num(hi)})
		}
		d.Curves = append(d.Curves, k)
	}
	return d
}
