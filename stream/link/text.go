package link

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// ParseDirection reads a Direction from pairs "key=value", separated by
// commas, in any order, each key once:
//
//	rate=5mbit            bottleneck rate
//	trace=NAME            mahimahi trace in place of a rate (see LoadTrace)
//	queue=64KiB           bottleneck buffer; queue=unlimited
//	overhead=28           bytes added per packet
//	delay=20ms            one way
//	jitter=5ms[/0.999]    standard deviation [correlation of neighbours]
//	loss=1%               independent losses
//	ge=0.01/0.25[/0/1]    Gilbert-Elliott: p, r [loss in the good state, in the bad]
//	reorder=1%/10ms       chance and delay of packets held back
//	duplicate=1%[/1ms]    chance and delay of a copy
//	mtu=1500              largest packet, overhead included
//	seed=7                of all chances
//
// An empty text is a perfect path.
func ParseDirection(s string) (Direction, error) {
	var d Direction
	var seen []string
	for pair := range strings.SplitSeq(s, ",") {
		if strings.TrimSpace(pair) == "" {
			continue
		}
		key, value, ok := strings.Cut(pair, "=")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		if !ok {
			return Direction{}, fmt.Errorf("%q: want key=value with a key of %s", key, strings.Join(Keys(), ", "))
		}
		if slices.Contains(seen, key) {
			return Direction{}, fmt.Errorf("%s is given twice", key)
		}
		seen = append(seen, key)
		if err := d.Set(key, value); err != nil {
			return Direction{}, err
		}
	}
	if err := d.Check(); err != nil {
		return Direction{}, err
	}
	return d, nil
}

// Keys returns the keys that ParseDirection and Set know.
func Keys() []string {
	var names []string
	for _, k := range keys() {
		names = append(names, k.name)
	}
	return names
}

// Set changes the one value that key names, spelled as in ParseDirection. It
// does not Check the whole.
func (d *Direction) Set(key, value string) error {
	for _, k := range keys() {
		if k.name != key {
			continue
		}
		if err := k.parse(d, value); err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
		return nil
	}
	return fmt.Errorf("no key %q: there are %s", key, strings.Join(Keys(), ", "))
}

// String returns the text that ParseDirection reads back to the same value.
func (d Direction) String() string {
	var pairs []string
	for _, k := range keys() {
		if v := k.format(d); v != "" {
			pairs = append(pairs, k.name+"="+v)
		}
	}
	return strings.Join(pairs, ",")
}

// MarshalText is String, for JSON and YAML.
func (d Direction) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText is ParseDirection.
func (d *Direction) UnmarshalText(text []byte) (err error) {
	*d, err = ParseDirection(string(text))
	return err
}

// UnmarshalJSON reads the text, or an object with the same keys whose values
// are strings or numbers.
func (d *Direction) UnmarshalJSON(b []byte) error {
	return d.UnmarshalYAML(func(v any) error {
		decoder := json.NewDecoder(bytes.NewReader(b))
		decoder.UseNumber() // a seed has more digits than a float64
		return decoder.Decode(v)
	})
}

// UnmarshalYAML reads what UnmarshalJSON reads, through the decoder's own
// function unmarshal.
func (d *Direction) UnmarshalYAML(unmarshal func(any) error) error {
	var text string
	if unmarshal(&text) == nil {
		return d.UnmarshalText([]byte(text))
	}
	var object map[string]any
	if err := unmarshal(&object); err != nil {
		return fmt.Errorf("want a text such as rate=5mbit,delay=20ms or its keys and values: %w", err)
	}
	var pairs []string
	for key, value := range object {
		if f, ok := value.(float64); ok {
			value = strconv.FormatFloat(f, 'f', -1, 64)
		}
		pairs = append(pairs, fmt.Sprintf("%s=%v", key, value))
	}
	slices.Sort(pairs) // so that of two errors always the same is reported
	return d.UnmarshalText([]byte(strings.Join(pairs, ",")))
}

// A key is one pair of a Direction's text.
type key struct {
	name   string
	parse  func(*Direction, string) error
	format func(Direction) string // "" = default, not written
}

// keys returns all keys in the order in which they are written.
func keys() []key {
	return []key{
		{"rate", func(d *Direction, s string) (err error) { d.Rate, err = ParseRate(s); return },
			func(d Direction) string { return unless(d.Rate == 0, rateText(d.Rate)) }},
		{"trace", parseTraceName, func(d Direction) string { return traceName(d.Trace) }},
		{"queue", parseQueue, formatQueue},
		{"overhead", parseOverhead, formatOverhead},
		{"delay", func(d *Direction, s string) (err error) { d.Delay, err = ParseDuration(s); return },
			func(d Direction) string { return unless(d.Delay == 0, d.Delay.String()) }},
		{"jitter", parseJitter, formatJitter},
		{"loss", func(d *Direction, s string) error { return setShare(&d.Loss, s) },
			func(d Direction) string { return unless(d.Loss == 0, Fraction(d.Loss).String()) }},
		{"ge", parseGE, formatGE},
		{"reorder", func(d *Direction, s string) error { return parseExtra(&d.Reorder, s) },
			func(d Direction) string { return formatExtra(d.Reorder) }},
		{"duplicate", func(d *Direction, s string) error { return parseExtra(&d.Duplicate, s) },
			func(d Direction) string { return formatExtra(d.Duplicate) }},
		{"mtu", func(d *Direction, s string) error { return setSize(&d.MTU, s) },
			func(d Direction) string { return unless(d.MTU == 0, strconv.Itoa(d.MTU)) }},
		{"seed", parseSeed, func(d Direction) string { return unless(d.Seed == 0, strconv.FormatUint(d.Seed, 10)) }},
	}
}

func unless(isDefault bool, s string) string {
	if isDefault {
		return ""
	}
	return s
}

func rateText(r Rate) string {
	b, _ := r.MarshalText() // never fails
	return string(b)
}

func traceName(t *Trace) string {
	if t == nil {
		return ""
	}
	return t.Name
}

// setShare stores a fraction in a plain float64.
func setShare(p *float64, s string) error {
	f, err := ParseFraction(s)
	*p = float64(f)
	return err
}

// setSize stores a size in a plain int.
func setSize(p *int, s string) error {
	n, err := ParseSize(s)
	*p = int(n)
	return err
}

// shares stores the fractions of "a/b/c", of which there must be as many as
// one of counts says.
func shares(s string, counts []int, to ...*float64) error {
	parts := strings.Split(s, "/")
	if !slices.Contains(counts, len(parts)) {
		return fmt.Errorf("%q has %d values between slashes, want one of %v", s, len(parts), counts)
	}
	for i, part := range parts {
		if err := setShare(to[i], part); err != nil {
			return err
		}
	}
	return nil
}

// lag stores a duration in the time.Duration p.
func lag(p *time.Duration, s string) (err error) {
	*p, err = ParseDuration(s)
	return err
}
