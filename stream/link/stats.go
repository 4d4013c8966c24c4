package link

import (
	"fmt"
	"slices"
	"time"
)

// A Verdict says what a path did with a packet.
type Verdict uint8

// The verdicts, in the order in which a path decides.
const (
	Delivered    Verdict = iota // leaves the far end
	DroppedQueue                // the bottleneck's buffer was full
	LostRandom                  // lost by chance after the bottleneck
	TooBig                      // larger than the MTU
)

func verdictNames() []string { return []string{"delivered", "dropped-queue", "lost-random", "too-big"} }

// String returns the verdict's name: "delivered", "dropped-queue",
// "lost-random" or "too-big".
func (v Verdict) String() string {
	if names := verdictNames(); int(v) < len(names) {
		return names[v]
	}
	return fmt.Sprintf("verdict(%d)", uint8(v))
}

// MarshalText writes the verdict's name.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText reads a verdict's name.
func (v *Verdict) UnmarshalText(text []byte) error {
	i := slices.Index(verdictNames(), string(text))
	if i < 0 {
		return fmt.Errorf("no verdict %q: there are %v", text, verdictNames())
	}
	*v = Verdict(i)
	return nil
}

// Stats counts what one path did. Packets = Delivered + QueueDrops +
// RandomLosses + TooBig, and the bytes, overhead included, add up likewise.
// Copies count in Duplicated alone.
type Stats struct {
	Packets        int64 `json:"packets"`
	Bytes          int64 `json:"bytes"`
	Delivered      int64 `json:"delivered"`
	DeliveredBytes int64 `json:"delivered_bytes"`
	QueueDrops     int64 `json:"queue_drops"`
	QueueDropBytes int64 `json:"queue_drop_bytes"`
	RandomLosses   int64 `json:"random_losses"`
	RandomBytes    int64 `json:"random_loss_bytes"`
	TooBig         int64 `json:"too_big"`
	TooBigBytes    int64 `json:"too_big_bytes"`
	Duplicated     int64 `json:"duplicated"`
	Reordered      int64 `json:"reordered"` // delivered packets that were held back on purpose

	MaxQueue  int           `json:"max_queue_bytes"` // most bytes in the bottleneck at once
	MaxWait   time.Duration `json:"max_wait_ns"`     // longest time from arrival until the last bit left the bottleneck
	TotalWait time.Duration `json:"total_wait_ns"`   // of all packets the bottleneck accepted
}

// MeanWait returns the mean time from arrival until the last bit left the
// bottleneck, over the packets it accepted.
func (s Stats) MeanWait() time.Duration {
	n := s.Delivered + s.RandomLosses
	if n == 0 {
		return 0
	}
	return s.TotalWait / time.Duration(n)
}

// count books one packet of n bytes.
func (s *Stats) count(v Verdict, n int64) {
	s.Packets++
	s.Bytes += n
	switch v {
	case Delivered:
		s.Delivered++
		s.DeliveredBytes += n
	case DroppedQueue:
		s.QueueDrops++
		s.QueueDropBytes += n
	case LostRandom:
		s.RandomLosses++
		s.RandomBytes += n
	case TooBig:
		s.TooBig++
		s.TooBigBytes += n
	}
}

// Add returns the sum of two paths' counts; the maxima are the larger ones.
func (s Stats) Add(t Stats) Stats {
	s.Packets += t.Packets
	s.Bytes += t.Bytes
	s.Delivered += t.Delivered
	s.DeliveredBytes += t.DeliveredBytes
	s.QueueDrops += t.QueueDrops
	s.QueueDropBytes += t.QueueDropBytes
	s.RandomLosses += t.RandomLosses
	s.RandomBytes += t.RandomBytes
	s.TooBig += t.TooBig
	s.TooBigBytes += t.TooBigBytes
	s.Duplicated += t.Duplicated
	s.Reordered += t.Reordered
	s.MaxQueue = max(s.MaxQueue, t.MaxQueue)
	s.MaxWait = max(s.MaxWait, t.MaxWait)
	s.TotalWait += t.TotalWait
	return s
}

// An Event is one packet's passage through a Pipe or Relay, at the moment the
// path decided about it.
type Event struct {
	At        time.Time // when the packet entered the path
	Up        bool      // on the way back: from b to a, or from the relay's target to a client
	Size      int       // bytes without overhead
	Data      []byte    // the packet, valid during the call
	Verdict   Verdict
	Deliver   time.Time // when it leaves the far end; zero unless Delivered
	Duplicate time.Time // when its copy leaves the far end; zero = no copy
	Queue     int       // bytes in the bottleneck, this packet included if it was accepted
}
