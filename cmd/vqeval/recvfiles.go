package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/vqeval/vqeval/stream"
	"github.com/vqeval/vqeval/stream/capture"
	"github.com/vqeval/vqeval/stream/h264"
	"github.com/vqeval/vqeval/stream/rtph264"
	"github.com/vqeval/vqeval/stream/transport"
)

// prepare makes the folder, and the files themselves so that later writing
// cannot come as a surprise.
func (r *recordingFiles) prepare(force bool) error {
	if err := os.MkdirAll(filepath.Dir(r.name), 0o755); err != nil {
		return fmt.Errorf("write %s: %w", r.name, err)
	}
	flags := os.O_RDWR | os.O_CREATE
	if !force {
		flags |= os.O_EXCL
	}
	for _, ext := range extensions() {
		f, err := os.OpenFile(r.name+ext, flags, 0o644)
		if errors.Is(err, os.ErrExist) {
			err = fmt.Errorf("%s: %w", r.name+ext, errExists)
		}
		if err != nil {
			r.discard()
			return fmt.Errorf("write: %w", err)
		}
		if ext == ".pcapng" {
			r.file = f
			err = f.Truncate(0)
		} else {
			err = f.Close()
		}
		if err != nil {
			return fmt.Errorf("write: %w", err)
		}
	}
	return nil
}

// discard removes files that hold nothing.
func (r *recordingFiles) discard() {
	if r.device || r.file == nil {
		return
	}
	for _, ext := range extensions() {
		os.Remove(r.name + ext)
	}
}

// assembly says how a recording becomes a stream for a decoder.
type assembly struct {
	policy  rtph264.Policy
	session stream.SDP
}

// receivedSummary is NAME.json.
type receivedSummary struct {
	Tool      string           `json:"tool"`
	Version   string           `json:"version"`
	Mode      transport.Mode   `json:"transport"`
	BrokenNAL rtph264.Policy   `json:"broken_nal"`
	Packets   int              `json:"packets"`
	Bytes     int64            `json:"bytes"`
	DurationS float64          `json:"duration_s"`
	Goodput   float64          `json:"goodput_mbps"`
	Frames    receivedFrames   `json:"frames"`
	RTP       rtph264.Stats    `json:"rtp"`
	Transport transport.Stats  `json:"transport_end"`
	Buffer    int              `json:"receive_buffer_bytes,omitempty"`
	Streams   []capture.Stream `json:"streams,omitempty"`
	Notes     []string         `json:"notes,omitempty"`
}

// receivedFrames counts access units.
type receivedFrames struct {
	Complete int `json:"complete"`
	Damaged  int `json:"damaged"`
	Key      int `json:"key"`
}

// finish ends the capture and derives the other two files from it.
func (r *recordingFiles) finish(rx *incoming, got stream.Received, how assembly) (receivedSummary, error) {
	err := errors.Join(r.capture.Close(), r.file.Close())
	if err != nil {
		return receivedSummary{}, fmt.Errorf("write %s: %w", r.file.Name(), err)
	}
	stats := transport.StatsOf(rx.Receiver)
	s := receivedSummary{Tool: "vqeval", Version: version(), Mode: stats.Mode, BrokenNAL: how.policy,
		Packets: got.Packets, Bytes: got.Bytes, Transport: stats, Buffer: rx.buffer}
	if d := got.Last.Sub(got.First); d > 0 {
		s.DurationS, s.Goodput = d.Seconds(), float64(got.Bytes)*8/d.Seconds()/1e6
	}
	if r.device {
		return s, nil
	}
	units, err := r.assemble(how, &s)
	if err != nil {
		s.Notes = append(s.Notes, err.Error())
	}
	if err := writeSync(r.name+".h264", annexB(units)); err != nil {
		return s, fmt.Errorf("write: %w", err)
	}
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return s, err
	}
	return s, writeSync(r.name+".json", append(text, '\n'))
}

func (r *recordingFiles) assemble(how assembly, s *receivedSummary) ([]rtph264.Unit, error) {
	f, err := os.Open(r.name + ".pcapng")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rd, err := capture.Open(f)
	if err != nil {
		return nil, err
	}
	rec, err := stream.Load(rd, stream.LoadOptions{})
	if err != nil {
		return nil, err
	}
	out, err := rec.Assemble(stream.AssembleOptions{Policy: how.policy, Params: how.session.Params})
	if err != nil {
		return nil, err
	}
	s.RTP, s.Streams = out.Stats, rec.Streams
	for _, u := range out.Units {
		if u.Complete {
			s.Frames.Complete++
		} else {
			s.Frames.Damaged++
		}
		if u.Key {
			s.Frames.Key++
		}
	}
	return out.Units, nil
}

// annexB is the stream as a decoder gets it.
func annexB(units []rtph264.Unit) []byte {
	var b []byte
	for _, u := range units {
		b = h264.AppendAnnexB(b, u.NALUs...)
	}
	return b
}

func (a *app) printReceived(s receivedSummary, name string) error {
	if a.json {
		return printJSON(a.stdout, s)
	}
	fmt.Fprintf(a.stdout, "received %d packets, %d bytes in %.2f s over %s, %.2f Mbit/s\n", s.Packets, s.Bytes, s.DurationS, s.Mode, s.Goodput)
	fmt.Fprintf(a.stdout, "frames: %d complete, %d damaged; packets lost: %d on the way, %d in this machine's socket, %d in QUIC's queue\n",
		s.Frames.Complete, s.Frames.Damaged, max(0, int64(s.RTP.Lost)-s.Transport.KernelDrops-s.Transport.DatagramQueueDrops),
		s.Transport.KernelDrops, s.Transport.DatagramQueueDrops)
	for _, n := range s.Notes {
		a.note("note: %s", n)
	}
	if s.Transport.KernelDrops > 0 {
		a.note("warning: the kernel dropped %d packets at this socket; they are not the network's loss (see vqeval doctor)", s.Transport.KernelDrops)
	}
	fmt.Fprintf(a.stdout, "%s.pcapng  %s.h264  %s.json\n", name, name, name)
	return nil
}
