package lab

import (
	"fmt"
	"time"

	"github.com/vqeval/vqeval/stream"
	"github.com/vqeval/vqeval/stream/h264"
	"github.com/vqeval/vqeval/stream/rquic"
)

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

// Check reports the first value that is out of its range.
func (q RQUIC) Check() error {
	switch {
	case q.PMax != rquic.None && !(q.PMax >= 0 && q.PMax <= 1): // also if it is not a number
		return fmt.Errorf("pmax %g is not in (0, 1], and not -1", q.PMax)
	case q.Theta != rquic.None && !(q.Theta >= 0 && q.Theta < 1):
		return fmt.Errorf("theta %g is not in (0, 1), and not -1", q.Theta)
	case q.Gate < rquic.None:
		return fmt.Errorf("gate %d is below -1", q.Gate)
	}
	return nil
}

// Config is q as a sender takes it, without what concerns the connection.
func (q RQUIC) Config() rquic.Config {
	return rquic.Config{CC: q.CC, ERule: q.ERule, LossRule: q.LossRule, Policy: q.Reliable, Expire: time.Duration(q.Expire),
		PMax: q.PMax, Theta: q.Theta, Gate: q.Gate}
}

// Mark says in o which access units are reliable and when the others expire.
func (q RQUIC) Mark(o *stream.SendOptions) {
	o.Expire = q.Expire.age()
	o.Reliable = func(_ int, au h264.AccessUnit) bool {
		return q.Reliable.Keeps(au.Key() || au.HasParams(), au.Reference())
	}
	o.Repeat = func(_ int, au h264.AccessUnit) bool { return q.Reliable.Repeats(au.Reference()) }
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
