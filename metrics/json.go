package metrics

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// origin is what made a series: the head of its JSON form, and the metadata of a
// Parquet file.
type origin struct {
	Tool      string            `json:"tool"`
	Version   string            `json:"version"`
	Reference string            `json:"reference"`
	Captured  string            `json:"captured"`
	Settings  map[string]string `json:"settings"`
	Options   Options           `json:"options"`
	FrameRate float64           `json:"frame_rate,omitempty"`
	Notes     []string          `json:"notes,omitempty"`
}

func (s Series) origin() origin {
	return origin{s.Tool, s.Version, s.Reference, s.Captured, s.Settings, s.Options, s.FrameRate, s.Notes}
}

func (o origin) series() Series {
	return Series{Tool: o.Tool, Version: o.Version, Reference: o.Reference, Captured: o.Captured,
		Settings: o.Settings, Options: o.Options, FrameRate: o.FrameRate, Notes: o.Notes}
}

// document is the JSON form of a Series.
type document struct {
	origin
	Verdicts map[string]int `json:"verdicts"`
	Pooled   Pooled         `json:"pooled"`
	Shown    Pooled         `json:"pooled_shown"`
	Frames   []record       `json:"frames"`
}

// WriteJSON writes the series, its pooled statistics (over all frames, and over
// those that were shown) and the counts of its verdicts.
func WriteJSON(w io.Writer, s Series) error {
	d := document{
		origin:   s.origin(),
		Verdicts: s.Counts(), Pooled: s.Pool(Filter{}), Shown: s.Pool(Filter{ShownOnly: true}),
		Frames: make([]record, 0, len(s.Rows)),
	}
	for i := range s.Rows {
		rec, err := s.record(i)
		if err != nil {
			return err
		}
		d.Frames = append(d.Frames, rec)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", " ")
	return e.Encode(d)
}

// ReadJSON reads what WriteJSON writes. Statistics are not read, as they follow
// from the frames.
func ReadJSON(r io.Reader) (Series, error) {
	var d document
	b, err := io.ReadAll(r)
	if err != nil {
		return Series{}, fmt.Errorf("json: %w", err)
	}
	if err := unmarshal(b, &d); err != nil {
		return Series{}, err
	}
	if d.Frames == nil {
		return Series{}, errors.New("json: no frames")
	}
	s := d.series()
	if err := s.collect(d.Frames); err != nil {
		return Series{}, fmt.Errorf("json: frames: %w", err)
	}
	s.Options.LumaOnly = d.Options.LumaOnly
	return s, nil
}

// unmarshal decodes JSON; an error names the line.
func unmarshal(b []byte, v any) error {
	err := json.Unmarshal(b, v)
	if err == nil {
		return nil
	}
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("json: line %d: %w", lineOf(b, syntax.Offset), err)
	case errors.As(err, &kind):
		return fmt.Errorf("json: line %d: %w", lineOf(b, kind.Offset), err)
	}
	return fmt.Errorf("json: %w", err)
}

// lineOf is the number of the line that holds the byte before offset.
func lineOf(b []byte, offset int64) int {
	line := 1
	for _, c := range b[:min(max(offset-1, 0), int64(len(b)))] {
		if c == '\n' {
			line++
		}
	}
	return line
}
