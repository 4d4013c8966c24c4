package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/vqeval/vqeval/decode"
	"github.com/vqeval/vqeval/stream"
	"github.com/vqeval/vqeval/stream/rtph264"
	"github.com/vqeval/vqeval/stream/transport"
)

// sendFlags is what `vqeval send` was asked for.
type sendFlags struct {
	endFlags
	to        string
	max       bool
	pace      float64
	maxPacket int
	ssrc      uint32
	ca        string
	insecure  bool
	sdp       string
	force     bool
	plain     bool
}

func (a *app) sendCommand() *cobra.Command {
	var f sendFlags
	c := &cobra.Command{
		Use:   "send CLIP --to HOST:PORT",
		Short: "packetise a clip and send it in real time",
		Long: `Sends the H.264 video of a file as RTP (RFC 6184), each access unit at its
time, over the transport that --transport names. The receiver is vqeval recv;
over UDP it may be any RTP receiver, which --sdp writes a description for.
builtin:fullhd is the built-in clip.`,
		Example: `  vqeval send builtin:fullhd --to 127.0.0.1:5004
  vqeval send clip.mp4 --to 10.0.0.7:5004 --transport quic --insecure
  vqeval send clip.mp4 --to 127.0.0.1:5004 --sdp clip.sdp     # then: ffplay -protocol_whitelist file,udp,rtp clip.sdp`,
		Args: exactArgs(1, "one clip"),
		RunE: func(c *cobra.Command, args []string) error { return a.send(c.Context(), args[0], f) },
	}
	f.add(c)
	fl := c.Flags()
	fl.StringVar(&f.to, "to", "", "`HOST:PORT` of the receiver, or of the link before it")
	fl.BoolVar(&f.max, "max", false, "as fast as the transport takes it, not in real time")
	fl.Float64Var(&f.pace, "pace", .5, "spread a frame's UDP packets over this `SHARE` of its interval, 0..1")
	fl.IntVar(&f.maxPacket, "max-packet", 0, "largest RTP packet in `BYTES` (default 1199)")
	fl.Uint32Var(&f.ssrc, "ssrc", 0, "RTP synchronisation source `ID` (default random)")
	fl.StringVar(&f.ca, "ca", "", "trust the receiver's certificate if `FILE` (PEM) vouches for it")
	fl.BoolVar(&f.insecure, "insecure", false, "take any certificate: whoever sits on the path can pose as the receiver")
	fl.StringVar(&f.sdp, "sdp", "", "write a session description for other RTP receivers to `FILE`")
	fl.BoolVar(&f.force, "force", false, "overwrite the --sdp file")
	fl.BoolVar(&f.plain, "no-extensions", false, "leave out the RTP header extensions (frame marking, reliability)")
	return c
}

// check finds out before anything is opened what cannot work.
func (f sendFlags) check() error {
	if err := checkAddress("--to", f.to, false); err != nil {
		return err
	}
	switch {
	case f.pace < 0 || f.pace > 1:
		return usagef("--pace %g is not in 0..1", f.pace)
	case f.maxPacket != 0 && (f.maxPacket < 64 || f.maxPacket > 65000):
		return usagef("--max-packet %d is not in 64..65000 bytes", f.maxPacket)
	case f.ca != "" && f.insecure:
		return usagef("--ca and --insecure exclude each other")
	case f.sdp != "" && f.mode.value != string(transport.UDP):
		return usagef("--sdp describes an RTP session over UDP, not over %s", f.mode.value)
	}
	return nil
}

func (a *app) send(ctx context.Context, name string, f sendFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	clip, err := readClip(ctx, name)
	if err != nil {
		return err
	}
	for _, n := range clip.Notes {
		a.note("%s: %s", name, n)
	}
	packetizer, err := f.packetizer()
	if err != nil {
		return err
	}
	if f.sdp != "" {
		if err := f.describe(clip, packetizer); err != nil {
			return err
		}
		a.note("%s: session description written", f.sdp)
	}
	tx, err := a.dial(ctx, f, clip)
	if err != nil {
		return err
	}
	if n := transport.MaxPacket(tx.Sender); n > 0 && packetizer.MaxPacket > n {
		tx.close()
		return fmt.Errorf("--max-packet %d: this connection carries RTP packets of at most %d bytes", packetizer.MaxPacket, n)
	}
	return a.play(ctx, tx, clip, f, packetizer)
}

