package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/vqeval/vqeval/stream/rquic"
	"github.com/vqeval/vqeval/stream/transport"
)

// endFlags are what both ends of a transport have in common.
type endFlags struct {
	mode choice
	alpn []string
	flow uint64
	gone time.Duration
	qlog string
}

func (e *endFlags) add(c *cobra.Command) {
	var names []string
	for _, m := range transport.Modes() {
		names = append(names, string(m))
		if m == transport.QUICDatagram {
			names = append(names, string(rquic.Mode))
		}
	}
	choiceVar(c, &e.mode, "transport", "how the stream is carried", names...)
	c.Flags().StringSliceVar(&e.alpn, "alpn", nil, "protocol `NAMES` that QUIC negotiates (default roq-14, of rquic before it roq-14-rquic1)")
	c.Flags().Uint64Var(&e.flow, "flow", 1, "RoQ flow `ID` of the media")
	c.Flags().DurationVar(&e.gone, "gone", 10*time.Second, "silence of this `TIME` means that the other end is gone (QUIC)")
	c.Flags().StringVar(&e.qlog, "qlog", "", "write qlog files of QUIC connections into folder `DIR`")
}

// check finds what contradicts the transport.
func (e *endFlags) check() error {
	m := transport.Mode(e.mode.value)
	switch {
	case e.qlog != "" && !overQUIC(m):
		return usagef("--qlog is of QUIC connections, not of %s; hint: --transport quic", m)
	case len(e.alpn) > 0 && !overQUIC(m):
		return usagef("--alpn is of QUIC connections, not of %s; hint: --transport quic", m)
	case e.gone < time.Second:
		return usagef("--gone %v: want a time of at least 1s", e.gone)
	}
	return nil
}

// overQUIC reports whether m runs over QUIC, rquic included.
func overQUIC(m transport.Mode) bool { return m.IsQUIC() || m == rquic.Mode }

// partial reports whether the transport is rquic.
func (e *endFlags) partial() bool { return e.mode.value == string(rquic.Mode) }

// secure reports whether the transport has certificates.
func (e *endFlags) secure() bool {
	m := transport.Mode(e.mode.value)
	return m != transport.UDP && m != transport.TCP
}

// config returns the transport's configuration, TLS apart.
func (e *endFlags) config() (transport.Config, error) {
	c := transport.Config{Mode: transport.Mode(e.mode.value), ALPN: e.alpn, Flow: e.flow, Gone: e.gone}
	if e.flow == 0 {
		c.Flow = transport.FlowZero
	}
	if e.qlog == "" {
		return c, nil
	}
	if err := os.MkdirAll(e.qlog, 0o755); err != nil {
		return c, fmt.Errorf("--qlog: %w", writeError(e.qlog, err))
	}
	c.QLog = func(name string) io.WriteCloser {
		f, err := os.Create(filepath.Join(e.qlog, name))
		if err != nil {
			return nil
		}
		return f
	}
	return c, nil
}

// rquicEnd carries c over into what both ends of rQUIC take.
func rquicEnd(c transport.Config) rquic.Config {
	return rquic.Config{TLS: c.TLS, ALPN: c.ALPN, Flow: c.Flow, Handshake: c.Handshake, Idle: c.Idle, Gone: c.Gone,
		QLog: c.QLog, DropCounter: c.DropCounter}
}
