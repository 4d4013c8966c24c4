package lab

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

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
	if t.mode() != rquic.Mode && t.RQUIC != (RQUIC{}) {
		return fmt.Errorf("%s: cc, reliable, expire, pmax, theta, gate, loss_rule and e_rule are of the mode rquic", t.Label())
	}
	if err := t.Check(); err != nil {
		return fmt.Errorf("%s: %w", t.Label(), err)
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
