package lab

import (
	"fmt"
	"math"
	"testing"
)

func TestSweepLines(t *testing.T) {
	links := []Link{{Profile: "lan"}, {Name: "slow", Profile: "rtc-weak"}}
	for _, c := range []struct {
		name  string
		links []Link
		sweep Sweep
		want  string
	}{
		{"none", links, Sweep{}, "[]"},
		{"one value", links, Sweep{Rate: []string{"1mbit"}}, "[]"},
		{"loss", links[:1], Sweep{Loss: []string{"0.1%", "5%"}}, "[{loss lan [lan-loss0.1p lan-loss5p] [0.1 5]}]"},
		{"units", links[:1], Sweep{Delay: []string{"10ms", "1s"}}, "[{delay lan [lan-delay10ms lan-delay1s] [10 1000]}]"},
		{"queue", links[:1], Sweep{Queue: []string{"64KiB", "1MiB"}}, "[{queue lan [lan-queue64KiB lan-queue1MiB] [64 1024]}]"},
		{"two links", links, Sweep{Rate: []string{"1mbit", "500kbit"}},
			"[{rate lan [lan-rate1mbit lan-rate500kbit] [1 0.5]} {rate slow [slow-rate1mbit slow-rate500kbit] [1 0.5]}]"},
		{"the slower of two lists", links[:1], Sweep{Rate: []string{"1mbit", "2mbit", "5mbit"}, Loss: []string{"0", "1%"}},
			"[{rate lan-loss0 [lan-rate1mbit-loss0 lan-rate2mbit-loss0 lan-rate5mbit-loss0] [1 2 5]}" +
				" {rate lan-loss1p [lan-rate1mbit-loss1p lan-rate2mbit-loss1p lan-rate5mbit-loss1p] [1 2 5]}]"},
		{"the quicker of two lists", links[:1], Sweep{Rate: []string{"1mbit"}, Loss: []string{"0", "1%"}},
			"[{loss lan-rate1mbit [lan-rate1mbit-loss0 lan-rate1mbit-loss1p] [0 1]}]"},
	} {
		e := DefaultExperiment()
		e.Links, e.Sweep = c.links, c.sweep
		lines, err := e.SweepLines()
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		for _, l := range lines {
			for i, v := range l.Values {
				l.Values[i] = math.Round(v*1e9) / 1e9
			}
		}
		if got := fmt.Sprint(lines); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}
