package main

import (
	"crypto/rand"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/vqeval/vqeval/stream/transport"
)

// endFlags are what both ends of a transport have in common.
type endFlags struct {
	mode choice
	alpn []string
	flow uint64
	qlog string
}

func (e *endFlags) add(c *cobra.Command) {
	var names []string
	for _, m := range transport.Modes() {
		names = append(names, string(m))
	}
	choiceVar(c, &e.mode, "transport", "how the stream is carried", names...)
	c.Flags().StringSliceVar(&e.alpn, "alpn", nil, "protocol `NAMES` that QUIC negotiates (default roq-14)")
	c.Flags().Uint64Var(&e.flow, "flow", 1, "RoQ flow `ID` of the media")
	c.Flags().StringVar(&e.qlog, "qlog", "", "write qlog files of QUIC connections into folder `DIR`")
}

// config returns the transport's configuration, TLS apart.
func (e *endFlags) config() (transport.Config, error) {
	c := transport.Config{Mode: transport.Mode(e.mode.value), ALPN: e.alpn, Flow: e.flow}
	if e.flow == 0 {
		c.Flow = transport.FlowZero
	}
	if e.qlog == "" {
		return c, nil
	}
	if err := os.MkdirAll(e.qlog, 0o755); err != nil {
		return c, fmt.Errorf("qlog folder: %w", err)
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

// senderTLS returns what a sender trusts. Traffic to this machine itself needs
// no proof of who answers.
func senderTLS(a *app, ca string, insecure bool, to net.IP, host string) (*tls.Config, error) {
	switch {
	case insecure:
		return transport.InsecureTLS(), nil
	case ca != "":
		pool, err := transport.LoadCA(ca)
		if err != nil {
			return nil, err
		}
		return transport.ClientTLS(pool, host), nil
	case to.IsLoopback():
		a.detail("the receiver is on this machine: its certificate is not checked")
		return transport.InsecureTLS(), nil
	}
	return transport.ClientTLS(nil, host), nil
}

// receiverTLS returns the receiver's certificate: a given one, or a fresh
// self-signed one.
func receiverTLS(cert, key string) (*tls.Config, error) {
	if cert == "" && key == "" {
		c, err := transport.SelfSigned(rand.Reader)
		if err != nil {
			return nil, err
		}
		return transport.ServerTLS(c), nil
	}
	if cert == "" || key == "" {
		return nil, usagef("--cert and --key go together")
	}
	c, err := transport.LoadCert(cert, key)
	if err != nil {
		return nil, err
	}
	return transport.ServerTLS(c), nil
}
