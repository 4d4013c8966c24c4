package report

import (
	"bytes"
	"strings"
	"testing"
)

func TestFigureGolden(t *testing.T) {
	drawn(t)
	for _, c := range []struct {
		name   string
		curves []Curve
		o      FigureOptions
	}{
		{"figure-two", typical(), FigureOptions{Title: "Quality per frame: QUIC against UDP, 5 Mbit/s", Frame: 36}},
		{"figure-five", typical("rQUIC", "TCP", "TLS"), FigureOptions{Title: "Five transports", Frame: 36}},
		{"figure-psnr", typical(), FigureOptions{Title: "PSNR", Frame: -1, Metrics: []Metric{PSNR}, NoStrip: true}},
		{"figure-mse", typical("QUIC-dgram"), FigureOptions{Frame: 36, Metrics: []Metric{MSE}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var b bytes.Buffer
			if err := Figure(&b, c.curves, c.o); err != nil {
				t.Fatal(err)
			}
			golden(t, c.name, b.Bytes())
		})
	}
}

func TestFigureErrors(t *testing.T) {
	for _, c := range []struct {
		name   string
		curves []Curve
		want   string
	}{
		{"none", nil, "no curves"},
		{"empty", []Curve{{Name: "UDP"}}, "UDP has no frames"},
	} {
		if err := Figure(&bytes.Buffer{}, c.curves, FigureOptions{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got error %v, want one that says %q", c.name, err, c.want)
		}
	}
}
