package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/vqeval/vqeval/stream"
	"github.com/vqeval/vqeval/stream/capture"
	"github.com/vqeval/vqeval/stream/rtph264"
	"github.com/vqeval/vqeval/stream/transport"
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
any RTP/H.264 sender will do; --sdp reads its session description.`,
		Example: `  vqeval recv --listen 127.0.0.1:5004 --out out/udp
  vqeval recv --listen :5004 --transport quic --out out/quic
  vqeval recv --listen 127.0.0.1:5004 --sdp stream.sdp --out out/foreign`,
		Args: exactArgs(0, ""),
		RunE: func(c *cobra.Command, _ []string) error { return a.recv(c.Context(), f) },
	}
	f.add(c)
	fl := c.Flags()
	fl.StringVar(&f.listen, "listen", "", "`ADDR:PORT` to receive on")
	fl.StringVarP(&f.out, "out", "o", "", "`DIR/NAME` of the files to write")
	fl.BoolVarP(&f.force, "force", "f", false, "overwrite files that exist")
	fl.DurationVar(&f.idle, "idle", 2*time.Second, "silence that ends a UDP stream whose end was lost")
	fl.DurationVar(&f.limit, "duration", 0, "stop after this `TIME` (default: when the sender ends)")
	fl.StringVar(&f.cert, "cert", "", "certificate chain `FILE` (PEM) of this receiver (default: a fresh self-signed one)")
	fl.StringVar(&f.key, "key", "", "key `FILE` of --cert")
	fl.StringVar(&f.sdp, "sdp", "", "session description `FILE` of a foreign sender: payload type and parameter sets")
	fl.Var(textFlag{&f.policy, "keep-prefix|drop|wait-idr"}, "broken-nal", "what becomes of a NAL unit with a lost packet")
	return c
}

func (f recvFlags) check() error {
	if err := checkAddress("--listen", f.listen, true); err != nil {
		return err
	}
	if f.out == "" {
		return usagef("--out is missing; hint: --out out/udp")
	}
	if f.idle <= 0 || f.limit < 0 {
		return usagef("--idle and --duration are times above 0")
	}
	return nil
}

func (a *app) recv(ctx context.Context, f recvFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	var session stream.SDP
	if f.sdp != "" {
		var err error
		if session, err = readSDP(f.sdp); err != nil {
			return err
		}
	}
	rx, err := f.open()
	if err != nil {
		return err
	}
	defer rx.close()
	files, err := createRecording(f.out, f.force, fmt.Sprintf("received over %s on %s", f.mode.value, f.listen))
	if err != nil {
		return err
	}
	a.note("waiting for a sender on %s over %s; Ctrl-C ends", rx.addr, f.mode.value)
	got, rxErr := a.record(ctx, rx, files, f.limit)
	if got.Packets == 0 && rxErr != nil {
		files.discard()
		return rxErr
	}
	summary, err := files.finish(rx, got, assembly{policy: f.policy, session: session})
	if err != nil {
		return errors.Join(rxErr, err)
	}
	if err := a.printReceived(summary, f.out); err != nil {
		return err
	}
	return rxErr
}

// record drains the receiver into the recording.
func (a *app) record(ctx context.Context, rx *incoming, files *recordingFiles, limit time.Duration) (stream.Received, error) {
	bar := a.progress("receiving", 0, "packets")
	defer a.endProgress(bar)
	return stream.Receive(ctx, rx.Receiver, files.capture, stream.ReceiveOptions{
		Limit: limit,
		Progress: func(packets int, bytes int64) {
			bar.set(int64(packets), int64(packets), fmt.Sprintf("%.1f MB", float64(bytes)/1e6))
		},
	})
}

// incoming is a transport's receiving end with the socket below it.
type incoming struct {
	transport.Receiver
	addr   net.Addr
	closer func() error
	buffer int // bytes of kernel receive buffer, 0 = not UDP
}

func (i *incoming) close() error { return errors.Join(i.Receiver.Close(), i.closer()) }

func (f recvFlags) open() (*incoming, error) {
	c, err := f.config()
	if err != nil {
		return nil, err
	}
	c.Idle = f.idle
	if c.Mode != transport.UDP && c.Mode != transport.TCP {
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
		return &incoming{Receiver: rx, addr: l.Addr(), closer: l.Close}, nil
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
	rx, err := transport.Listen(socket, c)
	if err != nil {
		socket.Close()
		return nil, err
	}
	return &incoming{rx, socket.LocalAddr(), socket.Close, buffer}, nil
}

func readSDP(path string) (stream.SDP, error) {
	file, err := os.Open(path)
	if err != nil {
		return stream.SDP{}, fmt.Errorf("session description: %w", err)
	}
	defer file.Close()
	s, err := stream.ParseSDP(file)
	if err != nil {
		return stream.SDP{}, fmt.Errorf("session description %s: %w", path, err)
	}
	return s, nil
}

// recordingFiles are NAME.pcapng, NAME.h264 and NAME.json.
type recordingFiles struct {
	name    string
	file    *os.File
	capture *capture.Writer
	device  bool // NAME itself is a device: the packets go there and nothing else is written
}

// extensions of a recording's files.
func extensions() []string { return []string{".pcapng", ".h264", ".json"} }

// createRecording checks that all three files can be written and begins the first.
func createRecording(name string, force bool, comment string) (*recordingFiles, error) {
	r := &recordingFiles{name: name}
	if info, err := os.Stat(name); err == nil && info.Mode()&os.ModeDevice != 0 {
		r.device = true
		if r.file, err = os.OpenFile(name, os.O_WRONLY, 0); err != nil {
			return nil, fmt.Errorf("write: %w", err)
		}
	} else if err := r.prepare(force); err != nil {
		return nil, err
	}
	var err error
	if r.capture, err = capture.NewWriter(r.file, capture.WriterOptions{App: "vqeval " + version(), Comment: comment}); err == nil {
		err = r.capture.Flush()
	}
	if err != nil {
		r.file.Close()
		r.discard()
		return nil, fmt.Errorf("write %s: %w", r.file.Name(), err)
	}
	return r, nil
}
