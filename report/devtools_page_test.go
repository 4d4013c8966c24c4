package report

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
)

// want evaluates an expression, whose value must print as want.
func (b *browser) want(expression, want string) {
	b.t.Helper()
	var got any
	b.eval(expression, &got)
	if s := fmt.Sprint(got); s != want {
		b.t.Errorf("%s = %s, want %s", expression, s, want)
	}
}

// complaints lists console errors, exceptions and every request beyond the file.
func (b *browser) complaints() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	var out []string
	for _, e := range b.events {
		text := string(e.Params)
		switch {
		case e.Method == "Runtime.exceptionThrown", e.Method == "Log.entryAdded",
			e.Method == "Runtime.consoleAPICalled" && strings.Contains(text, `"type":"error"`):
			out = append(out, text)
		case e.Method == "Network.requestWillBeSent":
			var p struct{ Request struct{ URL string } }
			if json.Unmarshal(e.Params, &p) == nil && !strings.HasPrefix(p.Request.URL, "file://") && !strings.HasPrefix(p.Request.URL, "data:") {
				out = append(out, "request for "+p.Request.URL)
			}
		}
	}
	return out
}

// screenshot saves the whole page when pictures are asked for.
func (b *browser) screenshot(path string) {
	b.t.Helper()
	b.settle()
	var r struct{ Data string }
	b.call("Page.captureScreenshot", map[string]any{"captureBeyondViewport": true, "format": "png"}, &r)
	b.save(path, r.Data)
}

// pdf saves the page as it prints.
func (b *browser) pdf(path string) {
	b.t.Helper()
	var r struct{ Data string }
	b.call("Page.printToPDF", map[string]any{"paperWidth": 8.27, "paperHeight": 11.69, "printBackground": false}, &r)
	b.save(path, r.Data)
}

func (b *browser) save(path, data string) {
	b.t.Helper()
	raw, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		b.t.Fatal(err)
	}
	write(b.t, path, raw)
}
