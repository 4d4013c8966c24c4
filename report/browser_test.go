package report

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// pageFile writes a page to a file for the browser.
func pageFile(t *testing.T, p Page) string {
	t.Helper()
	var b bytes.Buffer
	if err := HTML(&b, p); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "report.html")
	write(t, path, b.Bytes())
	return path
}

// box is where an element lies in the window.
type box struct{ X, Y, Width, Height float64 }

func (b *browser) box(expression string) (r box) {
	b.t.Helper()
	b.eval(`(() => { const e = `+expression+`; e.scrollIntoView({block: 'center'}); const r = e.getBoundingClientRect(); return {x: r.x, y: r.y, width: r.width, height: r.height}; })()`, &r)
	return r
}

// The page in a real browser: it loads without a complaint and without a
// request, and its parts do what they say.
func TestBrowser(t *testing.T) {
	t.Parallel() // it waits for the browser most of the time
	b := startBrowser(t)
	path := pageFile(t, typicalPage(t, 3, 375))
	b.open(path, 1280, 900)
	for _, c := range []struct {
		name string
		run  func(*testing.T, *browser)
	}{{"zoom", zooms}, {"hover", hovers}, {"keys", keys}, {"slider", slides}, {"jump", jumps}, {"maps", showsMaps}, {"legend", hides}, {"patterns", patterns}, {"sweep", sweeps}, {"save", saves}} {
		t.Run(c.name, func(t *testing.T) {
			b.t = t
			c.run(t, b)
		})
		b.t = t
	}
	for _, c := range b.complaints() {
		t.Errorf("complaint: %s", c)
	}
	looks(t, b, path)
	sparse(t, b)
}

// looks opens the page at several widths and in both schemes: it keeps within
// the window.
func looks(t *testing.T, b *browser, three string) {
	t.Helper()
	five := pageFile(t, typicalPage(t, 5, 375))
	dir := os.Getenv("REPORT_PICTURES")
	for _, c := range []struct {
		name, scheme, path string
		width, height      int
	}{{"light", "light", three, 1280, 900}, {"phone", "light", three, 390, 844}, {"dark", "dark", five, 1280, 900}} {
		if c.name == "light" && dir == "" {
			continue // it has just been seen
		}
		b.open(c.path, c.width, c.height, c.scheme)
		b.want(`document.documentElement.scrollWidth <= innerWidth`, "true")
		b.want(`document.documentElement.dataset.scheme`, c.scheme)
		for _, x := range b.complaints() {
			t.Errorf("%s: complaint: %s", c.name, x)
		}
		if dir != "" {
			b.screenshot(filepath.Join(dir, "page-"+c.name+".png"))
		}
	}
	if dir := os.Getenv("REPORT_PICTURES"); dir != "" {
		b.pdf(filepath.Join(dir, "report.pdf"))
	}
}

const ranges = `vqeval.groups[0].plots.map(u => Math.round(u.scales.x.min) + '-' + Math.round(u.scales.x.max)).join(' ')`

func zooms(t *testing.T, b *browser) {
	b.want(ranges, "0-374 0-374 0-374 0-374")
	r := b.box(`document.querySelector('#charts .u-over')`)
	b.drag(r.X+r.Width*.2, r.Y+40, r.X+r.Width*.4, r.Y+60)
	b.want(`vqeval.groups[0].plots.every(u => Math.abs(u.scales.x.min - 75) < 1 && Math.abs(u.scales.x.max - 149.5) < 1)`, "true")
	for i := 1; i <= 2; i++ {
		b.mouse("mousePressed", r.X+100, r.Y+40, i)
		b.mouse("mouseReleased", r.X+100, r.Y+40, i)
	}
	b.settle()
	b.want(ranges, "0-374 0-374 0-374 0-374")
	b.eval(`vqeval.setFrame(36)`, nil) // the two clicks may have come too slowly for a double click
	b.eval(`document.getElementById('zoomin').click()`, nil)
	b.settle()
	b.want(ranges, "18-205 18-205 18-205 18-205")
	b.eval(`document.getElementById('reset').click()`, nil)
	b.settle()
	b.want(ranges, "0-374 0-374 0-374 0-374")
}

func hovers(t *testing.T, b *browser) {
	b.mouse("mouseMoved", 5, 5, 0)
	b.settle()
	b.want(`document.querySelector('#hover b').textContent`, "Frame 36")
	r := b.box(`document.querySelectorAll('#charts .u-over')[2]`) // over PSNR: the others follow
	b.mouse("mouseMoved", r.X+r.Width*100/374, r.Y+40, 0)
	b.settle()
	b.want(`document.querySelector('#hover b').textContent`, "Frame 100")
	b.want(`document.getElementById('hover').textContent.includes('QUIC SSIM 1.0000, 100.00 dB, MSE 0.00, ok')`, "true")
	b.want(`vqeval.groups[0].plots.every(u => Math.abs(u.cursor.left - vqeval.groups[0].plots[2].cursor.left) < 1)`, "true")
	b.mouse("mouseMoved", 5, 5, 0)
	b.settle()
	b.want(`document.querySelector('#hover b').textContent`, "Frame 36")
}

func keys(t *testing.T, b *browser) {
	b.eval(`document.getElementById('charts').focus()`, nil)
	b.key("ArrowRight")
	b.key("ArrowRight")
	b.key("ArrowLeft")
	b.want(`vqeval.state.frame`, "37")
	b.want(`document.getElementById('nearest').textContent.includes('nearest one that is, frame 36')`, "true")
	b.key("ArrowLeft")
	b.want(`document.getElementById('nearest').hidden`, "true")
}

