package report

import (
	"image/color"
	"strings"

	"github.com/vqeval/vqeval/metrics"
)

// Ink of the static pictures, which are always drawn on white.
const (
	inkText  = 0x222222
	inkFaint = 0x666666
	inkGrid  = 0xe4e4e4
	inkFrame = 0x888888
)

// rgb turns 0xRRGGBB into an opaque colour.
func rgb(v uint32) color.RGBA {
	return color.RGBA{R: uint8(v >> 16), G: uint8(v >> 8), B: uint8(v), A: 0xff}
}

// hexColor turns a colour into "#rrggbb", as CSS and SVG spell it.
func hexColor(c color.RGBA) string {
	const digits = "0123456789abcdef"
	s := []byte("#000000")
	for i, v := range []uint8{c.R, c.G, c.B} {
		s[1+2*i], s[2+2*i] = digits[v>>4], digits[v&15]
	}
	return string(s)
}

// mix returns a with the share t (0..1) of b in it.
func mix(a, b color.RGBA, t float64) color.RGBA {
	f := func(x, y uint8) uint8 { return uint8(float64(x) + (float64(y)-float64(x))*t + .5) }
	return color.RGBA{R: f(a.R, b.R), G: f(a.G, b.G), B: f(a.B, b.B), A: 0xff}
}

// Color returns the colour of a transport's curve, the same in every picture.
// The longest known name that name begins with decides, whatever its case, so
// that "QUIC, 100 ms" is as red as "quic"; a variant such as quic-dgram has a
// relative of its transport's colour. Any other name is slate grey.
func Color(name string) color.RGBA {
	if c, known := transportColor(name); known {
		return c
	}
	return rgb(0x5c677d)
}

// transportColor is Color, and says whether the name is a transport's.
func transportColor(name string) (c color.RGBA, known bool) {
	n := strings.ReplaceAll(strings.ToLower(strings.TrimSpace(name)), " ", "-")
	best := 0
	for _, k := range []struct {
		prefix string
		rgb    uint32
	}{
		{"udp", 0x1f5fd6}, {"quic", 0xd62728}, {"rquic", 0x2ca02c}, {"tcp", 0xff7f0e},
		{"tls", 0x9467bd}, {"tcp+tls", 0x9467bd},
		{"quic-au", 0x8c1c4a}, {"quic-dgram", 0xf2789f}, {"quic-datagram", 0xf2789f},
	} {
		if strings.HasPrefix(n, k.prefix) && len(k.prefix) > best {
			best, c = len(k.prefix), rgb(k.rgb)
		}
	}
	return c, best > 0
}

// other returns the i-th colour for what is not a transport.
func other(i int) color.RGBA {
	c := [...]uint32{0x0a7d8c, 0x8c564b, 0xe377c2, 0xa3a012, 0x5c677d, 0x17becf}
	return rgb(c[i%len(c)])
}

// palette gives every name its colour. A name whose colour is taken by an
// earlier one (two deadlines of QUIC, say) gets a paler shade of it; names
// that are no transport take the other colours in turn.
func palette(names []string) []color.RGBA {
	out := make([]color.RGBA, len(names))
	taken := map[color.RGBA]int{}
	strangers := 0
	for i, n := range names {
		c, known := transportColor(n)
		if !known {
			c = other(strangers)
			strangers++
		}
		k := taken[c]
		taken[c]++
		out[i] = mix(c, rgb(0xffffff), min(.3*float64(k), .75))
	}
	return out
}

// verdictColor returns the colour of a verdict's mark. The six differ in
// lightness and along the blue-orange axis, so that they stay apart for the
// colour-blind (after Okabe and Ito, Color Universal Design, 2008).
func verdictColor(v metrics.Verdict) color.RGBA {
	switch v {
	case metrics.OK:
		return rgb(0xb5c4bb)
	case metrics.Damaged:
		return rgb(0xe69f00)
	case metrics.Frozen:
		return rgb(0x56b4e9)
	case metrics.Late:
		return rgb(0x0072b2)
	case metrics.Expired:
		return rgb(0xcc79a7)
	}
	return rgb(0x222222)
}

// verdicts lists all of them from harmless to worst, the order of every legend.
func verdicts() []metrics.Verdict {
	return []metrics.Verdict{metrics.OK, metrics.Damaged, metrics.Frozen, metrics.Late, metrics.Expired, metrics.Missing}
}

// verdictName returns the word for v: ok, damaged, frozen, late, expired or missing.
func verdictName(v metrics.Verdict) string {
	b, err := v.MarshalText()
	if err != nil {
		return "unknown"
	}
	return string(b)
}
