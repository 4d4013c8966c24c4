package report

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// uPlot is version 1.6.32 as its authors published it on npm.
func TestVendored(t *testing.T) {
	for name, want := range map[string]string{
		"LICENSE":           "8f989229699b4fe2f1a0432d0e9edc338a8a911e250e2d1b01ecd770a5f5b1bd",
		"uPlot.iife.min.js": "19c8d4c6ad88929a79f4ae49d6f7161566dfd0ba3d15cc495e974f787eb78f1f",
		"uPlot.min.css":     "df630c6a8d6f8eeaff264b50f73ce5b114f646ffd9a0bb74f049b0a00135fa04",
	} {
		b, err := web.ReadFile("web/uplot/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if sum := sha256.Sum256(b); hex.EncodeToString(sum[:]) != want {
			t.Errorf("%s has the SHA-256 %x, want %s", name, sum, want)
		}
	}
}

func TestColor(t *testing.T) {
	for name, want := range map[string]string{
		"quic": "#d62728", "QUIC": "#d62728", "QUIC, 100 ms": "#d62728", "udp-seed1": "#1f5fd6", "rquic": "#2ca02c",
		"tcp": "#ff7f0e", "tls": "#9467bd", "tcp+tls": "#9467bd", "quic-au": "#8c1c4a", "quic-dgram": "#f2789f", "other": "#5c677d",
	} {
		if got := hexColor(Color(name)); got != want {
			t.Errorf("Color(%q) = %s, want %s", name, got, want)
		}
	}
	seen := map[string]bool{}
	for _, c := range palette([]string{"QUIC, 50 ms", "QUIC, 100 ms", "QUIC", "queue", "window", "RTT"}) {
		if seen[hexColor(c)] {
			t.Errorf("%s twice in one picture", hexColor(c))
		}
		seen[hexColor(c)] = true
	}
}

func TestNiceStep(t *testing.T) {
	for _, c := range []struct {
		span     float64
		n        int
		step     float64
		decimals int
	}{{374, 8, 50, 0}, {.8, 5, .2, 1}, {.02, 5, .005, 3}, {100, 5, 20, 0}, {1, 1, 1, 0}, {0, 5, 1, 0}, {1e6, 4, 500000, 0}} {
		step, decimals := niceStep(c.span, c.n)
		if math.Abs(step-c.step) > 1e-12 || decimals != c.decimals {
			t.Errorf("niceStep(%v, %d) = %v with %d decimals, want %v with %d", c.span, c.n, step, decimals, c.step, c.decimals)
		}
	}
}

func TestBinPackets(t *testing.T) {
	at := func(ms int, place string) PacketEvent {
		return PacketEvent{At: time.Duration(ms) * time.Millisecond, Place: place}
	}
	got := binPackets([]Lane{
		{Name: "UDP", Events: []PacketEvent{at(31, "random loss"), at(0, ""), at(9, ""), at(12, "link queue")}},
		{Name: "QUIC", Events: []PacketEvent{at(25, "")}},
	})
	want := []laneData{
		{Name: "UDP", Counts: [][]int{{2, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 0, 1}}, Totals: []int{2, 1, 1}},
		{Name: "QUIC", Counts: [][]int{{0, 0, 1, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}}, Totals: []int{1, 0, 0}},
	}
	if d := cmp.Diff(want, got.Lanes); d != "" {
		t.Errorf("lanes differ (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]string{"arrived", "link queue", "random loss"}, got.Places); d != "" {
		t.Errorf("places differ (-want +got):\n%s", d)
	}
	long := binPackets([]Lane{{Events: []PacketEvent{at(3600*1000, "")}}})
	if n := len(long.Lanes[0].Counts[0]); n > maxBins {
		t.Errorf("an hour in %d bins, want at most %d", n, maxBins)
	}
}

// Numbers that JSON does not have become null, others keep six digits.
func TestNum(t *testing.T) {
	b, err := json.Marshal([]num{1, .123456789, 100, num(math.NaN()), num(math.Inf(1)), 1581.3712})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(b), "[1,0.123457,100,null,null,1581.37]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// A picture that several transports share, such as the undamaged one, is in the
// page once.
func TestViewsShareImages(t *testing.T) {
	ref := scene(yuv420(), 64, 48, 0)
	v, err := NewFrameView(36, ref, panels(ref, 5), ViewOptions{Lossless: true})
	if err != nil {
		t.Fatal(err)
	}
	var d pageData
	d.addViews([]FrameView{v})
	// The reference; UDP and rQUIC with two maps each; the empty maps of the rest.
	if got, want := len(d.Images), 1+2*3+2; got != want {
		t.Errorf("%d images, want %d", got, want)
	}
	if d.Views[0].Image != d.Views[0].Shots[1].Picture {
		t.Error("the undamaged picture is not the reference's")
	}
}

func TestSummary(t *testing.T) {
	s := newSummary([]Cell{
		{Transport: "UDP", Seeds: 3, Counts: map[string]int{"ok": 1, "damaged": 3}, SSIM: Interval{.75, .7, .8}, PSNR: Interval{Mean: 20}, Deadline: 200 * time.Millisecond},
		{Transport: "QUIC", Counts: map[string]int{"ok": 4}, SSIM: Interval{1, 1, 1}},
	})
	if d := cmp.Diff([]string{"deadline", "seeds", "SSIM", "PSNR, dB", "MSE"}, s.Head); d != "" {
		t.Errorf("columns differ (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]cellText{{"200 ms", ""}, {"3", ""}, {"0.7500", "0.7000 – 0.8000"}, {"20.00", ""}, {"0.00", ""}}, s.Rows[0].Columns); d != "" {
		t.Errorf("row differs (-want +got):\n%s", d)
	}
	if got, want := s.Rows[0].Verdicts, "1 ok, 3 damaged"; got != want {
		t.Errorf("verdicts %q, want %q", got, want)
	}
}
