package report

import (
	"encoding/json"
	"testing"
)

// dashes are the patterns of the curves of a chart, by name.
const dashes = `(u, names) => JSON.stringify(Object.fromEntries(names.map((n, k) => [n, (u.series[k + 1].dash || []).join('-')]).sort()))`

// patterns tells the lines apart without their colours: on request and on
// paper, the same pattern for a transport in every chart, with a key.
func patterns(t *testing.T, b *browser) {
	charts := func(i int) (out map[string]string) {
		var text string
		b.eval(`(`+dashes+`)(vqeval.groups[0].plots[`+string(rune('0'+i))+`], vqeval.data.order.map(i => vqeval.data.curves[i].name))`, &text)
		if err := json.Unmarshal([]byte(text), &out); err != nil {
			t.Fatal(err)
		}
		return out
	}
	const gradients = `[...document.querySelectorAll('#legend .chip')].filter(c => c.style.background.includes('repeating-linear-gradient')).length`
	plain := func(when string) {
		for name, dash := range charts(0) {
			if dash != "" {
				t.Errorf("%s: %s is dashed %s", when, name, dash)
			}
		}
		b.want(gradients, "0")
	}
	dashed := func(when string) {
		first, seen := charts(0), map[string]string{}
		for name, dash := range first {
			if seen[dash] != "" {
				t.Errorf("%s: %s and %s are both dashed %q", when, name, seen[dash], dash)
			}
			seen[dash] = name
		}
		if len(first) != 3 {
			t.Errorf("%s: %d curves, want 3", when, len(first))
		}
		for i := 1; i < 3; i++ {
			for name, dash := range charts(i) {
				if dash != first[name] {
					t.Errorf("%s: chart %d has %s dashed %q, the first %q", when, i, name, dash, first[name])
				}
			}
		}
		b.want(gradients, "2") // the first line is solid
		b.want(`vqeval.groups.find(g => g.key === 'time').plots.flatMap(u => u.series.slice(1)).filter(s => s.mark != null && s.dash.length).length > 0`, "true")
	}
	plain("at first")
	b.eval(`document.getElementById('patterns').click()`, nil)
	dashed("on request")
	b.eval(`document.getElementById('patterns').click()`, nil)
	plain("switched off")
	b.eval(`dispatchEvent(new Event('beforeprint'))`, nil)
	dashed("on paper")
	b.eval(`dispatchEvent(new Event('afterprint'))`, nil)
	plain("after printing")
}

// A name has one colour, whichever chart shows it, on light and dark ground.
func TestColoursAgree(t *testing.T) {
	p := typicalPage(t, 3, 60)
	at := p.Timelines[0].Traces[0]
	p.Timelines = append(p.Timelines, TimePanel{Label: "goodput, Mbit/s"})
	for i := range p.Curves { // in the opposite order
		at.Name = p.Curves[len(p.Curves)-1-i].Name
		last := &p.Timelines[len(p.Timelines)-1]
		last.Traces = append(last.Traces, at)
	}
	d, err := p.data()
	if err != nil {
		t.Fatal(err)
	}
	type paint struct{ color, dark string }
	seen := map[string]paint{}
	count := 0
	check := func(where, name string, got paint) {
		count++
		if old, ok := seen[name]; ok && old != got {
			t.Errorf("%s: %s is %v, elsewhere %v", where, name, got, old)
		}
		seen[name] = got
	}
	for _, c := range d.Curves {
		check("curves", c.Name, paint{c.Color, c.Dark})
	}
	for _, panel := range d.Panels {
		for _, x := range panel.Traces {
			check(panel.Label, x.Name, paint{x.Color, x.Dark})
		}
	}
	for _, l := range d.Latency {
		for _, c := range l.Curves {
			check("deadlines", c.Name, paint{c.Color, c.Dark})
		}
	}
	for _, s := range d.Sweeps {
		for _, panel := range s.Panels {
			for _, c := range panel.Curves {
				check("sweep", c.Name, paint{c.Color, c.Dark})
			}
		}
	}
	if count < len(seen)+6 {
		t.Errorf("%d colours of %d names compared", count, len(seen))
	}
	for _, c := range p.Curves {
		if got, want := seen[c.Name].color, hexColor(Color(c.Name)); got != want {
			t.Errorf("%s is %s on the page and %s in the plots", c.Name, got, want)
		}
	}
}
