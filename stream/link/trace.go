package link

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// opportunity is what one line of a trace can carry, bytes.
const opportunity = 1500

// Limits of a trace: about 24 GB a period, and a period of 11 days.
const (
	maxLines  = 1 << 24
	maxMillis = 1e9
)

// A Trace is a bottleneck's history in the format of mahimahi
// (http://mahimahi.mit.edu): each line is the time in ms, from the beginning,
// at which 1500 bytes may leave; the last line is also the period after which
// it repeats. An opportunity that finds no packet waiting is lost.
//
// In text a Trace is only its name: Direction.LoadTrace reads the file.
type Trace struct {
	Name string
	at   []time.Duration
}

// ParseTrace reads a trace; name is kept for messages and for text.
func ParseTrace(name string, r io.Reader) (*Trace, error) {
	t := &Trace{Name: name}
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" {
			continue
		}
		at, err := t.parseLine(line)
		if err != nil {
			return nil, fmt.Errorf("trace %s: line %d: %w", name, n, err)
		}
		t.at = append(t.at, at)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("trace %s: %w", name, err)
	}
	if len(t.at) == 0 || t.Period() == 0 {
		return nil, fmt.Errorf("trace %s: no line with a time above 0 ms", name)
	}
	return t, nil
}

func (t *Trace) parseLine(line string) (time.Duration, error) {
	ms, err := strconv.ParseUint(line, 10, 63)
	if err != nil || ms > maxMillis {
		return 0, fmt.Errorf("%q is not a time in ms from 0 to 1e9", line)
	}
	at := time.Duration(ms) * time.Millisecond
	if len(t.at) > 0 && at < t.Period() {
		return 0, fmt.Errorf("%d ms is earlier than the line before it", ms)
	}
	if len(t.at) == maxLines {
		return 0, fmt.Errorf("more than %d lines", maxLines)
	}
	return at, nil
}

// Loaded reports whether the trace has its times and not just a name. A nil
// Trace is not loaded.
func (t *Trace) Loaded() bool { return t != nil && len(t.at) > 0 }

// Period returns after how long the trace repeats; 0 when it is not loaded.
func (t *Trace) Period() time.Duration {
	if !t.Loaded() {
		return 0
	}
	return t.at[len(t.at)-1]
}

// Rate returns the mean rate of the trace; 0 when it is not loaded.
func (t *Trace) Rate() Rate {
	if !t.Loaded() {
		return 0
	}
	return Rate(float64(len(t.at)) * opportunity * 8 / t.Period().Seconds())
}

// LoadTrace replaces a trace that has only a name by what open returns for
// that name, and closes it. It does nothing for a Direction without a trace.
func (d *Direction) LoadTrace(open func(name string) (io.ReadCloser, error)) (err error) {
	if d.Trace == nil || d.Trace.Loaded() {
		return nil
	}
	f, err := open(d.Trace.Name)
	if err != nil {
		return fmt.Errorf("trace %s: %w", d.Trace.Name, err)
	}
	t, err := ParseTrace(d.Trace.Name, f)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	d.Trace = t
	return nil
}
