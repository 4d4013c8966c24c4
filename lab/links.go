package lab

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/vqeval/vqeval/stream/link"
)

// A Link is a named profile, changed where Down or Up say so. In YAML a plain
// name stands for the profile as it is.
type Link struct {
	Name    string `json:"name,omitempty" yaml:"name"`       // how tables call it; empty = Profile
	Profile string `json:"profile,omitempty" yaml:"profile"` // one of link.Names; empty = fullhd-5mbit
	Set     string `json:"set,omitempty" yaml:"set"`         // changes to both directions, such as rate=2mbit,loss=1%
	Down    string `json:"down,omitempty" yaml:"down"`       // changes to the media's direction
	Up      string `json:"up,omitempty" yaml:"up"`           // changes to the way back
}

// Resolve returns the profile that l describes.
func (l Link) Resolve() (link.Profile, error) {
	p, err := link.Named(l.Profile)
	if err != nil {
		return link.Profile{}, err
	}
	for _, change := range []struct {
		dir  *link.Direction
		spec string
	}{{&p.Down, l.Set}, {&p.Up, l.Set}, {&p.Down, l.Down}, {&p.Up, l.Up}} {
		if change.spec == "" {
			continue
		}
		if err := alter(change.dir, change.spec); err != nil {
			return link.Profile{}, err
		}
	}
	p.Name = l.Label()
	return p, p.Check()
}

// alter changes what spec, a list of key=value pairs, names. A rate replaces a
// trace and the other way round.
func alter(d *link.Direction, spec string) error {
	for pair := range strings.SplitSeq(spec, ",") {
		key, value, ok := strings.Cut(strings.TrimSpace(pair), "=")
		if !ok {
			return fmt.Errorf("%q: want key=value with a key of %s", pair, strings.Join(link.Keys(), ", "))
		}
		switch key {
		case "rate":
			d.Trace = nil
		case "trace":
			d.Rate = 0
		}
		if err := d.Set(key, value); err != nil {
			return err
		}
	}
	return nil
}

// Label is the name that tables and folders use.
func (l Link) Label() string {
	switch {
	case l.Name != "":
		return l.Name
	case l.Profile != "":
		return l.Profile
	}
	return link.DefaultProfile
}

type plainLink Link

// UnmarshalYAML reads a profile's name or a mapping.
func (l *Link) UnmarshalYAML(unmarshal func(any) error) error {
	var name string
	if err := unmarshal(&name); err == nil {
		*l = Link{Profile: name}
		return nil
	}
	return unmarshal((*plainLink)(l))
}

// UnmarshalJSON reads a profile's name or an object.
func (l *Link) UnmarshalJSON(text []byte) error {
	if len(text) > 0 && text[0] == '"' {
		return json.Unmarshal(text, &l.Profile)
	}
	return json.Unmarshal(text, (*plainLink)(l))
}

// A Sweep varies every link of an experiment: one link for each combination of
// the values listed, as link.ParseDirection spells them.
type Sweep struct {
	Rate  []string `json:"rate,omitempty" yaml:"rate"`
	Delay []string `json:"delay,omitempty" yaml:"delay"`
	Loss  []string `json:"loss,omitempty" yaml:"loss"`
	Queue []string `json:"queue,omitempty" yaml:"queue"`
}

// expand returns links varied by s, in the order of the lists, the first key
// changing slowest.
func (s Sweep) expand(links []Link) []Link {
	for _, axis := range s.axes() {
		var out []Link
		for _, l := range links {
			for _, v := range axis.values {
				out = append(out, l.vary(axis.key, v))
			}
		}
		links = out
	}
	return links
}

func (l Link) vary(key, value string) Link {
	v := l
	v.Name = fmt.Sprintf("%s-%s%s", l.Label(), key, folderSafe(value))
	if v.Set != "" {
		v.Set += ","
	}
	v.Set += key + "=" + value
	return v
}

// folderSafe spells a value so that it can be part of a folder's name.
func folderSafe(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c == '%' {
			b[i] = 'p'
		} else if !slices.Contains([]byte("-_."), c) && !(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') {
			b[i] = '_'
		}
	}
	return string(b)
}
