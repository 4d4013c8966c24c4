package lab

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/vqeval/vqeval/stream"
	"github.com/vqeval/vqeval/stream/capture"
	"github.com/vqeval/vqeval/stream/transport"
)

// book says where the packets of a run that has ended went. Over UDP the link
// saw each of them; over QUIC it saw only QUIC's own, and what did not arrive
// is the transport's.
func (r *run) book(out Outcome) (stream.Booking, error) {
	b := stream.Booking{Sent: r.packets, Unsent: r.packets - int(out.Sender.PacketsSent)}
	var err error
	if b.Received, err = countReceived(filepath.Join(r.files.dir, captureFile)); err != nil {
		return b, err
	}
	if r.spec.Transport.Mode == string(transport.UDP) {
		l := r.files.losses
		b.LostQueue, b.LostRandom, b.LostMTU = int(l.queue), int(l.random), int(l.tooBig)
	}
	b.LostKernel = int(out.Receiver.KernelDrops + out.Link.KernelDrops)
	b.LostQUICQueue = int(out.Receiver.DatagramQueueDrops + out.Receiver.InboxDrops)
	b.LostTransport = b.Sent - b.Unsent - b.Received - b.LostQueue - b.LostRandom - b.LostMTU - b.LostKernel - b.LostQUICQueue
	return b, b.Check()
}

// countReceived returns how many distinct packets of the stream a capture
// holds, 0 if it holds none.
func countReceived(path string) (int, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	rd, err := capture.Open(f)
	if err != nil {
		return 0, err
	}
	rec, err := stream.Load(rd, stream.LoadOptions{})
	if errors.Is(err, capture.ErrNoStream) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	s := rec.Stats()
	return s.Packets - s.Duplicates, nil
}
