package rtph264

import "fmt"

// A Policy says what becomes of a NAL unit that lost a fragment. Whatever it
// is, nothing behind a gap is ever joined to what stood before it, a NAL unit
// without its first fragment is dropped, and so is anything broken that is no
// slice.
type Policy uint8

const (
	// KeepPrefix keeps the bytes of a slice before the first gap: a decoder
	// shows the part of the picture that they hold.
	KeepPrefix Policy = iota
	// Drop drops every broken NAL unit.
	Drop
	// WaitIDR drops everything from the first access unit that is not complete
	// to the next complete one with an IDR picture: what is shown is undamaged.
	WaitIDR
)

var policyNames = [...]string{KeepPrefix: "keep-prefix", Drop: "drop", WaitIDR: "wait-idr"}

func (p Policy) String() string {
	if int(p) < len(policyNames) {
		return policyNames[p]
	}
	return fmt.Sprintf("policy %d", uint8(p))
}

// MarshalText writes the name of the policy.
func (p Policy) MarshalText() ([]byte, error) {
	if int(p) >= len(policyNames) {
		return nil, fmt.Errorf("no name for %v", p)
	}
	return []byte(p.String()), nil
}

// UnmarshalText reads a name of a policy.
func (p *Policy) UnmarshalText(text []byte) error {
	for i, name := range policyNames {
		if string(text) == name {
			*p = Policy(i)
			return nil
		}
	}
	return fmt.Errorf("bad policy for broken NAL units %q: want keep-prefix, drop or wait-idr", text)
}
