package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"sync"
)

// Ports for tests lie below those that Linux gives to sockets that ask for
// none in particular, so that no sender takes one before its receiver does.
const (
	firstPort = 10000
	lastPort  = 32000
)

// ports hands out ports of which no two tests get the same.
var ports = &portList{next: firstPort + os.Getpid()*16%(lastPort-firstPort)}

type portList struct {
	mu   sync.Mutex
	next int // even
}

// take returns an even port that is free for UDP and TCP, as is the next one,
// which is RTCP's.
func (p *portList) take() (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for range (lastPort - firstPort) / 2 {
		port := p.next
		if p.next += 2; p.next >= lastPort {
			p.next = firstPort
		}
		if free("udp", port) && free("udp", port+1) && free("tcp", port) {
			return port, nil
		}
	}
	return 0, errors.New("no free port")
}

// bound reports whether some program has the port. It only looks: to try the
// port could take it away from the program that is about to open it.
func bound(network string, port int) bool {
	mark := fmt.Sprintf(":%04X", port)
	for _, table := range []string{"/proc/net/" + network, "/proc/net/" + network + "6"} {
		text, err := os.ReadFile(table)
		if err != nil {
			continue
		}
		for _, line := range strings.Split(string(text), "\n") {
			// "0: 0100007F:1F90 00000000:0000 07 ...": the local address, the remote one
			if f := strings.Fields(line); len(f) > 1 && strings.HasSuffix(f[1], mark) {
				return true
			}
		}
	}
	return false
}

// free reports whether nobody has the port on the loopback address.
func free(network string, port int) bool {
	addr := fmt.Sprintf("127.0.0.1:%d", port)
	if network == "tcp" {
		l, err := net.Listen("tcp", addr)
		if err == nil {
			l.Close()
		}
		return err == nil
	}
	c, err := net.ListenPacket("udp", addr)
	if err == nil {
		c.Close()
	}
	return err == nil
}
