package report

import (
	"bytes"
	"encoding/xml"
	"io"
	"math"
	"testing"
	"time"
)

// deadlines is a family of curves as an experiment with five deadlines gives.
func deadlines() []LatencyCurve {
	at := []time.Duration{0, 50 * time.Millisecond, 100 * time.Millisecond, 200 * time.Millisecond, 500 * time.Millisecond, time.Second}
	curve := func(name string, half float64, top float64) LatencyCurve {
		c := LatencyCurve{Name: name}
		for _, d := range at {
			x := d.Seconds() * 1e3
			if d == 0 {
				x = 1e5
			}
			v := .3 + (top-.3)*x/(x+half)
			c.Points = append(c.Points, LatencyPoint{Deadline: d, Mean: v, Low: v - .03, High: min(1, v+.02)})
		}
		return c
	}
	return []LatencyCurve{curve("UDP", 5, .74), curve("QUIC", 220, 1), curve("rQUIC", 60, .97), curve("TCP", 330, 1)}
}

// connection is a time line as rQUIC's sender logs it.
func connection() []TimePanel {
	var queue, window, rtt, least Trace
	queue.Name, window.Name, rtt.Name, least.Name = "link queue", "window", "RTT", "least RTT"
	for i := range 600 {
		t := time.Duration(i) * 25 * time.Millisecond
		s := t.Seconds()
		for _, x := range []*Trace{&queue, &window, &rtt, &least} {
			x.T = append(x.T, t)
		}
		w := 40 + 25*math.Pow(math.Mod(s, 3)-1.2, 3)
		queue.V = append(queue.V, max(0, w-45))
		window.V = append(window.V, max(w, 4))
		rtt.V = append(rtt.V, 40+max(0, w-45)*1.6)
		least.V = append(least.V, 40)
	}
	return []TimePanel{
		{Label: "KiB", Traces: []Trace{queue, window}, Steps: true},
		{Label: "RTT, ms", Traces: []Trace{rtt, least}},
	}
}

func TestLatencyGolden(t *testing.T) {
	drawn(t)
	var b bytes.Buffer
	if err := Latency(&b, deadlines(), LatencyOptions{Title: "Quality under a playout deadline"}); err != nil {
		t.Fatal(err)
	}
	golden(t, "latency", b.Bytes())
}

func TestTimelineGolden(t *testing.T) {
	drawn(t)
	var b bytes.Buffer
	if err := Timeline(&b, connection(), TimelineOptions{Title: "rQUIC: queue, window, round-trip time", Mark: 1440 * time.Millisecond}); err != nil {
		t.Fatal(err)
	}
	golden(t, "timeline", b.Bytes())
}

// Text becomes outlines, so that no viewer needs the font; and the same input
// gives the same bytes.
func TestFormats(t *testing.T) {
	curves := typical()
	var svg, again, pdf bytes.Buffer
	for _, c := range []struct {
		w *bytes.Buffer
		f Format
	}{{&svg, SVG}, {&again, SVG}, {&pdf, PDF}} {
		if err := Figure(c.w, curves, FigureOptions{Title: "Кадры, 5 Мбит/с", Frame: 36, Format: c.f}); err != nil {
			t.Fatalf("%v: %v", c.f, err)
		}
	}
	if !bytes.Equal(svg.Bytes(), again.Bytes()) {
		t.Error("two SVGs of the same curves differ")
	}
	for d := xml.NewDecoder(&again); ; {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatalf("SVG is not XML: %v", err)
		}
	}
	if bytes.Contains(svg.Bytes(), []byte("<text")) {
		t.Error("SVG holds text, want outlines")
	}
	if !bytes.HasPrefix(pdf.Bytes(), []byte("%PDF-")) || pdf.Len() < 5000 {
		t.Errorf("PDF of %d bytes", pdf.Len())
	}
}

func TestText(t *testing.T) {
	for f := PNG; f <= PDF; f++ {
		var g Format
		if b, err := f.MarshalText(); err != nil || g.UnmarshalText(b) != nil || g != f {
			t.Errorf("%v does not read back", f)
		}
	}
	for m := SSIM; m <= PSNR; m++ {
		var g Metric
		if b, err := m.MarshalText(); err != nil || g.UnmarshalText(b) != nil || g != m {
			t.Errorf("%v does not read back", m)
		}
	}
	if new(Format).UnmarshalText([]byte("gif")) == nil || new(Metric).UnmarshalText([]byte("vmaf")) == nil {
		t.Error("an unknown name was accepted")
	}
}
