package metrics

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
)

// columns are the names of the columns of a CSV file: those of record.
func columns() []string {
	t := reflect.TypeFor[record]()
	names := make([]string, t.NumField())
	for i := range names {
		names[i], _, _ = strings.Cut(t.Field(i).Tag.Get("json"), ",")
	}
	return names
}

// WriteCSV writes one row per frame under a plain header, so that every reader
// of tables takes it as it is. An empty cell is what a frame does not have.
// What made the series (Settings, Notes and so on) is in the JSON form only;
// the dialect of SSIM is a column.
func WriteCSV(w io.Writer, s Series) error {
	out := csv.NewWriter(w)
	if err := out.Write(columns()); err != nil {
		return err
	}
	var cells []string
	for i := range s.Rows {
		rec, err := s.record(i)
		if err != nil {
			return err
		}
		cells = cells[:0]
		v := reflect.ValueOf(rec)
		for f := range v.NumField() {
			cells = append(cells, cell(v.Field(f)))
		}
		if err := out.Write(cells); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// cell writes a field of record: floats in the shortest form that reads back
// the same.
func cell(v reflect.Value) string {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return ""
		}
		v = v.Elem()
	}
	switch v.Kind() {
	case reflect.Float64:
		return strconv.FormatFloat(v.Float(), 'g', -1, 64)
	case reflect.Int64:
		return strconv.FormatInt(v.Int(), 10)
	case reflect.Bool:
		return strconv.FormatBool(v.Bool())
	}
	return v.String()
}

// ReadCSV reads what WriteCSV writes, and any CSV file whose header has a
// column frame and others of those names, in any order; unknown columns are
// passed over, and so are lines that begin with #.
func ReadCSV(r io.Reader) (Series, error) {
	in := csv.NewReader(r)
	in.Comment = '#'
	in.ReuseRecord = true
	header, err := in.Read()
	if errors.Is(err, io.EOF) {
		return Series{}, errors.New("csv: empty file")
	}
	if err != nil {
		return Series{}, fmt.Errorf("csv: %w", err)
	}
	fields, err := match(header)
	if err != nil {
		return Series{}, fmt.Errorf("csv: line 1: %w", err)
	}
	var records []record
	for {
		cells, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return Series{}, fmt.Errorf("csv: %w", err)
		}
		rec := record{Verdict: Damaged.String()}
		if err := rec.parse(fields, cells); err != nil {
			line, _ := in.FieldPos(0)
			return Series{}, fmt.Errorf("csv: line %d: %w", line, err)
		}
		records = append(records, rec)
	}
	var s Series
	if err := s.collect(records); err != nil {
		return Series{}, fmt.Errorf("csv: %w", err)
	}
	return s, nil
}

// match finds for each column of a header its field in record, -1 for none.
func match(header []string) ([]int, error) {
	fields := make([]int, len(header))
	known := columns()
	used := map[int]bool{}
	for i, name := range header {
		fields[i] = -1
		for f, k := range known {
			if k == strings.TrimSpace(strings.TrimPrefix(name, "\ufeff")) {
				fields[i] = f
			}
		}
		if f := fields[i]; f >= 0 {
			if used[f] {
				return nil, fmt.Errorf("column %q stands twice", known[f])
			}
			used[f] = true
		}
	}
	if !used[0] {
		return nil, fmt.Errorf("no column \"frame\" in %q", strings.Join(header, ","))
	}
	return fields, nil
}

// parse fills the record from the cells of a line.
func (r *record) parse(fields []int, cells []string) error {
	v := reflect.ValueOf(r).Elem()
	for i, text := range cells {
		if fields[i] < 0 || text == "" {
			continue
		}
		f := v.Field(fields[i])
		if f.Kind() == reflect.Pointer {
			f.Set(reflect.New(f.Type().Elem()))
			f = f.Elem()
		}
		if err := setField(f, text); err != nil {
			return fmt.Errorf("column %s: %w", columns()[fields[i]], err)
		}
	}
	return nil
}

func setField(f reflect.Value, text string) error {
	switch f.Kind() {
	case reflect.Float64:
		x, err := parseFloat(text)
		f.SetFloat(x)
		return err
	case reflect.Int64:
		x, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return fmt.Errorf("%q is not a whole number", text)
		}
		f.SetInt(x)
	case reflect.Bool:
		x, err := strconv.ParseBool(text)
		if err != nil {
			return fmt.Errorf("%q is neither true nor false", text)
		}
		f.SetBool(x)
	default:
		f.SetString(text)
	}
	return nil
}

// parseFloat reads a finite number.
func parseFloat(text string) (float64, error) {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || x-x != 0 {
		return 0, fmt.Errorf("%q is not a finite number", text)
	}
	return x, nil
}
