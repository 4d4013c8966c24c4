package main

import (
	"github.com/spf13/cobra"

	"github.com/vqeval/vqeval/lab"
	"github.com/vqeval/vqeval/stream/rquic"
)

// rquicFlags are the flags of send and run that are about rquic alone.
type rquicFlags struct {
	lab.RQUIC
}

func (q *rquicFlags) add(c *cobra.Command) {
	f := c.Flags()
	f.Var(textFlag{&q.CC, "acubic|cubic|reno"}, "cc", "congestion control of rquic")
	f.Var(textFlag{&q.Reliable, "auto|none|idr|ref|all"}, "reliable", "which frames rquic delivers at any cost; auto = key frames, and what others refer to while the sender keeps up")
	f.Var(textFlag{&q.Expire, "AGE"}, "expire", "age at which rquic drops a frame that is not reliable: none, or such as 400ms (0s = 400ms)")
	f.Float64Var(&q.PMax, "pmax", 0, "`CHANCE` of rquic's random drop just before expiry, -1 = none (0 = 1)")
	f.Float64Var(&q.Theta, "theta", 0, "`SHARE` of the age from which that chance rises, -1 = from the start (0 = .5)")
}

// given reports whether one of the flags was.
func (q *rquicFlags) given(c *cobra.Command) bool {
	return changed(c.Flags(), "cc", "reliable", "expire", "pmax", "theta")
}

// apply changes every rquic transport of e by the flags that were given.
func (q *rquicFlags) apply(c *cobra.Command, e *lab.Experiment) error {
	if !q.given(c) {
		return nil
	}
	found := false
	for i := range e.Transports {
		t := &e.Transports[i]
		if t.Mode != string(rquic.Mode) {
			continue
		}
		found = true
		for name, set := range map[string]func(){
			"cc": func() { t.CC = q.CC }, "reliable": func() { t.Reliable = q.Reliable }, "expire": func() { t.Expire = q.Expire },
			"pmax": func() { t.PMax = q.PMax }, "theta": func() { t.Theta = q.Theta },
		} {
			if c.Flags().Changed(name) {
				set()
			}
		}
	}
	if !found {
		return usagef("--cc, --reliable, --expire, --pmax and --theta are about the transport rquic; hint: --transports udp,quic,rquic")
	}
	return nil
}
