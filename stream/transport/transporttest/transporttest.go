// Package transporttest checks that a transport keeps the contract of package
// transport: order, end of stream, back-pressure, cancellation, loss, long
// delay, big and empty units, and what happens when one end goes away.
package transporttest

import (
	"context"
	"testing"

	"github.com/vqeval/vqeval/stream/link"
	"github.com/vqeval/vqeval/stream/transport"
)

// Ends is a connected sender and receiver.
type Ends struct {
	Sender   transport.Sender
	Receiver transport.Receiver
	Cut      func() // makes the sender vanish: from now on nothing of it arrives, without a goodbye
}

// A Dialer connects senders to receivers, and says what may be expected of them.
type Dialer struct {
	// Connect connects both ends over a fresh path with profile p. It registers
	// with t what closes the path; Run closes the ends. ctx is for the dialling.
	Connect func(ctx context.Context, t *testing.T, p link.Profile) (Ends, error)

	// Bubble runs one check; it is testing/synctest.Test. The suite does not
	// import that itself: fake time has one door in this module.
	Bubble func(t *testing.T, check func(*testing.T))

	Lossless   bool // everything arrives, whatever the path loses
	Ordered    bool // packets arrive in the order in which they were sent
	Blocks     bool // Send blocks while the path is slower than the sender
	Handshakes bool // Connect talks to the far end, so an absent one is an error of it
	Notices    bool // each end notices when the other is gone
}

// Run runs the whole suite, each check in a bubble of fake time of its own. A goroutine
// that a transport leaves behind fails the check.
func Run(t *testing.T, d Dialer) {
	for _, c := range []struct {
		name  string
		check func(*testing.T, Dialer)
	}{
		{"Delivers", delivers},
		{"BigUnits", bigUnits},
		{"EmptyUnit", emptyUnit},
		{"PacketSize", packetSize},
		{"Satellite", satellite},
		{"Loss", lossy},
		{"LatePackets", latePackets},
		{"SlowPath", slowPath},
		{"SlowReader", slowReader},
		{"CancelSend", cancelSend},
		{"CancelReceive", cancelReceive},
		{"TotalLoss", totalLoss},
		{"ReceiverGone", receiverGone},
		{"SenderGone", senderGone},
		{"Close", closing},
	} {
		t.Run(c.name, func(t *testing.T) {
			d.Bubble(t, func(t *testing.T) { c.check(t, d) })
		})
	}
}
