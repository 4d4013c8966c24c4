package main

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"

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
	RQUIC      *sentRQUIC      `json:"rquic,omitempty"`
}

func (a *app) printSent(sent stream.Sent, stats transport.Stats, clip decode.Clip, q *sentRQUIC) error {
	whole := len(sent.Units)
	if whole > 0 && sent.Units[whole-1].Cut {
		whole--
	}
	s := sentSummary{Frames: len(clip.Units), FramesSent: whole, Packets: int(stats.PacketsSent), Bytes: int(stats.BytesSent),
		DurationS: sent.Duration.Seconds(), Transport: stats, RQUIC: q}
	if a.json {
		return printJSON(a.stdout, s)
	}
	fmt.Fprintf(a.stdout, "sent %d of %d frames, %d packets, %d bytes in %.2f s over %s\n", s.FramesSent, s.Frames, s.Packets, s.Bytes, s.DurationS, stats.Mode)
	if q := stats.QUIC; overQUIC(stats.Mode) {
		fmt.Fprintf(a.stdout, "QUIC: %d packets, %d lost, %d bytes sent again, RTT %.1f ms (least %.1f ms)\n",
			q.PacketsSent, q.PacketsLost, q.RetransmittedBytes, q.SmoothedRTT, q.MinRTT)
	}
	if q != nil {
		fmt.Fprintf(a.stdout, "rQUIC (%s): %d frames reliable (%s), %d sent whole; dropped on purpose: %d expired, %d at random, %d cut\n",
			q.Protocol, q.Reliable, q.Policy, q.Frames.Sent, q.Frames.Expired, q.Frames.Random, q.Frames.Cut)
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

// explainClip adds to an error of reading a clip what usually helps.
func explainClip(name string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: no such file; hint: builtin:fullhd is a clip that is always there", name)
	case errors.Is(err, decode.ErrCodec):
		return fmt.Errorf("%w; hint: ffmpeg -i %q -an -c:v libx264 h264.mp4", err, name)
	}
	return err
}

func randomSSRC() uint32 {
	var b [4]byte
	rand.Read(b[:]) // never fails
	return binary.BigEndian.Uint32(b[:])
}
