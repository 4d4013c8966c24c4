package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/vqeval/vqeval/stream"
	"github.com/vqeval/vqeval/stream/capture"
	"github.com/vqeval/vqeval/stream/rtph264"
	"github.com/vqeval/vqeval/stream/transport"
)

// unfinished is the End of a recording that goes on, or whose process was killed.
const unfinished stream.End = "unfinished"

// receivedSummary is NAME.json.
type receivedSummary struct {
	Tool      string           `json:"tool"`
	Version   string           `json:"version"`
	Mode      transport.Mode   `json:"transport"`
	BrokenNAL rtph264.Policy   `json:"broken_nal"`
	End       stream.End       `json:"end"`
	Error     string           `json:"error,omitempty"`
	Packets   int              `json:"packets"`
	Bytes     int64            `json:"bytes"`
	DurationS float64          `json:"duration_s"`
	Goodput   float64          `json:"goodput_mbps"`
	Frames    receivedFrames   `json:"frames"`
	Lost      receivedLosses   `json:"lost"`
	RTP       rtph264.Stats    `json:"rtp"`
	Transport transport.Stats  `json:"transport_end"`
	Buffer    int              `json:"receive_buffer_bytes,omitempty"`
	Streams   []capture.Stream `json:"streams,omitempty"`
	RQUIC     *receivedRQUIC   `json:"rquic,omitempty"`
	Notes     []string         `json:"notes,omitempty"`
}

// receivedFrames counts access units.
type receivedFrames struct {
	Complete int `json:"complete"`
	Damaged  int `json:"damaged"`
	Key      int `json:"key"`
}

func (f *receivedFrames) add(u rtph264.Unit) {
	if u.Complete {
		f.Complete++
	} else {
		f.Damaged++
	}
	if u.Key {
		f.Key++
	}
}

// receivedLosses says where the missing RTP packets were lost.
type receivedLosses struct {
	Way    int64 `json:"on_the_way"`      // or never sent
	Sender int64 `json:"at_sender"`       // dropped on purpose; rquic alone tells
	Kernel int64 `json:"in_kernel"`       // the socket's receive buffer was full
	Queue  int64 `json:"in_quic_receive"` // QUIC's receive queues were full
}

func summarize(rx *incoming, got stream.Received, cause error) receivedSummary {
	stats := transport.StatsOf(rx.Receiver)
	s := receivedSummary{Tool: "vqeval", Version: version(), Mode: stats.Mode, End: got.End,
		Packets: got.Packets, Bytes: got.Bytes, Transport: stats, Buffer: rx.buffer, RQUIC: toldOf(rx.Receiver)}
	if cause != nil && !errors.Is(cause, context.Canceled) {
		s.Error = cause.Error()
	}
	if d := got.Last.Sub(got.First); d > 0 {
		s.DurationS, s.Goodput = d.Seconds(), float64(got.Bytes)*8/d.Seconds()/1e6
	}
	return s
}

// remark divides the losses by place, once RTP is counted, and notes what a
// reader of the numbers should know.
func (s *receivedSummary) remark() {
	if s.Mode == transport.UDP { // a QUIC packet that the kernel drops is not an RTP packet
		s.Lost.Kernel = s.Transport.KernelDrops
	}
	lost := int64(s.RTP.Lost)
	if s.RQUIC.spoken() {
		s.Lost.Sender, lost = s.RQUIC.missing()
	}
	s.Lost.Queue = s.Transport.DatagramQueueDrops + s.Transport.InboxDrops
	if s.Mode == transport.QUICDatagram { // a QUIC packet that is dropped on arrival has one datagram in it or more
		s.Lost.Queue += min(s.Transport.QUIC.PacketsOverflow, max(0, lost-s.Lost.Queue))
	}
	s.Lost.Way = max(0, lost-s.Lost.Kernel-s.Lost.Queue)
	note := func(format string, args ...any) { s.Notes = append(s.Notes, fmt.Sprintf(format, args...)) }
	if s.Mode == transport.UDP && s.End == stream.EndOfStream && s.Transport.EndMarks == 0 {
		note("the sender fell silent without saying goodbye, as foreign senders do, and those that are killed")
	}
	if n := s.RTP.Foreign + s.RTP.Malformed; n > 0 {
		note("%d datagrams were not of this stream", n)
	}
	if s.RTP.Unsupported > 0 {
		note("%d packets have a form of payload that is not supported", s.RTP.Unsupported)
	}
	if s.RTP.SSRCChanges > 0 {
		note("the sender began again %d times", s.RTP.SSRCChanges)
	}
	if s.RTP.ClockLeaps > 0 {
		note("the RTP timestamps leapt %d times while the packets went on", s.RTP.ClockLeaps)
	}
	if s.Lost.Queue > 0 {
		note("QUIC's receive queues overflowed and lost %d datagrams: this machine's loss, not the network's; send without --max, or with a larger --pace", s.Lost.Queue)
	}
	if s.Transport.KernelDrops > 0 {
		note("the kernel dropped %d packets at this socket, whose buffer has %d KiB: this machine's loss, not the network's; see vqeval doctor", s.Transport.KernelDrops, s.Buffer/1024)
	}
}

func (a *app) printReceived(s receivedSummary, name string) error {
	if a.json {
		return printJSON(a.stdout, s)
	}
	fmt.Fprintf(a.stdout, "received %d packets, %d bytes in %.2f s over %s, %.2f Mbit/s\n", s.Packets, s.Bytes, s.DurationS, s.Mode, s.Goodput)
	fmt.Fprintf(a.stdout, "frames: %d complete, %d damaged; packets lost: %d on the way, %d in this machine's socket, %d in QUIC's queue\n",
		s.Frames.Complete, s.Frames.Damaged, s.Lost.Way, s.Lost.Kernel, s.Lost.Queue)
	if s.RQUIC.spoken() {
		n := s.RQUIC.Frames
		fmt.Fprintf(a.stdout, "the sender dropped %d packets on purpose: of %d frames expired, %d at random, %d cut\n", s.Lost.Sender, n.Expired, n.Random, n.Cut)
	}
	for _, n := range s.Notes {
		a.note("note: %s", n)
	}
	fmt.Fprintf(a.stdout, "%s.pcapng  %s.h264  %s.json\n", name, name, name)
	return nil
}
