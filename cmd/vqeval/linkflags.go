package main

import (
	"github.com/spf13/cobra"

	"github.com/vqeval/vqeval/lab"
	"github.com/vqeval/vqeval/stream/link"
)

// linkFlags describe a link on the command line: a profile and what differs
// from it.
type linkFlags struct {
	profile                  choice
	rate, delay, loss, queue string
	down, up                 string
}

func (l *linkFlags) add(c *cobra.Command) {
	l.profile.value = link.DefaultProfile
	choiceVar(c, &l.profile, "profile", "a named link", link.Names()...)
	f := c.Flags()
	f.StringVar(&l.rate, "rate", "", "`RATE` of both directions, such as 5mbit or 800kbit, in place of the profile's")
	f.StringVar(&l.delay, "delay", "", "one-way `DELAY` of both directions, such as 20ms")
	f.StringVar(&l.loss, "loss", "", "random loss in both directions, a `CHANCE` such as 1%")
	f.StringVar(&l.queue, "queue", "", "bottleneck buffer of both directions, a `SIZE` such as 64KiB (default 100 ms at the rate)")
	f.StringVar(&l.down, "down", "", "changes to the media's direction: `SPEC` such as rate=5mbit,queue=64KiB,delay=20ms,jitter=5ms,loss=1%,ge=0.01/0.25, or trace=FILE (mahimahi) in place of a rate")
	f.StringVar(&l.up, "up", "", "changes to the way back, spelled the same `SPEC`")
}

// link returns what the flags say, checked.
func (l *linkFlags) link() (lab.Link, error) {
	out := lab.Link{Profile: l.profile.value, Down: l.down, Up: l.up}.From("")
	for _, s := range []struct{ key, value string }{{"rate", l.rate}, {"delay", l.delay}, {"loss", l.loss}, {"queue", l.queue}} {
		if s.value == "" {
			continue
		}
		if out.Set != "" {
			out.Set += ","
		}
		out.Set += s.key + "=" + s.value
	}
	if _, err := out.Load(); err != nil {
		return lab.Link{}, usagef("link: %w", err)
	}
	return out, nil
}
