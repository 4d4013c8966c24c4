package batch

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/vqeval/vqeval/metrics"
)

// wordsBefore and wordsBehind are the columns of a summary that are not numbers,
// before and behind those that are.
var (
	wordsBefore = [...]string{"reference", "captured"}
	wordsBehind = [...]string{"ssim_dialect", "align", "pooled", "name", "error", "notes"}
)

// SummaryColumns lists the columns of a summary: what was compared, the numbers,
// how it was done, the labels.
func SummaryColumns(labels []string) []string {
	return slices.Concat(wordsBefore[:], numberNames[:], wordsBehind[:], labels)
}

// words returns the texts of a row for wordsBehind.
func (r Row) words() []string {
	return []string{r.Dialect, r.Align, r.Pooled, r.Item.Name, r.Err, strings.Join(r.Notes, "; ")}
}

// cells returns a row in the order of SummaryColumns.
func (r Row) cells(labels int) []string {
	cells := []string{r.Item.Reference, r.Item.Captured}
	for i := range numberNames {
		v := math.NaN()
		if i < len(r.Numbers) {
			v = r.Numbers[i]
		}
		cells = append(cells, number(v))
	}
	cells = append(cells, r.words()...)
	for i := range labels {
		label := ""
		if i < len(r.Item.Labels) {
			label = r.Item.Labels[i]
		}
		cells = append(cells, label)
	}
	return cells
}

// number writes the shortest form that reads back the same, nothing for NaN.
func number(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// WriteCSV writes summary.csv.
func WriteCSV(w io.Writer, labels []string, rows []Row) error {
	out := csv.NewWriter(w)
	out.Write(SummaryColumns(labels))
	for _, r := range rows {
		out.Write(r.cells(len(labels)))
	}
	out.Flush()
	if err := out.Error(); err != nil {
		return fmt.Errorf("summary: %w", err)
	}
	return nil
}

// WriteParquet writes summary.parquet, with the columns of summary.csv.
func WriteParquet(w io.Writer, labels []string, rows []Row) error {
	names := SummaryColumns(labels)
	columns := make([]metrics.TableColumn, len(names))
	for c, name := range names {
		columns[c].Name = name
		if slices.Contains(numberNames[:], name) {
			columns[c].Numbers = make([]float64, len(rows))
		} else {
			columns[c].Words = make([]string, len(rows))
		}
	}
	for i, r := range rows {
		cells := r.cells(len(labels))
		for c := range columns {
			if columns[c].Numbers != nil {
				columns[c].Numbers[i] = r.Number(names[c])
			} else {
				columns[c].Words[i] = cells[c]
			}
		}
	}
	if err := metrics.WriteParquetTable(w, columns); err != nil {
		return fmt.Errorf("summary: %w", err)
	}
	return nil
}

// JSON writes the columns of a summary under their names, in their order: null
// for numbers that do not exist, notes as a list, the labels in an object.
func (r Row) JSON(labels []string) []byte {
	var b bytes.Buffer
	field := func(name string, v any) {
		text, err := json.Marshal(v)
		if err != nil { // of a string or a list of strings: cannot be
			text = []byte("null")
		}
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "%q:%s", name, text)
	}
	field("reference", r.Item.Reference)
	field("captured", r.Item.Captured)
	for i, name := range numberNames {
		text := ""
		if i < len(r.Numbers) {
			text = number(r.Numbers[i])
		}
		if text == "" {
			text = "null"
		}
		field(name, json.RawMessage(text))
	}
	words := r.words()
	for i, name := range wordsBehind[:len(wordsBehind)-1] {
		field(name, words[i])
	}
	field("notes", append([]string{}, r.Notes...))
	if len(labels) > 0 {
		m := map[string]string{}
		for i, name := range labels {
			if i < len(r.Item.Labels) {
				m[name] = r.Item.Labels[i]
			}
		}
		field("labels", m)
	}
	return fmt.Appendf(nil, "{%s}", b.Bytes())
}

// A Made says what made a summary.
type Made struct {
	Tool     string            `json:"tool"`
	Version  string            `json:"version"`
	Settings map[string]string `json:"settings"`
}

// WriteJSON writes summary.json: what made it, the counts, and the rows.
func WriteJSON(w io.Writer, made Made, labels []string, rows []Row) error {
	head, err := json.Marshal(made)
	if err != nil {
		return fmt.Errorf("summary: %w", err)
	}
	failed := 0
	for _, r := range rows {
		if r.Failed() {
			failed++
		}
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s,\"captures\":%d,\"failed\":%d,\"rows\":[", bytes.TrimSuffix(head, []byte("}")), len(rows), failed)
	for i, r := range rows {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n ")
		b.Write(r.JSON(labels))
	}
	b.WriteString("\n]}\n")
	_, err = w.Write(b.Bytes())
	return err
}
