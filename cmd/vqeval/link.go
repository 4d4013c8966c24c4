package main

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/vqeval/vqeval/stream/link"
	"github.com/vqeval/vqeval/stream/transport"
)

func (a *app) linkCommand() *cobra.Command {
	var flags linkFlags
	var listen, to string
	var seed uint64
	c := &cobra.Command{
		Use:   "link --listen ADDR:PORT --to HOST:PORT",
		Short: "emulate a limited link as a UDP relay",
		Long: `Stands between a sender and a receiver and forwards UDP both ways through an
emulated link: a bottleneck with a finite buffer, delay, jitter and losses. The
peers need no change and no privileges: the sender is told to send to --listen.
Several clients share the link. It runs until Ctrl-C, its normal end, and then
prints what it did.`,
		Example: `  vqeval link --listen 127.0.0.1:5000 --to 127.0.0.1:5004 --rate 5mbit
  vqeval link --listen :5000 --to 10.0.0.7:5004 --profile sat-edge
  vqeval link --listen :5000 --to 10.0.0.7:5004 --down rate=5mbit,loss=1% --up rate=1mbit,delay=50ms`,
		Args: exactArgs(0, ""),
		RunE: func(c *cobra.Command, _ []string) error {
			if err := checkAddress("--listen", listen, true); err != nil {
				return err
			}
			if err := checkAddress("--to", to, false); err != nil {
				return err
			}
			l, err := flags.link()
			if err != nil {
				return err
			}
			profile, err := l.Load()
			if err != nil {
				return err
			}
			return a.relay(c, listen, to, profile, seed)
		},
	}
	c.Flags().StringVar(&listen, "listen", "", "`ADDR:PORT` that clients send to")
	c.Flags().StringVar(&to, "to", "", "`HOST:PORT` that their packets go on to")
	c.Flags().Uint64Var(&seed, "seed", 1, "of all chances: the same `SEED` loses the same packet numbers")
	flags.add(c)
	return c
}

func (a *app) relay(c *cobra.Command, listen, to string, p link.Profile, seed uint64) error {
	target, err := resolveUDP(to)
	if err != nil {
		return err
	}
	conn, _, err := transport.ListenUDP(listen)
	if err != nil {
		return explainListen(err, listen)
	}
	defer conn.Close()
	if conn.LocalAddr().String() == target.String() {
		return usagef("--to %s is the address that the link itself listens on", to)
	}
	r := link.NewRelay(conn, target, p, link.RelayOptions{Seed: seed})
	a.note("link %s: %s to %s\n  down %v\n  up   %v\nCtrl-C ends it", p.Name, conn.LocalAddr(), target, p.Down, p.Up)
	if err := r.Run(c.Context()); err != nil && c.Context().Err() == nil {
		return fmt.Errorf("link: %w", err)
	}
	s := r.Stats()
	if a.json {
		return printJSON(a.stdout, s)
	}
	printRelay(a.stdout, s)
	return nil
}

func printRelay(w io.Writer, s link.RelayStats) {
	fmt.Fprintf(w, "%-6s %10s %10s %10s %10s %10s %10s %12s %12s\n", "", "packets", "delivered", "queue", "random", "too big", "duplicated", "bytes in", "max queue B")
	for _, d := range []struct {
		name string
		link.Stats
	}{{"down", s.Down}, {"up", s.Up}} {
		fmt.Fprintf(w, "%-6s %10d %10d %10d %10d %10d %10d %12d %12d\n", d.name, d.Packets, d.Delivered, d.QueueDrops, d.RandomLosses, d.TooBig, d.Duplicated, d.Bytes, d.MaxQueue)
	}
	fmt.Fprintf(w, "clients: %d; lost in this machine's receive buffers: %d packets; lateness p99: %v\n", s.ClientsSeen, s.KernelDrops, s.Lateness.P99.Round(10*time.Microsecond))
	if n := s.DownSent.Errors + s.UpSent.Errors; n > 0 {
		fmt.Fprintf(w, "not taken by this machine's network: %d packets\n", n)
	}
	if s.Unreachable > 0 {
		fmt.Fprintf(w, "nobody listened where packets went: %d times\n", s.Unreachable)
	}
	if s.Lateness.Excessive() {
		fmt.Fprintln(w, "emulator late: more than 1 % of the packets left over 1 ms after their time; the machine was busy")
	}
}
