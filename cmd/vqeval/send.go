package main

import (
	"bytes"
	"context"
	"fmt"
	"net/netip"
	"slices"

	"github.com/spf13/cobra"

	"github.com/vqeval/vqeval/decode"
	"github.com/vqeval/vqeval/stream"
	"github.com/vqeval/vqeval/stream/rtph264"
	"github.com/vqeval/vqeval/stream/transport"
)

// sendFlags is what `vqeval send` was asked for.
type sendFlags struct {
	endFlags
	rquic     rquicFlags
	to        string
	max       bool
	pace      float64
	maxPacket int
	ssrc      uint32
	ca        string
	insecure  bool
	sdp       string
	record    string // folder
	force     bool
	plain     bool
}

func (a *app) sendCommand() *cobra.Command {
	var f sendFlags
	c := &cobra.Command{
		Use:   "send CLIP --to HOST:PORT",
		Short: "packetise a clip and send it in real time",
		Long: `Sends the H.264 video of a file as RTP (RFC 6184), each access unit at its
time, over the transport that --transport names. The receiver is vqeval recv
with the same --transport, to be started first; over UDP it may be any RTP
receiver, which --sdp writes a description for. builtin:fullhd is the built-in
clip, builtin:small the same in 320x180.

QUIC and TLS receivers prove who they are by a certificate that the system or
--ca trusts; one on this machine need not. --insecure does without, which suits
the self-signed certificate that vqeval recv makes.

rquic repeats what is lost of frames that others need, lets the rest go, and
drops what is too old to be of use; to a receiver that knows QUIC and RTP only
(vqeval recv --transport quic-dgram) it sends the same media without saying so.

Ctrl-C ends it: the receiver keeps what was sent.`,
		Example: `  vqeval send builtin:fullhd --to 127.0.0.1:5004
  vqeval send clip.mp4 --to 10.0.0.7:5004 --transport quic --insecure
  vqeval send clip.mp4 --to receiver.example:5004 --transport quic --ca cert.pem
  vqeval send clip.mp4 --to 127.0.0.1:5004 --transport rquic --reliable idr --expire 200ms
  vqeval send clip.mp4 --to 127.0.0.1:5004 --sdp clip.sdp

Then, in another window, a player by the description, from the next key frame on:
  ffplay -protocol_whitelist file,udp,rtp clip.sdp
  gst-launch-1.0 filesrc location=clip.sdp ! sdpdemux ! rtph264depay ! h264parse ! avdec_h264 ! autovideosink`,
		Args: exactArgs(1, "one clip"),
		RunE: func(c *cobra.Command, args []string) error {
			if f.rquic.given(c) && !f.partial() {
				return usagef("--cc, --reliable, --expire, --pmax and --theta are of rquic, not of %s; hint: --transport rquic", f.mode.value)
			}
			if f.record != "" && !f.partial() {
				return usagef("--record is of rquic, not of %s; hint: --transport rquic", f.mode.value)
			}
			return a.send(c.Context(), args[0], f)
		},
	}
	f.add(c)
	f.rquic.add(c)
	fl := c.Flags()
	fl.StringVar(&f.to, "to", "", "`HOST:PORT` of the receiver, or of the link before it")
	fl.BoolVar(&f.max, "max", false, "as fast as the transport takes it, neither in real time nor paced")
	fl.Float64Var(&f.pace, "pace", .5, "spread a frame's packets over this `SHARE` of its interval, 0..1 (udp, quic-dgram)")
	fl.IntVar(&f.maxPacket, "max-packet", 0, fmt.Sprintf("largest RTP packet in `BYTES` (default %d)", rtph264.DefaultMaxPacket))
	fl.Uint32Var(&f.ssrc, "ssrc", 0, "RTP synchronisation source `ID` (default random)")
	fl.StringVar(&f.ca, "ca", "", "trust the receiver's certificate if `FILE` (PEM) vouches for it")
	fl.BoolVar(&f.insecure, "insecure", false, "take any certificate: whoever sits on the path can pose as the receiver")
	fl.StringVar(&f.sdp, "sdp", "", "write a session description for other RTP receivers to `FILE`")
	fl.StringVar(&f.record, "record", "", "write what rquic decided for each frame, and its window, round trip, DIFF and e every 100 ms, into folder `DIR`")
	fl.BoolVarP(&f.force, "force", "f", false, "overwrite the files of --sdp and --record")
	fl.BoolVar(&f.plain, "no-extensions", false, "leave out the RTP header extensions (frame marking, reliability)")
	return c
}

