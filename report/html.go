package report

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"strings"
)

//go:embed web
var web embed.FS

// scripts in the order in which they are joined; all but the library are ours.
func scripts() []string {
	return []string{"app.js", "plot.js", "charts.js", "viewer.js", "time.js", "latency.js", "sweep.js", "files.js", "main.js"}
}

// HTML writes the report as one page that needs nothing else: no server, no
// network, no further file. Its policy (Content-Security-Policy) allows no
// request at all and no script or style but its own, which are named by hash.
// Charts are drawn by uPlot, which is part of the page.
//
// The page follows the reader's light or dark scheme, works with mouse, touch
// and keyboard, down to 390 pixels width, and prints.
func HTML(w io.Writer, p Page) error {
	data, err := p.data()
	if err != nil {
		return fmt.Errorf("report page: %w", err)
	}
	doc, err := newDocument(p, data)
	if err != nil {
		return fmt.Errorf("report page: %w", err)
	}
	t, err := template.New("page.html").ParseFS(web, "web/page.html")
	if err != nil {
		return fmt.Errorf("report page: %w", err)
	}
	if err := t.Execute(w, doc); err != nil {
		return fmt.Errorf("report page: %w", err)
	}
	return nil
}

// document is what the template fills in.
type document struct {
	Page
	Policy   string
	Style    template.CSS
	Script   template.JS
	Data     template.JS // JSON, in a block that no browser executes
	Cells    summary
	Verdicts []verdictData
	Has      struct{ Curves, Frames, Packets, Timelines, Latency, Sweeps, Files bool }
}

func newDocument(p Page, data pageData) (document, error) {
	doc := document{Page: p, Cells: newSummary(p.Summary), Verdicts: data.Verdicts}
	js, err := json.Marshal(data) // escapes <, > and &
	if err != nil {
		return doc, err
	}
	doc.Data = template.JS(js)
	css, err := join("uplot/uPlot.min.css", "report.css")
	if err != nil {
		return doc, err
	}
	library, err := join("uplot/uPlot.iife.min.js")
	if err != nil {
		return doc, err
	}
	own, err := join(scripts()...)
	if err != nil {
		return doc, err
	}
	script := library + "(()=>{'use strict';\n" + own + "})();\n"
	doc.Style, doc.Script = template.CSS(css), template.JS(script)
	doc.Policy = fmt.Sprintf("default-src 'none'; script-src %s; style-src %s; img-src data:; base-uri 'none'; form-action 'none'",
		integrity(script), integrity(css))
	h := &doc.Has
	h.Curves, h.Frames, h.Packets = len(p.Curves) > 0, len(p.Frames) > 0, len(p.Packets) > 0
	h.Timelines, h.Latency, h.Sweeps, h.Files = len(p.Timelines) > 0, len(p.Latency) > 0, len(p.Sweeps) > 0, len(p.Files) > 0
	return doc, nil
}

// join reads files of the web folder, one after the other.
func join(names ...string) (string, error) {
	var b strings.Builder
	for _, n := range names {
		text, err := web.ReadFile("web/" + n)
		if err != nil {
			return "", err
		}
		b.Write(text)
		b.WriteByte('\n')
	}
	return b.String(), nil
}

// integrity names a script or style by its hash, as a policy does.
func integrity(s string) string {
	h := sha256.Sum256([]byte(s))
	return "'sha256-" + base64.StdEncoding.EncodeToString(h[:]) + "'"
}
