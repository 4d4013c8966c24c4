package rquic

import (
	"context"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/vqeval/vqeval/stream/transport"
)

const (
	minDatagram  = 256             // smallest dgram_size_max that is accepted, bytes
	helloTimeout = 5 * time.Second // for the peer's HELLO, beyond four round trips
)

// Dial returns a sender over conn to the receiver at to. Both ends have shaken
// hands and agreed on the size of datagrams when it returns; an absent receiver
// is transport.ErrNoAnswer. The conn stays the caller's, and nobody else may
// use it until the sender is closed.
func Dial(ctx context.Context, conn net.PacketConn, to net.Addr, c Config) (*Sender, error) {
	l, err := dialLine(ctx, conn, to, c)
	if err != nil {
		return nil, fmt.Errorf("rquic dial %v: %w", to, err)
	}
	s := &Sender{
		c: c, line: l, backlog: newBacklog(c.queue()), dropper: newDropper(c),
		start: time.Now(), hello: make(chan hello, 1), drained: make(chan struct{}),
	}
	if err := s.meet(ctx); err != nil {
		s.fail(transport.RoQGeneralError, "dial") // no-op if there is a better reason
		s.shut(transport.RoQGeneralError, "dial")
		return nil, fmt.Errorf("rquic dial %v: %w", to, err)
	}
	s.loops.Go(s.run)
	s.loops.Go(s.watch)
	return s, nil
}

// meet agrees with the receiver on everything there is to agree on.
func (s *Sender) meet(ctx context.Context) error {
	limit, err := s.line.datagramLimit()
	if err != nil {
		s.fail(transport.RoQExpectation, err.Error())
		return err
	}
	control := strings.HasSuffix(s.line.protocol(), controlSuffix)
	s.loops.Go(func() { s.acceptStreams(control) })
	s.loops.Go(s.refuseBidirectional)
	if control {
		if limit, err = s.exchange(ctx, limit); err != nil {
			return err
		}
	}
	s.limit = limit - len(transport.AppendFlow(nil, s.c.flow()))
	return nil
}

// exchange sends this end's HELLO, waits for the other's, and returns the
// largest DATAGRAM that both take.
func (s *Sender) exchange(ctx context.Context, limit int) (int, error) {
	str, err := s.line.conn.OpenUniStreamSync(ctx)
	if err != nil {
		return 0, fmt.Errorf("control stream: %w", explain(err))
	}
	s.control = newControlWriter(str, int64(str.StreamID()), s.line.tracker, s.line.done(), s.c.SSRC, s.own())
	wait := helloTimeout + 4*s.line.rtt()
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case h := <-s.hello:
		if err := h.check(); err != nil {
			s.fail(transport.RoQExpectation, err.Error())
			return 0, err
		}
		return min(limit, int(min(h.datagramMax, datagramMax))), nil
	case <-timer.C:
		err := fmt.Errorf("no HELLO from the peer within %v", wait)
		s.fail(transport.RoQExpectation, err.Error())
		return 0, err
	case <-s.line.done():
		return 0, s.reason()
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

// own is this sender's HELLO.
func (s *Sender) own() hello {
	return hello{
		version: protocolV1, flags: flagSendsMedia | flagNeedsDatagrams, datagramMax: datagramMax,
		expire: uint32(max(0, s.dropper.expire.Milliseconds())), payload: rtpPayload, codec: codecH264,
		policy: s.c.Policy.wire(), clock: clockRate,
	}
}

// An unmetError is what one end wants and the other does not offer.
type unmetError struct{ why string }

func (e *unmetError) Error() string { return e.why }

// check reports what this end cannot work with, as an unmetError.
func (h hello) check() error {
	switch {
	case h.version != protocolV1:
		return &unmetError{fmt.Sprintf("peer speaks version %d of the control protocol, want %d", h.version, protocolV1)}
	case h.codec != codecH264:
		return &unmetError{fmt.Sprintf("peer's codec is %d, want %d (H.264)", h.codec, codecH264)}
	case h.datagramMax < minDatagram:
		return &unmetError{fmt.Sprintf("peer takes datagrams up to %d bytes, %d are needed", h.datagramMax, minDatagram)}
	}
	return nil
}

// Warning returns what a user should know before sending to an address with c,
// empty if there is nothing: adaptive CUBIC ignores losses that it takes for
// random, and has never been tried against other traffic.
func Warning(to net.Addr, c Config) string {
	if c.CC != AdaptiveCubic || c.LossRule == AlwaysLoss {
		return ""
	}
	host, _, err := net.SplitHostPort(to.String())
	if err != nil {
		host = to.String()
	}
	host, _, _ = strings.Cut(host, "%")
	if ip := net.ParseIP(host); ip != nil && (ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast()) {
		return ""
	}
	return fmt.Sprintf("the congestion control acubic may take more than its share of a public network; %s is not a private address", host)
}
