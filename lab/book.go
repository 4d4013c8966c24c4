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
	take := func(n int) int { // of what is missing
		n = min(n, max(0, rest))
		rest -= n
		return n
	}
	// The kernel may also have dropped goodbyes, or QUIC's packets, what they held
	// being sent again.
	if r.spec.Transport.Mode == string(transport.UDP) {
		b.LostKernel = take(kernel)
		b.LostQUICQueue = take(queue)
	} else {
		b.LostQUICQueue = take(queue + overflow)
		b.LostKernel = take(kernel)
	}
	b.LostTransport = rest
	return b, b.Check()
}
