package report

// sweepData is a SweepChart as the scripts of the page read it. Places on the
// horizontal axis are those of the static plot.
type sweepData struct {
	Title  string           `json:"title"`
	Axis   string           `json:"axis"`
	Ticks  []tickData       `json:"ticks"`
	Lo     num              `json:"lo"`
	Hi     num              `json:"hi"`
	Names  []string         `json:"names"` // of all transports, in the order of their marks
	Panels []sweepPanelData `json:"panels"`
}

type sweepPanelData struct {
	Label  string             `json:"label"`
	Lo     num                `json:"lo"`
	Hi     num                `json:"hi"`
	Curves []latencyCurveData `json:"curves"`
}

func newSweepData(c SweepChart) (sweepData, error) {
	d := sweepData{Title: c.Title, Axis: c.Axis, Names: sweepNames(c.Panels)}
	x, place, err := sweepAxis(c.Panels, c.Axis)
	if err != nil {
		return d, err
	}
	d.Lo, d.Hi = num(x.lo), num(x.hi)
	for _, t := range x.ticks {
		d.Ticks = append(d.Ticks, tickData{num(t.Value), t.Label})
	}
	colors := map[string]latencyCurveData{}
	for i, col := range palette(d.Names) {
		colors[d.Names[i]] = latencyCurveData{Name: d.Names[i], Color: hexColor(col), Dark: hexColor(dark(col))}
	}
	for _, p := range c.Panels {
		y := p.axis()
		q := sweepPanelData{Label: p.Label, Lo: num(y.lo), Hi: num(y.hi)}
		for _, k := range p.Curves {
			curve := colors[k.Name]
			for _, pt := range k.sorted() {
				lo, hi := pt.interval()
				curve.Points = append(curve.Points, []num{num(place(pt.At)), num(pt.Mean), num(lo), num(hi)})
			}
			q.Curves = append(q.Curves, curve)
		}
		d.Panels = append(d.Panels, q)
	}
	return d, nil
}
