package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/vqeval/vqeval/stream"
	"github.com/vqeval/vqeval/stream/rtph264"
)

// recvFlags is what `vqeval recv` was asked for.
type recvFlags struct {
	endFlags
	listen    string
	out       string
	force     bool
	idle      time.Duration
	limit     time.Duration
	cert, key string
	sdp       string
	policy    rtph264.Policy
}

func (a *app) recvCommand() *cobra.Command {
	var f recvFlags
	c := &cobra.Command{
		Use:   "recv --listen ADDR:PORT --out DIR/NAME",
		Short: "record what arrives until the sender ends",
		Long: `Waits for one sender and records until it ends: NAME.pcapng holds the RTP
packets with their arrival times (Wireshark opens it), NAME.h264 what a decoder
gets of them, NAME.json the counts. Ctrl-C ends it and keeps what came. Over UDP
any RTP/H.264 sender will do; --sdp reads its session description, and then
--listen may be left out. Port 0 is any free port; the one taken is printed.

Over rquic the JSON also says which packets the sender dropped on purpose, and
why; senders of quic, quic-au and quic-dgram are welcome there too.

Without --cert, QUIC and TLS use a fresh self-signed certificate, which senders
on other machines take with --insecure. To have one that they can check:
  openssl req -x509 -newkey ed25519 -nodes -days 365 -keyout key.pem -out cert.pem \
    -subj /CN=receiver.example -addext subjectAltName=DNS:receiver.example`,
		Example: `  vqeval recv --listen 127.0.0.1:5004 --out out/udp
  vqeval recv --listen :5004 --transport quic --out out/quic
  vqeval recv --listen :5004 --transport rquic --out out/rquic
  vqeval recv --listen :5004 --transport quic --cert cert.pem --key key.pem --out out/quic

From ffmpeg, which describes its stream first:
  ffmpeg -i clip.mp4 -an -c copy -t 0.1 -f rtp -sdp_file clip.sdp rtp://127.0.0.1:5004
  vqeval recv --sdp clip.sdp --out out/ffmpeg &
  ffmpeg -re -i clip.mp4 -an -c copy -f rtp rtp://127.0.0.1:5004`,
		Args: exactArgs(0, ""),
		RunE: func(c *cobra.Command, _ []string) error { return a.recv(c.Context(), f) },
	}
	f.add(c)
	fl := c.Flags()
	fl.StringVar(&f.listen, "listen", "", "`ADDR:PORT` to receive on")
	fl.StringVarP(&f.out, "out", "o", "", "`DIR/NAME` of the files to write")
	fl.BoolVarP(&f.force, "force", "f", false, "overwrite files that exist")
	fl.DurationVar(&f.idle, "idle", 2*time.Second, "silence of this `TIME` ends a stream whose end was lost (udp, quic)")
	fl.DurationVar(&f.limit, "duration", 0, "stop after this `TIME` (default: when the sender ends)")
	fl.StringVar(&f.cert, "cert", "", "certificate chain `FILE` (PEM) of this receiver (default: a fresh self-signed one)")
	fl.StringVar(&f.key, "key", "", "key `FILE` of --cert")
	fl.StringVar(&f.sdp, "sdp", "", "session description `FILE` of a foreign sender: address and parameter sets")
	fl.Var(textFlag{&f.policy, "NAME"}, "broken-nal", "what becomes of a NAL unit with a lost packet: keep-prefix, drop, wait-idr")
	return c
}

func (f *recvFlags) check() error {
	if err := checkAddress("--listen", f.listen, true); err != nil {
		return err
	}
	f.out = strings.TrimSuffix(f.out, ".pcapng")
	info, err := os.Stat(f.out)
	switch {
	case f.out == "":
		return usagef("--out is missing; hint: --out out/%s", f.mode.value)
	case strings.HasSuffix(f.out, "/"), err == nil && info.IsDir():
		return usagef("--out %s is a folder; hint: --out %s/%s", f.out, strings.TrimRight(f.out, "/"), f.mode.value)
	case f.idle <= 0:
		return usagef("--idle %v: want a time above 0", f.idle)
	case f.limit < 0:
		return usagef("--duration %v: want a time above 0", f.limit)
	case (f.cert == "") != (f.key == ""):
		return usagef("--cert and --key go together")
	case f.cert != "" && !f.secure():
		return usagef("%s has no certificates: --cert and --key are of quic and tls", f.mode.value)
	}
	return f.endFlags.check()
}

func (a *app) recv(ctx context.Context, f recvFlags) error {
	var session stream.SDP
	if f.sdp != "" {
		var err error
		if session, err = readSDP(f.sdp); err != nil {
			return err
		}
		if f.listen == "" {
			f.listen = sessionAddress(session)
		}
	}
	if err := f.check(); err != nil {
		return err
	}
	rx, err := f.open()
	if err != nil {
		return err
	}
	defer rx.close()
	how := assembly{policy: f.policy, session: session}
	files, err := createRecording(f.out, f.force, how, fmt.Sprintf("received over %s on %s", f.mode.value, rx.addr))
	if err != nil {
		return err
	}
	a.note("waiting for a sender on %s over %s; Ctrl-C ends", rx.addr, f.mode.value)
	got, rxErr := a.record(ctx, rx, files, f.limit)
	if got.Packets == 0 {
		files.discard()
		return nothingCame(rxErr, f)
	}
	summary, err := files.finish(rx, got, rxErr)
	if perr := a.printReceived(summary, f.out); err == nil {
		err = perr
	}
	if errors.Is(rxErr, context.Canceled) && err == nil {
		return rxErr
	}
	return errors.Join(rxErr, err)
}

// nothingCame words the end of a reception of nothing.
func nothingCame(err error, f recvFlags) error {
	switch {
	case err != nil:
		return err
	case f.limit > 0:
		return fmt.Errorf("nothing arrived on %s over %s within %v; hint: is the sender's --transport the same?", f.listen, f.mode.value, f.limit)
	}
	return errors.New("the sender left without sending anything")
}

// record drains the receiver into the recording.
func (a *app) record(ctx context.Context, rx *incoming, files *recordingFiles, limit time.Duration) (stream.Received, error) {
	bar := a.progress("receiving", 0, "packets")
	defer a.endProgress(bar)
	look := newLive(files, rx)
	defer look.close()
	silent := newWatch(func(d time.Duration) {
		a.note("nothing has come for %v; Ctrl-C ends and keeps what came", d)
	})
	defer silent.end()
	return stream.Receive(ctx, rx.Receiver, files.capture, stream.ReceiveOptions{
		Limit:  limit,
		Packet: look.packet,
		Progress: func(packets int, bytes int64) {
			silent.packet()
			bar.set(int64(packets), int64(packets), fmt.Sprintf("%.1f MB", float64(bytes)/1e6))
		},
	})
}
