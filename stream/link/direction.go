package link

import (
	"errors"
	"fmt"
	"time"
)

// Headers is what IPv4 and UDP add to a datagram on the wire, bytes.
const Headers = 20 + 8 // IPv4 + UDP

// None, as a Direction's Overhead, Queue or JitterCorrelation, asks for no
// overhead, no queue limit or no correlation, where zero means the default.
const None = -1

// Limits of a Direction.
const (
	minRate     = Kbps
	maxDelay    = time.Hour
	maxOverhead = 1 << 16
)

// A Direction describes one direction of a path. The zero Direction is a
// perfect path: unlimited rate, no delay, no loss.
type Direction struct {
	Rate     Rate   // bottleneck rate, from 1 kbit/s; 0 = unlimited
	Trace    *Trace // bottleneck whose rate varies, in place of Rate; nil = none
	Queue    int    // bottleneck buffer, bytes, overhead included; 0 = 100 ms at the (mean) rate, None = no limit
	Overhead int    // bytes added to each packet for rate, queue and MTU; 0 = Headers, None = nothing

	Delay             time.Duration // one-way propagation delay
	Jitter            time.Duration // standard deviation of the delay; what would make it negative is cut off
	JitterCorrelation float64       // of neighbouring packets' jitter, in [0, 1); 0 = .999, None = independent

	Loss float64        // chance in [0, 1] that a packet is lost after the bottleneck, each for itself
	GE   GilbertElliott // losses in bursts, on top of Loss

	Reorder   Extra // chance that a packet is held back by Extra.Delay while later ones pass
	Duplicate Extra // chance that a copy follows by Extra.Delay

	MTU  int    // largest packet, bytes, overhead included; 0 = no limit
	Seed uint64 // of all chances; 0 = the seed of the Pipe or Relay
}

// A GilbertElliott is a channel with a good and a bad state. It begins in the
// good one and may change state before each packet. The zero value is off.
type GilbertElliott struct {
	P, R     float64 // chance per packet of going bad, and of going good again: bursts last 1/R packets
	LossGood float64 // chance of loss in the good state
	LossBad  float64 // chance of loss in the bad state; 0 = 1
}

// An Extra is a chance in [0, 1] of an additional delay.
type Extra struct {
	Chance float64
	Delay  time.Duration
}

// Check reports the first value outside its range, by its name in text.
func (d Direction) Check() error {
	return errors.Join(d.checkBottleneck(), d.checkDelays(), d.checkChances())
}

func (d Direction) checkBottleneck() error {
	switch {
	case d.Rate != 0 && (d.Rate < minRate || d.Rate > maxRate):
		return fmt.Errorf("rate: %v is outside 1 kbit/s to 1 Tbit/s (0 = unlimited)", d.Rate)
	case d.Rate != 0 && d.Trace != nil:
		return errors.New("rate and trace exclude each other")
	case d.Queue < None || d.Queue > maxSize:
		return fmt.Errorf("queue: %d is outside 0 to 1 GiB", d.Queue)
	case d.Overhead < None || d.Overhead > maxOverhead:
		return fmt.Errorf("overhead: %d is outside 0 to %d bytes", d.Overhead, maxOverhead)
	case d.MTU < 0 || d.MTU > maxSize:
		return fmt.Errorf("mtu: %d is outside 0 to 1 GiB", d.MTU)
	}
	return nil
}

func (d Direction) checkDelays() error {
	for _, v := range []struct {
		name  string
		value time.Duration
	}{{"delay", d.Delay}, {"jitter", d.Jitter}, {"reorder", d.Reorder.Delay}, {"duplicate", d.Duplicate.Delay}} {
		if v.value < 0 || v.value > maxDelay {
			return fmt.Errorf("%s: %v is outside 0 to 1h", v.name, v.value)
		}
	}
	if c := d.JitterCorrelation; c != None && !(c >= 0 && c < 1) {
		return fmt.Errorf("jitter: the correlation %g is outside 0 to below 1", c)
	}
	if d.Reorder.Chance > 0 && d.Reorder.Delay == 0 {
		return errors.New("reorder needs a delay: reorder=1%/10ms")
	}
	return nil
}

func (d Direction) checkChances() error {
	for _, v := range []struct {
		name  string
		value float64
	}{
		{"loss", d.Loss}, {"ge", d.GE.P}, {"ge", d.GE.R}, {"ge", d.GE.LossGood}, {"ge", d.GE.LossBad},
		{"reorder", d.Reorder.Chance}, {"duplicate", d.Duplicate.Chance},
	} {
		if !(v.value >= 0 && v.value <= 1) {
			return fmt.Errorf("%s: %g is outside 0 to 1", v.name, v.value)
		}
	}
	if d.GE != (GilbertElliott{}) && (d.GE.P == 0 || d.GE.R == 0) {
		return errors.New("ge needs both chances of changing state: ge=0.01/0.25")
	}
	return nil
}

// overhead returns the bytes that are added to each packet.
func (d Direction) overhead() int {
	switch d.Overhead {
	case 0:
		return Headers
	case None:
		return 0
	}
	return d.Overhead
}

// queue returns the limit of the bottleneck's buffer in bytes.
func (d Direction) queue() int {
	switch {
	case d.Queue == None:
		return maxSize
	case d.Queue > 0:
		return d.Queue
	}
	rate := d.Rate
	if d.Trace.Loaded() {
		rate = d.Trace.Rate()
	}
	return int(rate / 10 / 8) // 100 ms of it
}
