package rtph264

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestTimestamps holds unwrapping, in frame intervals.
func TestTimestamps(t *testing.T) {
	tests := []struct {
		name string
		in   string // timestamps in intervals; "R" is a restart
		want string
	}{
		{"rising", "0 1 2 3", "0 1 2 3"},
		{"B pictures", "0 3 1 2 6 4 5", "0 3 1 2 6 4 5"},
		{"restart", "5 6 7 R 0 1 2", "5 6 7 8 9 10"},
		{"restart after B pictures", "0 3 1 2 6 4 5 R 9 11 10", "0 3 1 2 6 4 5 7 9 8"},
		{"restart after loss", "0 1 2 9 10 30 R 0 1", "0 1 2 9 10 30 31 32"},
		{"two restarts", "0 1 R 7 8 R 3 4", "0 1 2 3 4 5"},
		{"restart after one unit", "0 R 9 10", "0 1 2"},
		{"restart after half intervals", "0 2 4 6 R 1 3", "0 2 4 6 8 10"},
	}
	for _, tt := range tests {
		for _, base := range []uint32{0, 1<<32 - 2*interval, 1 << 31} {
			t.Run(fmt.Sprintf("%s/%d", tt.name, base), func(t *testing.T) {
				var c clock
				var got []string
				var first int64
				for word := range strings.FieldsSeq(tt.in) {
					if word == "R" {
						c.restart()
						continue
					}
					var n uint32
					if _, err := fmt.Sscan(word, &n); err != nil {
						t.Fatal(err)
					}
					value := c.unwrap(base+n*interval, epoch)
					if got == nil {
						first = value - int64(n)*interval
					}
					got = append(got, fmt.Sprint((value-first)/interval))
				}
				if s := strings.Join(got, " "); s != tt.want {
					t.Errorf("%s became %s, want %s", tt.in, s, tt.want)
				}
			})
		}
	}
}

// TestLeaps: which step of the timestamps, after 50 frames of 40 ms that arrived
// each so long after the one before, is a leap of the sender's clock, and which a pause.
func TestLeaps(t *testing.T) {
	const second = 90000
	for _, v := range []struct {
		name         string
		pace, pause  time.Duration // between arrivals, and before the 51st frame
		step         int64         // ticks
		leap         bool
		later, epoch int64 // ticks from the 50th to the 51st; epochs
	}{
		{"steady", 40 * time.Millisecond, 40 * time.Millisecond, interval, false, interval, 0},
		{"B pictures of 2 fps", 40 * time.Millisecond, 40 * time.Millisecond, -2 * second, false, -2 * second, 0},
		{"back", 40 * time.Millisecond, 40 * time.Millisecond, -3 * second, true, interval, 1},
		{"far back", 0, 0, -10_000 * second, true, interval, 1},
		{"a minute ahead", 40 * time.Millisecond, 40 * time.Millisecond, 60 * second, true, interval, 1},
		{"a pause of a minute", 40 * time.Millisecond, time.Minute, 60 * second, false, 60 * second, 0},
		{"a pause of a minute, sent at once", 0, 0, 60 * second, false, 60 * second, 0},
		{"six minutes ahead", 0, 0, 360 * second, true, interval, 1},
		{"a pause of an hour", 40 * time.Millisecond, time.Hour, 3600 * second, false, 3600 * second, 0},
	} {
		t.Run(v.name, func(t *testing.T) {
			var c clock
			at, ts := epoch, uint32(1<<32-5*interval)
			var before int64
			for range 50 {
				before = c.unwrap(ts, at)
				ts, at = ts+interval, at.Add(v.pace)
			}
			after := c.unwrap(ts-interval+uint32(v.step), at.Add(v.pause-v.pace))
			if after-before != v.later || (c.leaps == 1) != v.leap || int64(c.epoch) != v.epoch {
				t.Errorf("%d ticks later, %d leaps, epoch %d; want %d", after-before, c.leaps, c.epoch, v.later)
			}
		})
	}
}

// TestOutageBehindAQueue: what waited in a queue during an outage comes at its end,
// and right behind it a frame that is in time. That is no leap.
func TestOutageBehindAQueue(t *testing.T) {
	var c clock
	unwrap := func(frame int, at time.Duration) int64 { return c.unwrap(uint32(frame)*interval, epoch.Add(at)) }
	for i := range 50 {
		unwrap(i, time.Duration(i)*40*time.Millisecond)
	}
	for i := 50; i < 55; i++ {
		unwrap(i, 22*time.Second)
	}
	if got := unwrap(550, 22*time.Second+time.Millisecond); got != 550*interval || c.leaps != 0 {
		t.Errorf("frame 550 has the timestamp %d, want %d; %d leaps", got, 550*interval, c.leaps)
	}
}
