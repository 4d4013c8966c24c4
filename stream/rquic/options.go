package rquic

import (
	"fmt"
	"slices"
	"strings"
)

// Congestion names a congestion control of the sender.
type Congestion uint8

// The congestion controls.
const (
	AdaptiveCubic Congestion = iota // "acubic", the rQUIC paper's
	Cubic                           // "cubic", RFC 9438 with the same constants
	Reno                            // "reno", quic-go's default
)

func congestionNames() []string { return []string{"acubic", "cubic", "reno"} }

// String returns "acubic", "cubic" or "reno".
func (c Congestion) String() string { return nameOf(c, congestionNames()) }

// MarshalText writes the name.
func (c Congestion) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads a name.
func (c *Congestion) UnmarshalText(text []byte) error {
	return parseName(c, "congestion control", congestionNames(), text)
}

// ERule says what makes the step e of adaptive CUBIC smaller.
type ERule uint8

// The rules for e.
const (
	FixedE   ERule = iota // "fixed": a rising round trip
	PrintedE              // "printed": a falling one, as the paper prints it
)

func eRuleNames() []string { return []string{"fixed", "printed"} }

// String returns "fixed" or "printed".
func (r ERule) String() string { return nameOf(r, eRuleNames()) }

// MarshalText writes the name.
func (r ERule) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads a name.
func (r *ERule) UnmarshalText(text []byte) error { return parseName(r, "e rule", eRuleNames(), text) }

// LossRule says when adaptive CUBIC takes a loss for congestion.
type LossRule uint8

// The rules for losses.
const (
	AdaptiveLoss LossRule = iota // "adaptive": when packets wait in the path's queue, or many are lost
	AlwaysLoss                   // "always", as RFC 9438
)

func lossRuleNames() []string { return []string{"adaptive", "always"} }

// String returns "adaptive" or "always".
func (r LossRule) String() string { return nameOf(r, lossRuleNames()) }

// MarshalText writes the name.
func (r LossRule) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads a name.
func (r *LossRule) UnmarshalText(text []byte) error {
	return parseName(r, "loss rule", lossRuleNames(), text)
}

// Policy says which access units are reliable.
type Policy uint8

// The policies. Auto keeps key frames, and what others refer to as long as the
// sender keeps up: ReferencesKept on a link that only loses packets, KeyFramesKept
// on one that is too narrow, where references that must all arrive are all late.
const (
	Auto           Policy = iota // "auto"
	NothingKept                  // "none"
	KeyFramesKept                // "idr": an IDR slice or a parameter set
	ReferencesKept               // "ref": also what others refer to
	AllKept                      // "all"
)

func policyNames() []string { return []string{"auto", "none", "idr", "ref", "all"} }

// String returns "auto", "none", "idr", "ref" or "all".
func (p Policy) String() string { return nameOf(p, policyNames()) }

// MarshalText writes the name.
func (p Policy) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText reads a name.
func (p *Policy) UnmarshalText(text []byte) error {
	return parseName(p, "reliability policy", policyNames(), text)
}

// Keeps says whether p makes an access unit reliable: one that is a key frame
// or holds parameter sets (key), and one that others refer to (reference).
func (p Policy) Keeps(key, reference bool) bool {
	switch p {
	case NothingKept:
		return false
	case ReferencesKept:
		return key || reference
	case AllKept:
		return true
	}
	return key
}

// Repeats says whether p has an access unit repeated that it does not keep, while
// the sender keeps up.
func (p Policy) Repeats(reference bool) bool { return p == Auto && reference }

// wire is p as HELLO carries it: what is certain.
func (p Policy) wire() byte {
	if p == Auto {
		p = KeyFramesKept
	}
	return byte(p - NothingKept)
}

// Status says what became of an access unit at the sender. The first four are
// those of AU_END.
type Status uint8

// What may become of an access unit.
const (
	StatusSent    Status = iota // "sent": whole
	StatusExpired               // "expired": too old before its first packet
	StatusRandom                // "random": dropped early by chance, before its first packet
	StatusCut                   // "cut": too old in the middle
	StatusUnsent                // "unsent": the connection ended before or inside it
)

func statusNames() []string { return []string{"sent", "expired", "random", "cut", "unsent"} }

// String returns the name.
func (s Status) String() string { return nameOf(s, statusNames()) }

// MarshalText writes the name.
func (s Status) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads a name.
func (s *Status) UnmarshalText(text []byte) error { return parseName(s, "status", statusNames(), text) }

func nameOf[T ~uint8](v T, names []string) string {
	if int(v) < len(names) {
		return names[v]
	}
	return fmt.Sprintf("unknown(%d)", uint8(v))
}

func parseName[T ~uint8](v *T, kind string, names []string, text []byte) error {
	i := slices.Index(names, string(text))
	if i < 0 {
		return fmt.Errorf("no %s %q: there are %s", kind, text, strings.Join(names, ", "))
	}
	*v = T(i)
	return nil
}