func slides(t *testing.T, b *browser) {
	const at = `document.getElementById('compare').style.getPropertyValue('--x')`
	b.want(at, "50%")
	r := b.box(`document.getElementById('compare')`)
	b.drag(r.X+r.Width/2, r.Y+50, r.X+r.Width/4, r.Y+60)
	var x string
	b.eval(at, &x)
	if x != "25%" && x != "25.1%" && x != "24.9%" {
		t.Errorf("divider at %s after a drag to a quarter", x)
	}
	b.eval(`document.getElementById('slider').value = 50; document.getElementById('slider').focus()`, nil)
	b.key("ArrowRight")
	b.want(at, "52%")
	b.want(`getComputedStyle(document.getElementById('leftimage')).clipPath.startsWith('inset(0px ')`, "true")
}

func jumps(t *testing.T, b *browser) {
	b.want(`document.getElementById('shown').textContent`, "36")
	b.want(`document.querySelector('#jumps button').textContent.startsWith('Frame 36')`, "true")
	b.want(`document.getElementById('left').value + ' ' + document.getElementById('right').value`, "QUIC UDP")
	b.want(`document.getElementById('rightimage').naturalWidth`, "320")
	b.eval(`window.before = document.getElementById('rightimage').src; document.querySelectorAll('#jumps button')[1].click()`, nil)
	b.settle()
	b.want(`Number(document.getElementById('shown').textContent) === vqeval.state.frame && vqeval.state.frame !== 36`, "true")
	b.want(`document.getElementById('rightimage').src !== before`, "true")
	b.want(`document.querySelectorAll('#values tbody tr').length`, "3")
	b.eval(`const g = document.getElementById('goto'); g.value = 9999; g.dispatchEvent(new Event('change'))`, nil)
	b.want(`vqeval.state.frame`, "374")
	b.eval(`document.querySelector('#jumps button').click()`, nil)
	b.want(`document.getElementById('shown').textContent`, "36")
	// A click into a chart shows that frame, or the nearest embedded one.
	r := b.box(`document.querySelector('#charts .u-over')`)
	x := r.X + r.Width*200/374
	b.mouse("mouseMoved", x, r.Y+40, 0)
	b.mouse("mousePressed", x, r.Y+40, 1)
	b.mouse("mouseReleased", x, r.Y+40, 1)
	b.eval(`new Promise(r => { const f = () => vqeval.state.frame !== 36 ? r(true) : setTimeout(f, 10); f(); })`, nil)
	b.want(`vqeval.state.frame`, "200")
	b.eval(`vqeval.setFrame(36)`, nil)
}

func showsMaps(t *testing.T, b *browser) {
	b.want(`document.getElementById('scale').hidden`, "true")
	b.eval(`window.before = document.getElementById('rightimage').src; document.querySelector('input[value=difference]').click()`, nil)
	b.want(`document.getElementById('scale').textContent`, "|difference of luma| ×4: 0≥ 63")
	b.want(`document.getElementById('rightimage').src !== before && document.getElementById('rightimage').alt === 'UDP: difference, frame 36'`, "true")
	b.eval(`document.querySelector('input[value=ssim]').click()`, nil)
	b.want(`document.getElementById('rightimage').alt`, "UDP: SSIM map, frame 36")
	b.eval(`document.querySelector('input[value=picture]').click()`, nil)
}

func hides(t *testing.T, b *browser) {
	b.eval(`document.querySelector('#legend button').click()`, nil)
	b.want(`document.querySelector('#legend button').getAttribute('aria-pressed')`, "false")
	b.want(`vqeval.groups[0].plots[0].series.filter(s => s.show).length`, "3") // frame and two curves
	b.want(`document.getElementById('hover').textContent.includes('UDP')`, "false")
	b.eval(`document.querySelector('#legend button').click()`, nil)
	b.want(`vqeval.groups[0].plots[0].series.filter(s => s.show).length`, "4")
}

func sweeps(t *testing.T, b *browser) {
	const g = `vqeval.groups.find(g => g.key === 'sweeps')`
	b.want(g+`.plots.length`, "3")
	b.want(`document.getElementById('sweepchoice').parentNode.hidden`, "true") // one chart: nothing to choose
	b.want(`document.querySelectorAll('#sweepkey svg').length`, "4")
	r := b.box(`document.querySelector('#sweepplots .u-over')`)
	b.mouse("mouseMoved", r.X+r.Width-2, r.Y+40, 0)
	b.settle()
	b.want(`document.querySelector('#sweepplots h3').textContent.startsWith('SSIM · UDP 0.99, QUIC 0.8')`, "true")
	b.mouse("mouseMoved", 5, 5, 0)
}

func saves(t *testing.T, b *browser) {
	b.want(`vqeval.unpack(vqeval.data.files[0]).then(b => b.text())`, "frame,ssim_y\n0,1\n")
	b.want(`document.querySelectorAll('#saves button').length`, "2")
}

// sparse opens pages that have only some of the parts: what is absent must not
// stop what is there.
func sparse(t *testing.T, b *browser) {
	t.Helper()
	full := typicalPage(t, 1, 60)
	for name, p := range map[string]Page{
		"nothing": {Title: "empty"},
		"curves":  {Title: "<script>alert(1)</script> & more", Frame: 36, Curves: full.Curves},
		"frames":  {Frame: 36, Frames: full.Frames},
		"other":   {Packets: full.Packets, Latency: full.Latency[:1], Tables: full.Tables},
		"one":     {Frame: 0, Curves: []Curve{{Name: "UDP", Rows: full.Curves[0].Rows[:1]}}, Timelines: full.Timelines},
	} {
		b.open(pageFile(t, p), 800, 600)
		b.want(`document.title`, p.Title)
		for _, x := range b.complaints() {
			t.Errorf("%s: complaint: %s", name, x)
		}
	}
}
