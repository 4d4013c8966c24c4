package report

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"
)

// browser is a headless Chromium, driven by the DevTools protocol over a pipe:
// JSON messages that end in a zero byte.
type browser struct {
	t       *testing.T
	in      io.Writer
	session string
	next    int

	mu      sync.Mutex
	waiting map[int]chan message
	events  []message
	closed  chan struct{}
}

type message struct {
	ID     int             `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Message string `json:"message"`
	} `json:"error"`
}

// startBrowser skips the test where there is no Chromium.
func startBrowser(t *testing.T) *browser {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if p, err := exec.LookPath(name); err == nil {
			path = p
			break
		}
	}
	if path == "" {
		t.Skip("no Chromium here; apt-get install chromium")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	cmd := exec.CommandContext(ctx, path, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
		"--force-color-profile=srgb", "--remote-debugging-pipe", "--user-data-dir="+profile(t), "about:blank")
	toRead, toWrite, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	fromRead, fromWrite, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.ExtraFiles = []*os.File{toRead, fromWrite} // descriptors 3 and 4
	if err := cmd.Start(); err != nil {
		cancel()
		t.Skipf("Chromium does not start: %v", err)
	}
	toRead.Close()
	fromWrite.Close()
	b := &browser{t: t, in: toWrite, waiting: map[int]chan message{}, closed: make(chan struct{})}
	go b.read(fromRead)
	t.Cleanup(func() {
		toWrite.Close() // Chromium ends with its pipe
		cancel()
		cmd.Wait()
		<-b.closed
		fromRead.Close()
	})
	return b
}

// profile is a folder for Chromium, whose last processes may still write there
// for a moment when it has ended.
func profile(t *testing.T) string {
	dir, err := os.MkdirTemp("", "chromium")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for range 50 {
			if os.RemoveAll(dir) == nil {
				return
			}
			time.Sleep(20 * time.Millisecond)
		}
		t.Logf("%s stays behind", dir)
	})
	return dir
}

func (b *browser) read(r io.Reader) {
	defer close(b.closed)
	for in := bufio.NewReader(r); ; {
		raw, err := in.ReadBytes(0)
		if err != nil {
			return
		}
		var m message
		if json.Unmarshal(raw[:len(raw)-1], &m) != nil {
			continue
		}
		b.mu.Lock()
		if c, ok := b.waiting[m.ID]; ok && m.ID != 0 {
			delete(b.waiting, m.ID)
			c <- m
		} else {
			b.events = append(b.events, m)
		}
		b.mu.Unlock()
	}
}

// call sends a command and decodes its result into out, which may be nil.
func (b *browser) call(method string, params map[string]any, out any) {
	b.t.Helper()
	b.next++
	c := make(chan message, 1)
	b.mu.Lock()
	b.waiting[b.next] = c
	b.mu.Unlock()
	m := map[string]any{"id": b.next, "method": method, "params": params}
	if b.session != "" {
		m["sessionId"] = b.session
	}
	raw, err := json.Marshal(m)
	if err != nil {
		b.t.Fatal(err)
	}
	if _, err := b.in.Write(append(raw, 0)); err != nil {
		b.t.Fatalf("%s: %v", method, err)
	}
	select {
	case m := <-c:
		if m.Error != nil {
			b.t.Fatalf("%s: %s", method, m.Error.Message)
		}
		if out != nil {
			if err := json.Unmarshal(m.Result, out); err != nil {
				b.t.Fatalf("%s: %v", method, err)
			}
		}
	case <-b.closed:
		b.t.Fatalf("%s: Chromium has gone", method)
	}
}

// attach makes a page and listens to it.
func (b *browser) attach() {
	b.t.Helper()
	var target struct{ TargetID string }
	b.call("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct{ SessionID string }
	b.call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	b.session = attached.SessionID
	for _, domain := range []string{"Page", "Runtime", "Log", "Network"} {
		b.call(domain+".enable", nil, nil)
	}
}

// open loads a file into the page, at a size and in a scheme ("light" when none
// is named), and waits until it is there.
func (b *browser) open(path string, width, height int, features ...string) {
	b.t.Helper()
	if b.session == "" {
		b.attach()
	}
	b.mu.Lock()
	b.events = nil
	b.mu.Unlock()
	scheme := "light"
	if len(features) > 0 {
		scheme = features[0]
	}
	b.call("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}}, nil)
	b.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}, nil)
	b.eval(`delete window.vqeval`, nil) // of the page before
	b.call("Page.navigate", map[string]any{"url": "file://" + path}, nil)
	ready := false
	b.eval(`new Promise(r => { let n = 0; const f = () => window.vqeval && document.readyState === 'complete' ? r(true) : n++ < 1500 ? setTimeout(f, 10) : r(false); f(); })`, &ready)
	if !ready {
		b.t.Fatalf("the page did not start: %v", b.complaints())
	}
	b.settle()
}

// eval runs an expression in the page; a promise is awaited.
func (b *browser) eval(expression string, out any) {
	b.t.Helper()
	var r struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails *struct {
			Exception struct{ Description string }
		}
	}
	b.call("Runtime.evaluate", map[string]any{"expression": expression, "awaitPromise": true, "returnByValue": true}, &r)
	if r.ExceptionDetails != nil {
		b.t.Fatalf("%s: %s", expression, r.ExceptionDetails.Exception.Description)
	}
	if out == nil {
		return
	}
	if err := json.Unmarshal(r.Result.Value, out); err != nil {
		b.t.Fatalf("%s gave %s: %v", expression, r.Result.Value, err)
	}
}
