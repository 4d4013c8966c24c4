package lab

import (
	"github.com/vqeval/vqeval/stream"
	"github.com/vqeval/vqeval/stream/transport"
)

// book says where the packets of a run that has ended went. Over UDP the link
// saw each of them; over QUIC it saw only QUIC's own, and what did not arrive
// is the transport's.
func (r *run) book(out Outcome) (stream.Booking, error) {
	b := stream.Booking{Sent: r.packets, Unsent: r.packets - int(out.Sender.PacketsSent)}
	var err error
	if b.Received, err = derive(r.files.dir); err != nil {
		return b, err
	}
	if r.spec.Transport.Mode == string(transport.UDP) {
		l := r.files.losses
		b.LostQueue, b.LostRandom, b.LostMTU = int(l.queue), int(l.random), int(l.tooBig)
	}
	kernel, queue := int(out.Receiver.KernelDrops+out.Link.KernelDrops), int(out.Receiver.DatagramQueueDrops+out.Receiver.InboxDrops)
	overflow := int(out.Receiver.QUIC.PacketsOverflow)
	rest := b.Sent - b.Unsent - b.Received - b.LostQueue - b.LostRandom - b.LostMTU
	if r.spec.Transport.Mode == string(transport.UDP) {
		b.LostKernel = kernel
	} else { // QUIC's packets: what they held may have been sent again
		b.LostQUICQueue = queue + min(overflow, max(0, rest-queue))
		b.LostKernel = min(kernel, max(0, rest-b.LostQUICQueue))
	}
	b.LostTransport = rest - b.LostKernel - b.LostQUICQueue
	return b, b.Check()
}
