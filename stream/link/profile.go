package link

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// DefaultProfile names the profile that stands for none given.
const DefaultProfile = "fullhd-5mbit"

// A Profile is a path with both its directions.
type Profile struct {
	Name   string    `json:"name"`
	Down   Direction `json:"down"` // from the sender of the media to its receiver
	Up     Direction `json:"up"`   // back
	Source string    `json:"source,omitempty"`
}

// Check reports what is out of range in either direction.
func (p Profile) Check() error {
	if err := p.Down.Check(); err != nil {
		return fmt.Errorf("down: %w", err)
	}
	if err := p.Up.Check(); err != nil {
		return fmt.Errorf("up: %w", err)
	}
	return nil
}

// LoadTraces loads the traces of both directions through open.
func (p *Profile) LoadTraces(open func(name string) (io.ReadCloser, error)) error {
	if err := p.Down.LoadTrace(open); err != nil {
		return err
	}
	return p.Up.LoadTrace(open)
}

// Symmetric returns a profile that is the same both ways.
func Symmetric(name string, d Direction) Profile { return Profile{Name: name, Down: d, Up: d} }

// Named returns the profile of that name, DefaultProfile for an empty one.
func Named(name string) (Profile, error) {
	if name == "" {
		name = DefaultProfile
	}
	for _, p := range profiles() {
		if p.Name == name {
			return p, nil
		}
	}
	return Profile{}, fmt.Errorf("no link profile %q: there are %s", name, strings.Join(Names(), ", "))
}

// Names returns the names of all profiles.
func Names() []string {
	var names []string
	for _, p := range profiles() {
		names = append(names, p.Name)
	}
	return names
}

func profiles() []Profile {
	const ms = time.Millisecond
	same := func(name string, d Direction, source string) Profile { return Profile{name, d, d, source} }
	satellite := Direction{Rate: 4500 * Kbps, Delay: 260 * ms}
	satelliteADSL := satellite
	satelliteADSL.Queue = int(100 * KB)
	return []Profile{
		same("lan", Direction{Rate: 100 * Mbps, Delay: 500 * time.Microsecond},
			"an undisturbed 100BASE-TX segment"),
		same("fullhd-5mbit", Direction{Rate: 5 * Mbps, Delay: 20 * ms},
			"FullHD H.264 needs about 6 Mbit/s; the limiter was set to 5"),
		same("rtc-mild", Direction{Rate: 20 * Mbps, Delay: 50 * ms, Loss: .01},
			"rQUIC paper, Fig. 5 (800 kbit/s 1280x720 stream)"),
		same("rtc-weak", Direction{Rate: 20 * Mbps, Delay: 250 * ms, Loss: .1},
			"rQUIC paper, Fig. 6"),
		{"sat-adsl", satelliteADSL, Direction{Rate: 384 * Kbps, Delay: 110 * ms},
			"satellite report; its own plateaus imply an RTT of about 350-370 ms"},
		{"sat-edge", satellite, Direction{Rate: 20 * Kbps, Delay: 480 * ms, Jitter: 80 * ms, Queue: int(8 * KB), Loss: .002},
			"satellite report, EDGE return channel"},
	}
}
