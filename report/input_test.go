package report

// settle waits for two frames of the page to be drawn.
func (b *browser) settle() {
	b.t.Helper()
	b.eval(`new Promise(r => requestAnimationFrame(() => requestAnimationFrame(() => r(true))))`, nil)
}

// mouse sends one mouse event with the left button.
func (b *browser) mouse(kind string, x, y float64, clicks int) {
	b.t.Helper()
	p := map[string]any{"type": kind, "x": x, "y": y, "button": "left", "clickCount": clicks}
	if kind == "mouseMoved" && clicks == 0 {
		p["button"] = "none"
	}
	if clicks > 0 {
		p["buttons"] = 1
	}
	b.call("Input.dispatchMouseEvent", p, nil)
}

// drag presses at one point, moves to the other in steps, and lets go.
func (b *browser) drag(x0, y0, x1, y1 float64) {
	b.t.Helper()
	b.mouse("mouseMoved", x0, y0, 0)
	b.mouse("mousePressed", x0, y0, 1)
	for i := 1.; i <= 5; i++ {
		b.mouse("mouseMoved", x0+(x1-x0)*i/5, y0+(y1-y0)*i/5, 1)
	}
	b.mouse("mouseReleased", x1, y1, 1)
	b.settle()
}

// key presses a key that types nothing.
func (b *browser) key(key string) {
	b.t.Helper()
	for _, kind := range []string{"keyDown", "keyUp"} {
		b.call("Input.dispatchKeyEvent", map[string]any{"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": map[string]int{"ArrowLeft": 37, "ArrowRight": 39}[key]}, nil)
	}
	b.settle()
}