// check finds out before anything is opened what cannot work.
func (f *sendFlags) check(clip string) error {
	if err := checkAddress("--to", f.to, false); err != nil {
		return err
	}
	switch {
	case !(f.pace >= 0 && f.pace <= 1): // also if it is not a number
		return usagef("--pace %g is not in 0..1", f.pace)
	case f.maxPacket != 0 && (f.maxPacket < 64 || f.maxPacket > 65000):
		return usagef("--max-packet %d is not in 64..65000 bytes", f.maxPacket)
	case f.ca != "" && f.insecure:
		return usagef("--ca and --insecure exclude each other")
	case (f.ca != "" || f.insecure) && !f.secure():
		return usagef("%s has no certificates: --ca and --insecure are of quic and tls", f.mode.value)
	case f.sdp != "" && f.mode.value != string(transport.UDP):
		return usagef("--sdp describes an RTP session over UDP, not over %s", f.mode.value)
	case f.sdp != "" && sameFile(f.sdp, clip):
		return usagef("--sdp %s is the clip itself", f.sdp)
	}
	if err := f.rquic.Check(); err != nil {
		return usageError{err}
	}
	return f.endFlags.check()
}

func (a *app) send(ctx context.Context, name string, f sendFlags) error {
	if err := f.check(name); err != nil {
		return err
	}
	clip, err := readClip(ctx, name)
	if err != nil {
		return explainClip(name, err)
	}
	for _, n := range clip.Notes {
		a.note("%s: %s", name, n)
	}
	packetizer := rtph264.Packetizer{MaxPacket: f.maxPacket, SSRC: f.ssrc, NoExtensions: f.plain}
	if packetizer.SSRC == 0 {
		packetizer.SSRC = randomSSRC()
	}
	if f.sdp != "" {
		if err := f.describe(clip, packetizer); err != nil {
			return err
		}
		a.note("%s: session description written", f.sdp)
	}
	if err := f.prepareRecord(); err != nil {
		return err
	}
	tx, err := a.dial(ctx, f, clip)
	if err != nil {
		return err
	}
	if packetizer.MaxPacket, err = fitPacket(packetizer.MaxPacket, transport.MaxPacket(tx.Sender)); err != nil {
		tx.close()
		return err
	}
	return a.play(ctx, tx, clip, f, packetizer)
}

// fitPacket returns the packet size to use over a connection that carries
// packets of at most limit bytes, 0 = of any size. asked is 0 for the default.
func fitPacket(asked, limit int) (int, error) {
	switch {
	case limit == 0 || asked != 0 && asked <= limit || asked == 0 && rtph264.DefaultMaxPacket <= limit:
		return asked, nil
	case asked == 0:
		return limit, nil
	}
	return 0, fmt.Errorf("--max-packet %d: this connection carries RTP packets of at most %d bytes; hint: --max-packet %[2]d, or leave it out", asked, limit)
}

// play sends the clip and reports.
func (a *app) play(ctx context.Context, tx *outgoing, clip decode.Clip, f sendFlags, p rtph264.Packetizer) error {
	bar := a.progress("sending", int64(len(clip.Units)), "frames")
	refused := false
	o := stream.SendOptions{
		Max: f.max, Packetizer: p,
		Progress: func(done, total int) {
			bar.set(int64(done), int64(total), "")
			if !refused && transport.StatsOf(tx.Sender).Refused > 0 {
				refused = true
				a.note("warning: nobody listens at %s so far", f.to)
			}
		},
	}
	if f.partial() {
		f.rquic.Mark(&o)
	}
	sent, err := stream.Send(ctx, tx.Sender, clip.Units, o)
	unheard := transport.StatsOf(tx.Sender).Refused // a receiver may leave at the first goodbye of three
	if ctx.Err() != nil && f.mode.value != string(transport.UDP) {
		a.note("stopping, once the receiver has what was sent; Ctrl-C again stops at once")
	}
	if cerr := tx.close(); err == nil {
		err = cerr
	}
	a.endProgress(bar)
	stats := transport.StatsOf(tx.Sender)
	if perr := a.printSent(sent, stats, clip, decided(tx.Sender, f.rquic.Reliable)); err == nil {
		err = perr
	}
	if rerr := a.keepRecord(f.record, tx.Sender); err == nil {
		err = rerr
	}
	if stats.Mode == transport.UDP {
		a.warnUDP(f.to, unheard)
	}
	return explainSend(err, f.to)
}

// warnUDP says what a UDP sender can know about its receiver.
func (a *app) warnUDP(to string, refused int64) {
	if refused > 0 {
		a.note("warning: nobody listened at %s, at least for a time: packets were refused %d times", to, refused)
		return
	}
	a.note("UDP has no answer: whether a receiver was there, only the receiver can tell")
}

// describe writes the session description.
func (f *sendFlags) describe(clip decode.Clip, p rtph264.Packetizer) error {
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
