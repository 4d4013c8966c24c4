package report

import "testing"

// BenchmarkPage writes the page of 1500 frames of five transports.
func BenchmarkPage(b *testing.B) {
	p := typicalPage(b, 5, 1500)
	for b.Loop() {
		var n counter
		if err := HTML(&n, p); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(n), "bytes/page")
	}
}

type counter int64

// Write counts.
func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

// A long clip of five transports stays fluid: the script of a cursor move and
// of a whole redraw is logged. It runs with -v only, being a measurement.
func TestBrowserFluid(t *testing.T) {
	if !testing.Verbose() {
		t.Skip("a measurement; use -v")
	}
	b := startBrowser(t)
	b.open(pageFile(t, typicalPage(t, 5, 1500)), 1280, 900)
	var ms struct{ Move, Redraw, Zoom float64 }
	b.eval(`(async () => {
		// uPlot draws in a microtask, so each step is awaited.
		const g = vqeval.groups[0], time = async (n, f) => { const t = performance.now(); for (let i = 0; i < n; i++) { f(i); await 0; await 0; } return (performance.now() - t) / n; };
		return {
			move: await time(200, i => g.plots.forEach(u => u.setCursor({left: i * 3, top: 20}))),
			redraw: await time(20, () => g.plots.forEach(u => u.redraw(true, false))),
			zoom: await time(20, i => g.plots[0].setScale('x', {min: i * 10, max: 800 + i * 10})),
		};
	})()`, &ms)
	t.Logf("script of a cursor move %.2f ms, of a redraw %.2f ms, of a zoom %.2f ms", ms.Move, ms.Redraw, ms.Zoom)
}