// play sends the clip and reports.
func (a *app) play(ctx context.Context, tx *outgoing, clip decode.Clip, f sendFlags, p rtph264.Packetizer) error {
	bar := a.progress("sending", int64(len(clip.Units)), "frames")
	sent, err := stream.Send(ctx, tx.Sender, clip.Units, stream.SendOptions{
		Max: f.max, Packetizer: p,
		Progress: func(done, total int) { bar.set(int64(done), int64(total), "") },
	})
	if cerr := tx.close(); err == nil {
		err = cerr
	}
	a.endProgress(bar)
	stats := transport.StatsOf(tx.Sender)
	if perr := a.printSent(sent, stats, clip); err == nil {
		err = perr
	}
	if err == nil && stats.Mode == transport.UDP {
		a.warnUDP(stats)
	}
	return err
}

// warnUDP says what a UDP sender can know about its receiver.
func (a *app) warnUDP(s transport.Stats) {
	if s.Refused > 0 {
		a.note("warning: nobody listened at the receiver's port: %d packets were refused", s.Refused)
		return
	}
	a.note("UDP has no answer: whether a receiver was there, only the receiver can tell")
}

func (f sendFlags) packetizer() (rtph264.Packetizer, error) {
	p := rtph264.Packetizer{MaxPacket: f.maxPacket, SSRC: f.ssrc, NoExtensions: f.plain}
	if p.SSRC == 0 {
		p.SSRC = randomSSRC()
	}
	return p, nil
}

// describe writes the session description.
func (f sendFlags) describe(clip decode.Clip, p rtph264.Packetizer) error {
	out, err := create(f.sdp, f.force)
	if err != nil {
		return err
	}
	to, err := resolveUDP(f.to)
	if err != nil {
		out.discard()
		return err
	}
	host, _ := netip.AddrFromSlice(to.IP)
	var text bytes.Buffer
	err = stream.WriteSDP(&text, stream.SDP{Host: host.Unmap(), Port: to.Port, PayloadType: p.PayloadType,
		Params: slices.Concat(clip.Config.SPS, clip.Config.PPS), NoExtensions: f.plain})
	if err != nil {
		out.discard()
		return err
	}
	return out.commit(text.Bytes())
}

// outgoing is a transport's sending end with the socket below it.
type outgoing struct {
	transport.Sender
	socket net.PacketConn // nil for TCP and TLS, whose sender owns it
}

func (o *outgoing) close() error {
	err := o.Sender.Close()
	if o.socket != nil {
		err = errors.Join(err, o.socket.Close())
	}
	return err
}

func (a *app) dial(ctx context.Context, f sendFlags, clip decode.Clip) (*outgoing, error) {
	to, err := resolveUDP(f.to)
	if err != nil {
		return nil, err
	}
	c, err := f.config()
	if err != nil {
		return nil, err
	}
	c.Spread = time.Duration(f.pace * float64(time.Second) / clip.FrameRate.Float())
	host, _, _ := net.SplitHostPort(f.to)
	if c.Mode != transport.UDP && c.Mode != transport.TCP {
		if c.TLS, err = senderTLS(a, f.ca, f.insecure, to.IP, host); err != nil {
			return nil, err
		}
	}
	if !c.Mode.Packets() {
		return dialTCP(ctx, f.to, c)
	}
	socket, err := net.ListenUDP("udp", nil)
	if err != nil {
		return nil, fmt.Errorf("socket: %w", err)
	}
	tx, err := transport.Dial(ctx, socket, to, c)
	if err != nil {
		socket.Close()
		return nil, explainDial(err, f.to)
	}
	return &outgoing{tx, socket}, nil
}

func dialTCP(ctx context.Context, to string, c transport.Config) (*outgoing, error) {
	conn, err := (&net.Dialer{Timeout: 5 * time.Second}).DialContext(ctx, "tcp", to)
	if err != nil {
		return nil, explainDial(err, to)
	}
	tx, err := transport.DialStream(ctx, conn, c)
	if err != nil {
		return nil, explainDial(err, to)
	}
	return &outgoing{Sender: tx}, nil
}
