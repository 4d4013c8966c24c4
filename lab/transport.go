package lab

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/vqeval/vqeval/stream/rquic"
	"github.com/vqeval/vqeval/stream/transport"
)

// A Transport is one way to carry the stream. In YAML and on the command line
// a plain name such as quic stands for that mode with its defaults.
type Transport struct {
	Name string `json:"name,omitempty" yaml:"name"` // how tables and plots call it; empty = Mode
	Mode string `json:"mode" yaml:"mode"`           // udp, quic, quic-au, quic-dgram, rquic

	RQUIC `yaml:",inline"`
}

// RQUIC is what can be chosen about the mode rquic; see rquic.Config. Zero
// fields are its defaults.
type RQUIC struct {
	CC       rquic.Congestion `json:"cc,omitzero" yaml:"cc"`               // acubic, cubic, reno
	Reliable rquic.Policy     `json:"reliable,omitzero" yaml:"reliable"`   // auto, none, idr, ref, all
	Expire   Expiry           `json:"expire,omitzero" yaml:"expire"`       // age at which an unreliable frame is dropped
	PMax     float64          `json:"pmax,omitzero" yaml:"pmax"`           // -1 = no random drop
	Theta    float64          `json:"theta,omitzero" yaml:"theta"`         // -1 = random drop from age 0
	Gate     int              `json:"gate,omitzero" yaml:"gate"`           // -1 = no gate
	LossRule rquic.LossRule   `json:"loss_rule,omitzero" yaml:"loss_rule"` // adaptive, always
	ERule    rquic.ERule      `json:"e_rule,omitzero" yaml:"e_rule"`       // fixed, printed
}

// An Expiry is an age; 0 means rquic.DefaultExpire, and a negative one, as text
// none, that nothing expires.
type Expiry time.Duration

// MarshalText writes none or a duration.
func (e Expiry) MarshalText() ([]byte, error) {
	if e < 0 {
		return []byte("none"), nil
	}
	return []byte(time.Duration(e).String()), nil
}

// UnmarshalText reads none or a duration above 0.
func (e *Expiry) UnmarshalText(text []byte) error {
	if string(text) == "none" {
		*e = rquic.None
		return nil
	}
	v, err := time.ParseDuration(string(text))
	if err != nil || v < 0 {
		return fmt.Errorf("bad age %q: want none or a duration such as 400ms", text)
	}
	*e = Expiry(v)
	return nil
}

// age is when a frame that is not reliable has expired, 0 = never.
func (e Expiry) age() time.Duration {
	switch {
	case e < 0:
		return 0
	case e == 0:
		return rquic.DefaultExpire
	}
	return time.Duration(e)
}

// Label is the name that tables, plots and folders use.
func (t Transport) Label() string {
	if t.Name != "" {
		return t.Name
	}
	return t.Mode
}

// mode is Mode with its type.
func (t Transport) mode() transport.Mode { return transport.Mode(t.Mode) }

// VirtualModes lists the transports that can run in virtual time: all but
// those over the kernel's own TCP.
func VirtualModes() []string {
	var names []string
	for _, m := range transport.Modes() {
		if m != transport.TCP && m != transport.TLS && m != rquic.Mode {
			names = append(names, string(m))
		}
	}
	return append(names, string(rquic.Mode))
}

func (t Transport) check() error {
	if !slices.Contains(VirtualModes(), t.Mode) {
		return fmt.Errorf("%q is not a transport that experiments can run; they are %s", t.Mode, strings.Join(VirtualModes(), ", "))
	}
	for _, r := range t.Label() {
		if !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.+", r) {
			return fmt.Errorf("the name %q may only hold letters, digits and -_.+, since folders are called so", t.Label())
		}
	}
	q := t.RQUIC
	switch {
	case t.mode() != rquic.Mode && q != RQUIC{}:
		return fmt.Errorf("%s: cc, reliable, expire, pmax, theta, gate, loss_rule and e_rule are of the mode rquic", t.Label())
	case q.PMax != rquic.None && (q.PMax < 0 || q.PMax > 1):
		return fmt.Errorf("%s: pmax %g is not in (0, 1], and not -1", t.Label(), q.PMax)
	case q.Theta != rquic.None && (q.Theta < 0 || q.Theta >= 1):
		return fmt.Errorf("%s: theta %g is not in (0, 1), and not -1", t.Label(), q.Theta)
	case q.Gate < rquic.None:
		return fmt.Errorf("%s: gate %d is below -1", t.Label(), q.Gate)
	}
	return nil
}

type plainTransport Transport

// UnmarshalYAML reads a mode's name or a mapping.
func (t *Transport) UnmarshalYAML(unmarshal func(any) error) error {
	var name string
	if err := unmarshal(&name); err == nil {
		*t = Transport{Mode: name}
		return nil
	}
	return unmarshal((*plainTransport)(t))
}

// UnmarshalJSON reads a mode's name or an object.
func (t *Transport) UnmarshalJSON(text []byte) error {
	if len(text) > 0 && text[0] == '"' {
		return json.Unmarshal(text, &t.Mode)
	}
	return json.Unmarshal(text, (*plainTransport)(t))
}
