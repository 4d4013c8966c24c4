package stream

import (
	"encoding/json"
	"errors"
	"fmt"
)

// ErrBooking says that packets do not add up.
var ErrBooking = errors.New("the packets do not add up")

// A Booking says where the packets of a stream went. Each packet that was cut
// from the clip is in exactly one of the fields below Sent.
type Booking struct {
	Sent int `json:"sent"` // packets cut from the clip

	Unsent        int `json:"unsent"`          // expired, dropped on purpose, or left when the sender was stopped
	LostQueue     int `json:"lost_queue"`      // the link's queue was full
	LostRandom    int `json:"lost_random"`     // lost by the link's medium
	LostMTU       int `json:"lost_mtu"`        // larger than the link lets pass
	LostKernel    int `json:"lost_kernel"`     // the socket's receive buffer was full
	LostQUICQueue int `json:"lost_quic_queue"` // QUIC's datagram queue was full
	LostTransport int `json:"lost_transport"`  // given up by the transport, or under way when it ended
	Received      int `json:"received"`        // distinct packets in the capture
}

// Lost returns the packets that went out and did not arrive.
func (b Booking) Lost() int {
	return b.LostQueue + b.LostRandom + b.LostMTU + b.LostKernel + b.LostQUICQueue + b.LostTransport
}

// Check returns an error that is ErrBooking unless every packet is in exactly
// one place.
func (b Booking) Check() error {
	return balance(b, b.Sent, b.Unsent, b.LostQueue, b.LostRandom, b.LostMTU, b.LostKernel, b.LostQUICQueue, b.LostTransport, b.Received)
}

// A Use says what became of the packets in a capture, for one deadline.
type Use struct {
	Received int `json:"received"`  // distinct packets of the stream
	OnTime   int `json:"on_time"`   // there before their deadline
	LateUsed int `json:"late_used"` // later, but of use to the decoder (LateRef)
	Late     int `json:"late"`      // too late: left out
}

// Check returns an error that is ErrBooking unless the packets add up.
func (u Use) Check() error { return balance(u, u.Received, u.OnTime, u.LateUsed, u.Late) }

// balance compares a total with its parts, none of which is negative.
func balance(book any, total int, parts ...int) error {
	sum, negative := 0, total < 0
	for _, p := range parts {
		sum += p
		negative = negative || p < 0
	}
	if sum == total && !negative {
		return nil
	}
	text, err := json.Marshal(book)
	if err != nil {
		return err
	}
	return fmt.Errorf("%w: %d in all, %d in their places: %s", ErrBooking, total, sum, text)
}
