package batch

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"math"
	"strconv"
	"strings"
)

//go:embed index.html
var indexHTML string

//go:embed index.css
var indexCSS string

//go:embed index.js
var indexJS string

// An Index is the page that lists all captures. Paths count from the page.
type Index struct {
	Title  string
	Made   Made
	Labels []string
	Rows   []Row
	Plots  []Plot
	Link   func(Row) string // page of a capture, or its scores; "" = there is none
}

// A Plot is a picture on the index.
type Plot struct{ Path, Caption string }

type indexHead struct {
	Name   string
	Number bool
}

type indexCell struct {
	Text, Link string
	Number     bool
	Span       int // columns, 0 = one
}

type indexRow struct {
	Failed bool
	Cells  []indexCell
}

// indexNumbers are the columns of numbers on the page, and their decimals.
var indexNumbers = [...]struct {
	name     string
	decimals int
}{
	{"deadline_ms", -1}, {"frames", 0}, {"ok", 0}, {"damaged", 0}, {"frozen", 0}, {"late", 0}, {"expired", 0}, {"missing", 0},
	{"psnr_y_mean", 2}, {"psnr_y_total", 2}, {"psnr_y_min", 2}, {"ssim_y_mean", 4}, {"ssim_y_min", 4}, {"mse_y_mean", 2},
	{"ms_ssim_mean", 4}, {"delay_ms_p50", 0}, {"goodput_mbps", 2}, {"packets_lost", 0},
}

// WriteIndex writes the index: one page with its own style and script, sortable
// by each column. It needs the network for nothing.
func WriteIndex(w io.Writer, x Index) error {
	t, err := template.New("index").Parse(indexHTML)
	if err != nil {
		return fmt.Errorf("index: %w", err)
	}
	head, pick := x.columns()
	rows := make([]indexRow, len(x.Rows))
	failed, pooled, dialect := 0, "", ""
	for i, r := range x.Rows {
		rows[i] = x.row(r, pick)
		if r.Failed() {
			failed++
			continue
		}
		pooled, dialect = r.Pooled, r.Dialect
	}
	var b bytes.Buffer
	err = t.Execute(&b, map[string]any{
		"Title": x.Title, "Made": x.Made, "Plots": x.Plots, "Head": head, "Rows": rows,
		"Failed": failed, "Scored": len(rows) - failed, "Pooled": pooled, "Dialect": dialect,
		"Style": template.CSS(indexCSS), "Script": template.JS(indexJS),
		"StyleHash": contentHash(indexCSS), "ScriptHash": contentHash(indexJS),
	})
	if err != nil {
		return fmt.Errorf("index: %w", err)
	}
	_, err = w.Write(b.Bytes())
	return err
}

// contentHash is how a content security policy names a style or script.
func contentHash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// columns chooses the columns in which there is anything: what they are called,
// and which of indexNumbers they are.
func (x Index) columns() (head []indexHead, pick []int) {
	head = []indexHead{{"capture", false}, {"reference", false}}
	for i, c := range indexNumbers {
		for _, r := range x.Rows {
			if !math.IsNaN(r.Number(c.name)) {
				head, pick = append(head, indexHead{c.name, true}), append(pick, i)
				break
			}
		}
	}
	for _, l := range x.Labels {
		head = append(head, indexHead{l, false})
	}
	return append(head, indexHead{"remarks", false}), pick
}

func (x Index) row(r Row, pick []int) indexRow {
	link := ""
	if x.Link != nil {
		link = x.Link(r)
	}
	cells := []indexCell{{Text: r.Item.Captured, Link: link}, {Text: r.Item.Reference}}
	remarks := strings.Join(r.Notes, "; ")
	switch {
	case r.Failed() && len(pick) > 1: // the reason is in the numbers' place
		cells, pick = append(cells, indexCell{Text: r.Reason(), Span: len(pick)}), nil
	case r.Failed():
		remarks = r.Reason()
	}
	for _, i := range pick {
		text := ""
		if v := r.Number(indexNumbers[i].name); !math.IsNaN(v) {
			text = strconv.FormatFloat(v, 'f', indexNumbers[i].decimals, 64)
		}
		cells = append(cells, indexCell{Text: text, Number: true})
	}
	for i := range x.Labels {
		label := ""
		if i < len(r.Item.Labels) {
			label = r.Item.Labels[i]
		}
		cells = append(cells, indexCell{Text: label})
	}
	return indexRow{Failed: r.Failed(), Cells: append(cells, indexCell{Text: remarks})}
}
