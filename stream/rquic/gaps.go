package rquic

import "sort"

// A Cause says why packets are missing.
type Cause uint8

// The causes.
const (
	CauseUnknown Cause = iota // "unknown": the connection ended before the sender could tell
	CauseNetwork              // "network": sent, and did not arrive
	CauseExpired              // "expired": dropped by the sender, too old
	CauseRandom               // "random": dropped by the sender, early by chance
	CauseCut                  // "cut": dropped by the sender, too old in the middle of the unit
	CauseReset                // "reset": a reliable unit whose stream was given up
)

func causeNames() []string {
	return []string{"unknown", "network", "expired", "random", "cut", "reset"}
}

// String returns the name.
func (c Cause) String() string { return nameOf(c, causeNames()) }

// MarshalText writes the name.
func (c Cause) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads a name.
func (c *Cause) UnmarshalText(text []byte) error { return parseName(c, "cause", causeNames(), text) }

// A Gap is a run of packets of one access unit that did not arrive: a stream
// of size 0 in the paper's words. It writes no bytes anywhere.
type Gap struct {
	Unit     int    `json:"unit"`
	FirstSeq uint16 `json:"first_seq"`
	Count    int    `json:"count"`
	Cause    Cause  `json:"cause"`
}

// A Report compares what a sender told of an access unit with what came of it.
type Report struct {
	Index     int    `json:"index"`
	Timestamp uint32 `json:"rtp_timestamp"`
	FirstSeq  uint16 `json:"first_seq"`
	Reliable  bool   `json:"reliable"`
	Status    Status `json:"status"`
	Packets   int    `json:"packets"`  // made
	Sent      int    `json:"sent"`     // the first ones of them
	Received  int    `json:"received"` // distinct ones
	Lost      int    `json:"lost"`     // declared lost by the sender, whether they came later or not
}

// reports lists what was told and what came.
func (a *account) reports() []Report {
	if len(a.units) == 0 {
		return nil
	}
	out := make([]Report, len(a.units))
	for i, u := range a.units {
		out[i] = Report{
			Index: i, Timestamp: u.timestamp, FirstSeq: u.firstSeq, Reliable: u.reliable, Status: u.status,
			Packets: int(u.packets), Sent: int(u.sent), Received: u.received,
		}
	}
	for _, l := range a.lost {
		end := l.first + int64(l.count)
		i := sort.Search(len(a.units), func(i int) bool { return a.units[i].last() > l.first })
		for ; i < len(a.units) && a.units[i].first < end; i++ {
			u := a.units[i]
			out[i].Lost += int(min(end, u.last()) - max(l.first, u.first))
		}
	}
	return out
}

// gaps lists the missing packets, with at least one run for each unit of which
// some are missing.
func (a *account) gaps() []Gap {
	var out []Gap
	for i, u := range a.units {
		run := Gap{}
		flush := func() {
			if run.Count > 0 {
				out = append(out, run)
			}
			run = Gap{}
		}
		for n := range int(u.packets) {
			missing, cause := a.missing(u, n)
			if !missing || cause != run.Cause {
				flush()
			}
			if !missing {
				continue
			}
			if run.Count == 0 {
				run = Gap{Unit: i, FirstSeq: u.firstSeq + uint16(n), Cause: cause}
			}
			run.Count++
		}
		flush()
	}
	return out
}

// missing says whether packet n of u has not come, and why.
func (a *account) missing(u told, n int) (bool, Cause) {
	if _, ok := a.have[u.first+int64(n)]; ok || u.closed && n < int(u.sent) {
		return false, 0
	}
	switch {
	case n >= int(u.sent) && u.status == StatusExpired:
		return true, CauseExpired
	case n >= int(u.sent) && u.status == StatusRandom:
		return true, CauseRandom
	case n >= int(u.sent):
		return true, CauseCut
	case !u.reliable:
		return true, CauseNetwork
	case a.end != nil:
		return true, CauseReset
	}
	return true, CauseUnknown
}
