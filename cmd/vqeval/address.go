package main

import (
	"errors"
	"fmt"
	"net"
	"strconv"
	"syscall"
)

// checkAddress makes sure that s is HOST:PORT, for what the flag called name
// is for. An empty host is allowed only where anyHost says so.
func checkAddress(name, s string, anyHost bool) error {
	if s == "" {
		return usagef("%s is missing; hint: %s 127.0.0.1:5004", name, name)
	}
	host, port, err := net.SplitHostPort(s)
	if err != nil {
		return usagef("%s %q: want HOST:PORT, such as 127.0.0.1:5004", name, s)
	}
	if host == "" && !anyHost {
		return usagef("%s %q: the host is missing", name, s)
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 && !anyHost {
		return usagef("%s %q: the port is not a number from 1 to 65535", name, s)
	}
	return nil
}

// resolveUDP finds the address of HOST:PORT.
func resolveUDP(s string) (*net.UDPAddr, error) {
	addr, err := net.ResolveUDPAddr("udp", s)
	var unknown *net.DNSError
	switch {
	case errors.As(err, &unknown) && unknown.IsNotFound:
		return nil, fmt.Errorf("address %s: no host has the name %s", s, unknown.Name)
	case err != nil:
		return nil, fmt.Errorf("address %s: %w", s, err)
	}
	return addr, nil
}

// explainListen adds to an error of listening what usually helps.
func explainListen(err error, addr string) error {
	var unknown *net.DNSError
	switch {
	case errors.As(err, &unknown):
		return fmt.Errorf("listen on %s: no host has the name %s", addr, unknown.Name)
	case errors.Is(err, syscall.EADDRINUSE):
		return fmt.Errorf("listen on %s: the port is in use; hint: choose another port, or end the program that has it", addr)
	case errors.Is(err, syscall.EACCES):
		return fmt.Errorf("listen on %s: permission denied; hint: ports below 1024 need privileges, choose a higher one", addr)
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return fmt.Errorf("listen on %s: this machine has no such address; hint: 0.0.0.0 listens on all of them", addr)
	}
	return fmt.Errorf("listen on %s: %w", addr, err)
}
