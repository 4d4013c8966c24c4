package main

import (
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"net"

	"github.com/vqeval/vqeval/stream/transport"
)

// senderTLS returns what a sender trusts. Traffic to this machine itself needs
// no proof of who answers.
func senderTLS(a *app, ca string, insecure bool, to net.IP, host string) (*tls.Config, error) {
	switch {
	case insecure:
		return transport.InsecureTLS(), nil
	case ca != "":
		pool, err := transport.LoadCA(ca)
		if err != nil {
			return nil, fmt.Errorf("--ca: %w", missingFile(ca, err))
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
	if cert == "" {
		c, err := transport.SelfSigned(rand.Reader)
		if err != nil {
			return nil, err
		}
		return transport.ServerTLS(c), nil
	}
	c, err := transport.LoadCert(cert, key)
	if err != nil {
		return nil, missingFile(cert, err)
	}
	return transport.ServerTLS(c), nil
}

// missingFile shortens the error of a file that is not there.
func missingFile(path string, err error) error {
	var p *fs.PathError
	if errors.As(err, &p) && errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: no such file", p.Path)
	}
	return err
}
