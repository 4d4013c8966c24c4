package main

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"syscall"

	"github.com/vqeval/vqeval/decode"
	"github.com/vqeval/vqeval/lab"
	"github.com/vqeval/vqeval/stream"
	"github.com/vqeval/vqeval/stream/transport"
)

// sentSummary is what `vqeval send --json` prints.
type sentSummary struct {
	Frames     int             `json:"frames"`
	FramesSent int             `json:"frames_sent"`
	Packets    int             `json:"packets"`
	Bytes      int             `json:"bytes"`
	DurationS  float64         `json:"duration_s"`
	Transport  transport.Stats `json:"transport"`
}

func (a *app) printSent(sent stream.Sent, stats transport.Stats, clip decode.Clip) error {
	s := sentSummary{Frames: len(clip.Units), FramesSent: len(sent.Units), Packets: sent.Packets, Bytes: sent.Bytes,
		DurationS: sent.Duration.Seconds(), Transport: stats}
	if a.json {
		return printJSON(a.stdout, s)
	}
	fmt.Fprintf(a.stdout, "sent %d of %d frames, %d packets, %d bytes in %.2f s over %s\n", s.FramesSent, s.Frames, s.Packets, s.Bytes, s.DurationS, stats.Mode)
	if q := stats.QUIC; stats.Mode.IsQUIC() {
		fmt.Fprintf(a.stdout, "QUIC: %d packets, %d lost, %d bytes sent again, RTT %.1f ms (least %.1f ms)\n",
			q.PacketsSent, q.PacketsLost, q.RetransmittedBytes, q.SmoothedRTT, q.MinRTT)
	}
	return nil
}

// readClip reads a file or a built-in clip.
func readClip(ctx context.Context, name string) (decode.Clip, error) {
	path, err := lab.ClipPath(name)
	if err != nil {
		return decode.Clip{}, err
	}
	return decode.ReadUnits(ctx, path)
}

func randomSSRC() uint32 {
	var b [4]byte
	rand.Read(b[:]) // never fails
	return binary.BigEndian.Uint32(b[:])
}

// explainDial adds to an error of connecting what usually helps.
func explainDial(err error, to string) error {
	var cert *tls.CertificateVerificationError
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case errors.As(err, &cert):
		return fmt.Errorf("connect to %s: its certificate is not trusted (%w); hint: --ca FILE trusts a certificate, --insecure takes any", to, cert.Err)
	case errors.Is(err, transport.ErrNoAnswer), errors.Is(err, syscall.ECONNREFUSED), errors.Is(err, os.ErrDeadlineExceeded):
		return fmt.Errorf("connect to %s: %w; hint: start the receiver first: vqeval recv --listen ADDR:PORT with the same --transport", to, err)
	}
	return fmt.Errorf("connect to %s: %w", to, err)
}
