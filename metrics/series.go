package metrics

import (
	"fmt"
	"time"
)

// Verdict is what became of one reference frame.
type Verdict uint8

const (
	OK      Verdict = iota // shown, every sample identical
	Damaged                // shown, differs
	Frozen                 // nothing to show at its time: the frame before it was shown again
	Late                   // arrived, but after its playout deadline; shown as frozen
	Expired                // dropped by the sender on purpose; shown as frozen
	Missing                // before the first decodable frame: compared with mid-grey
)

var verdicts = [...]string{"ok", "damaged", "frozen", "late", "expired", "missing"}

// Verdicts lists the names that Verdict reads and writes, in their order.
func Verdicts() []string { return append([]string(nil), verdicts[:]...) }

// String returns the verdict's name.
func (v Verdict) String() string {
	if int(v) < len(verdicts) {
		return verdicts[v]
	}
	return fmt.Sprintf("Verdict(%d)", uint8(v))
}

// MarshalText writes the verdict's name.
func (v Verdict) MarshalText() ([]byte, error) { return marshalName(verdicts[:], int(v), "verdict") }

// UnmarshalText reads a name that MarshalText writes.
func (v *Verdict) UnmarshalText(b []byte) error {
	i, err := unmarshalName(verdicts[:], b, "verdict")
	if err == nil {
		*v = Verdict(i)
	}
	return err
}

// Shown says whether the frame itself was shown: OK or Damaged.
func (v Verdict) Shown() bool { return v == OK || v == Damaged }

// Cause says where the damage of a frame came from, as far as it is known.
type Cause struct {
	LostPackets int    // packets of this frame that never arrived
	Where       string // the place that lost them, such as "link queue"; "" if unknown or none
	HealedAt    int    // reference frame of the key frame that ends the damage, -1 if none
}

// Row is the ledger entry of one reference frame.
type Row struct {
	Frame   int           // presentation order from 0
	PTS     time.Duration // presentation time from the first frame
	Verdict Verdict
	Shown   int // captured frame that was compared, -1 for none
	Score   Score
	Cause   Cause
	DelayMS float64 // capture to display in milliseconds, -1 if unknown
}

// Series is the ledger of one captured clip: one row per reference frame, in
// presentation order, and what made it.
type Series struct {
	Tool, Version       string            // the program that measured
	Reference, Captured string            // the clips' names
	Settings            map[string]string // whatever else is needed to make the series again
	Options             Options
	Metrics             []string // names of the metrics that the rows have; nil: all that Options and the planes give
	FrameRate           float64  // frames a second, 0 if unknown
	Rows                []Row
	Notes               []string // warnings for the reader
}
