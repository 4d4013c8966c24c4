package batch

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// An Item is one capture to be scored against its reference.
type Item struct {
	Name      string        // unique in its plan, and fit to be a file's name
	Reference string        // path
	Captured  string        // path
	Deadline  time.Duration // playout delay, 0 = none
	Labels    []string      // one for each of the plan's
}

// A Plan is what is to be scored, in the order of its results.
type Plan struct {
	Labels []string // names of further columns, carried through to the output
	Items  []Item
}

// NewPlan is a plan of captures that have one reference, each at each deadline.
func NewPlan(reference string, captured []string, deadlines []time.Duration) Plan {
	var p Plan
	for _, c := range captured {
		p.add(Item{Reference: reference, Captured: c}, deadlines)
	}
	p.name()
	return p
}

func (p *Plan) add(it Item, deadlines []time.Duration) {
	if len(deadlines) == 0 {
		deadlines = []time.Duration{0}
	}
	for _, d := range deadlines {
		it.Deadline = d
		p.Items = append(p.Items, it)
	}
}

// A Manifest says how a file of pairs is read.
type Manifest struct {
	Dir       string // that relative paths count from
	Reference string // for lines that name none
	Deadlines []time.Duration

	// Resolve, if not nil, finds the file of a name that is no path, such as
	// builtin:small. It returns "" for what is a path.
	Resolve func(name string) (path string, err error)
}

// Read reads a table (CSV with a header) of the columns captured, reference if
// the lines have different ones, and any others, which are labels. A path may be
// a pattern such as run*/out.pcapng, unless a file has that very name: captured
// stands then for each file that fits, reference has to fit a single one.
func (m Manifest) Read(r io.Reader) (Plan, error) {
	in := csv.NewReader(withoutBOM(r))
	in.Comment = '#'
	in.TrimLeadingSpace = true
	header, err := in.Read()
	if errors.Is(err, io.EOF) {
		return Plan{}, errors.New("the manifest is empty")
	}
	if err != nil {
		return Plan{}, fmt.Errorf("manifest: %w", err)
	}
	cols, err := m.header(header)
	if err != nil {
		return Plan{}, fmt.Errorf("manifest: line 1: %w", err)
	}
	p := Plan{Labels: cols.names}
	for {
		cells, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return Plan{}, fmt.Errorf("manifest: %w", err)
		}
		if err := m.line(&p, cols, cells); err != nil {
			line, _ := in.FieldPos(0)
			return Plan{}, fmt.Errorf("manifest: line %d: %w", line, err)
		}
	}
	if len(p.Items) == 0 {
		return Plan{}, errors.New("the manifest has no lines below its header")
	}
	p.name()
	return p, nil
}

// withoutBOM skips the byte order mark that spreadsheets put before UTF-8.
func withoutBOM(r io.Reader) io.Reader {
	b := bufio.NewReader(r)
	if mark, err := b.Peek(3); err == nil && string(mark) == "\ufeff" {
		b.Discard(len(mark))
	}
	return b
}

// manifestColumns says where a line has what.
type manifestColumns struct {
	reference, captured int // -1 = nowhere
	labels              []int
	names               []string
}

func (m Manifest) header(names []string) (manifestColumns, error) {
	c := manifestColumns{reference: -1, captured: -1}
	seen := map[string]bool{}
	taken := SummaryColumns(nil)
	for i, name := range names {
		name = strings.TrimSpace(name)
		switch {
		case name == "":
			return c, fmt.Errorf("column %d has no name", i+1)
		case seen[name]:
			return c, fmt.Errorf("column %q stands twice", name)
		case name == "reference":
			c.reference = i
		case name == "captured":
			c.captured = i
		case slices.Contains(taken, name):
			return c, fmt.Errorf("a label cannot be called %q, as the summary has a column of that name", name)
		default:
			c.labels, c.names = append(c.labels, i), append(c.names, name)
		}
		seen[name] = true
	}
	if c.captured < 0 {
		hint := ""
		if len(names) == 1 && strings.ContainsAny(names[0], ";\t") {
			hint = "; hint: columns are separated by commas"
		}
		return c, fmt.Errorf("no column \"captured\" in %q%s", strings.Join(names, ","), hint)
	}
	if c.reference < 0 && m.Reference == "" {
		return c, errors.New(`no column "reference", and no --ref for all lines`)
	}
	return c, nil
}

func (m Manifest) line(p *Plan, c manifestColumns, cells []string) error {
	it := Item{Reference: m.Reference}
	if c.reference >= 0 && cells[c.reference] != "" {
		found, err := m.expand(cells[c.reference])
		if err != nil {
			return err
		}
		if len(found) > 1 {
			return fmt.Errorf("reference %q fits %d files", cells[c.reference], len(found))
		}
		it.Reference = found[0]
	}
	if it.Reference == "" {
		return errors.New("no reference")
	}
	if cells[c.captured] == "" {
		return errors.New("no captured file")
	}
	for _, i := range c.labels {
		it.Labels = append(it.Labels, cells[i])
	}
	found, err := m.expand(cells[c.captured])
	if err != nil {
		return err
	}
	for _, f := range found {
		it.Captured = f
		p.add(it, m.Deadlines)
	}
	return nil
}

// expand finds the files that a path of the manifest means, in order of names. A
// plain path is taken as it is: whether it exists turns out when it is scored.
func (m Manifest) expand(path string) ([]string, error) {
	if m.Resolve != nil {
		if found, err := m.Resolve(path); found != "" || err != nil {
			return []string{found}, err
		}
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(m.Dir, path)
	}
	if !strings.ContainsAny(path, "*?[") {
		return []string{path}, nil
	}
	if _, err := os.Lstat(path); err == nil {
		return []string{path}, nil
	}
	found, err := filepath.Glob(path)
	if err != nil {
		return nil, fmt.Errorf("pattern %q: %w", path, err)
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("no file fits the pattern %q", path)
	}
	return found, nil
}
