package kernel

import "math"

// direct computes the mean SSIM of two planes in float64 straight from the
// formula: a full two-dimensional window at every position, five moments, no
// sliding, no separation. It shares nothing with the kernels.
type direct struct {
	window [11][11]float64 // weights, of sum 1
	edges  bool            // around every sample, edges replicated; else where the window fits
}

func gaussWindow() (w [11][11]float64) {
	sum := 0.
	for y := range w {
		for x := range w[y] {
			dx, dy := float64(x-5), float64(y-5)
			w[y][x] = math.Exp(-(dx*dx + dy*dy) / (2 * 1.5 * 1.5))
			sum += w[y][x]
		}
	}
	for y := range w {
		for x := range w[y] {
			w[y][x] /= sum
		}
	}
	return w
}

func boxWindow() (w [11][11]float64) {
	for y := range w {
		for x := range w[y] {
			w[y][x] = 1. / 121
		}
	}
	return w
}

// at reads a sample of depth 8 to 16 from a plane without padding.
func at(p []byte, w, x, y, depth int) float64 {
	i := y*w + x
	if depth == 8 {
		return float64(p[i])
	}
	return float64(int(p[2*i]) | int(p[2*i+1])<<8)
}

func (d direct) mean(a, b []byte, w, h, depth int) (ssim, contrast float64) {
	return d.meanOf(func(x, y int) (float64, float64) { return at(a, w, x, y, depth), at(b, w, x, y, depth) }, w, h, depth)
}

func (d direct) meanOf(pair func(x, y int) (p, q float64), w, h, depth int) (ssim, contrast float64) {
	x0, x1, y0, y1 := 5, w-5, 5, h-5
	if d.edges {
		x0, x1, y0, y1 = 0, w, 0, h
	}
	l := float64(int(1)<<depth - 1)
	c1, c2 := .01*l*.01*l, .03*l*.03*l
	for y := y0; y < y1; y++ {
		for x := x0; x < x1; x++ {
			mx, my, sx, sy, sxy := d.moments(pair, w, h, x, y)
			cs := (2*sxy + c2) / (sx + sy + c2)
			ssim += (2*mx*my + c1) / (mx*mx + my*my + c1) * cs
			contrast += cs
		}
	}
	n := float64(x1-x0) * float64(y1-y0)
	return ssim / n, contrast / n
}

func (d direct) moments(pair func(x, y int) (p, q float64), w, h, x, y int) (mx, my, sx, sy, sxy float64) {
	var xs, ys [11][11]float64
	for j := range 11 {
		for i := range 11 {
			cx, cy := min(max(x+i-5, 0), w-1), min(max(y+j-5, 0), h-1)
			xs[j][i], ys[j][i] = pair(cx, cy)
			mx += d.window[j][i] * xs[j][i]
			my += d.window[j][i] * ys[j][i]
		}
	}
	for j := range 11 {
		for i := range 11 {
			g, p, q := d.window[j][i], xs[j][i]-mx, ys[j][i]-my
			sx += g * p * p
			sy += g * q * q
			sxy += g * p * q
		}
	}
	return mx, my, sx, sy, sxy
}
