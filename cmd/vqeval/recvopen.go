package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"

	"github.com/vqeval/vqeval/stream"
	"github.com/vqeval/vqeval/stream/rquic"
	"github.com/vqeval/vqeval/stream/transport"
)

// incoming is a transport's receiving end with the socket below it.
type incoming struct {
	transport.Receiver
	addr   net.Addr
	closer func() error
	buffer int // bytes of kernel receive buffer, 0 = not UDP
}

func (i *incoming) close() error { return errors.Join(i.Receiver.Close(), i.closer()) }

func (f *recvFlags) open() (*incoming, error) {
	c, err := f.config()
	if err != nil {
		return nil, err
	}
	c.Idle = f.idle
	if f.secure() {
		if c.TLS, err = receiverTLS(f.cert, f.key); err != nil {
			return nil, err
		}
	}
	if !c.Mode.Packets() {
		l, err := net.Listen("tcp", f.listen)
		if err != nil {
			return nil, explainListen(err, f.listen)
		}
		rx, err := transport.ListenStream(l, c)
		if err != nil {
			l.Close()
			return nil, err
		}
		return &incoming{Receiver: rx, addr: l.Addr(), closer: func() error { return nil }}, nil // Close closes l
	}
	socket, buffer, err := transport.ListenUDP(f.listen)
	if err != nil {
		return nil, explainListen(err, f.listen)
	}
	c.DropCounter = func() int64 {
		n, err := transport.KernelDrops(socket)
		if err != nil {
			return 0
		}
		return n
	}
	var rx transport.Receiver
	if f.partial() {
		rx, err = rquic.Listen(socket, rquicEnd(c))
	} else {
		rx, err = transport.Listen(socket, c)
	}
	if err != nil {
		socket.Close()
		return nil, err
	}
	return &incoming{rx, socket.LocalAddr(), socket.Close, buffer}, nil
}

func readSDP(path string) (stream.SDP, error) {
	file, err := os.Open(path)
	if err != nil {
		return stream.SDP{}, fmt.Errorf("--sdp: %w", missingFile(path, err))
	}
	defer file.Close()
	s, err := stream.ParseSDP(file)
	if err != nil {
		return stream.SDP{}, fmt.Errorf("--sdp %s: %w", path, err)
	}
	return s, nil
}

// sessionAddress is where a session description says that the stream goes, ""
// if it does not say.
func sessionAddress(s stream.SDP) string {
	if s.Port == 0 {
		return ""
	}
	host := ""
	if s.Host.IsValid() && !s.Host.IsUnspecified() && !s.Host.IsMulticast() {
		host = s.Host.String()
	}
	return net.JoinHostPort(host, strconv.Itoa(s.Port))
}
