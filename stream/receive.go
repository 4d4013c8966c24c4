package stream

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/vqeval/vqeval/stream/capture"
	"github.com/vqeval/vqeval/stream/transport"
)

const (
	// drained is how many packets may wait for the disk. Beyond that nothing
	// more is taken from the transport, and its own queues fill.
	drained = 4096

	// flushAfter is how long a packet may stay in memory: what a killed process
	// loses at most.
	flushAfter = time.Second

	largestPacket = 65535 // bytes; RTP over any transport
)

// ReceiveOptions say how long to receive. The zero value is until the end.
type ReceiveOptions struct {
	Limit    time.Duration                  // end after this time, even if the stream goes on; 0 = none
	Progress func(packets int, bytes int64) // called after each packet; nil = nobody wants to know

	// Packet is called with each packet once it is in the capture, to look at it
	// while it lasts; nil = nobody wants to. It must not keep p.
	Packet func(at time.Time, p []byte)
}

// An End says what ended a reception.
type End string

// What can end a reception.
const (
	EndOfStream End = "end of stream"
	EndLimit    End = "time limit"
	EndCancel   End = "cancelled"
	EndError    End = "error"
)

// Received sums up a reception.
type Received struct {
	Packets int       `json:"packets"` // datagrams, whatever is in them
	Bytes   int64     `json:"bytes"`
	First   time.Time `json:"first,omitzero"` // arrival
	Last    time.Time `json:"last,omitzero"`
	End     End       `json:"end"`
}

// arrival is a packet on its way to the capture.
type arrival struct {
	at     time.Time
	packet []byte
}

var errLimit = errors.New("time limit")

// Receive writes what arrives at r to w, with the time of its arrival, until
// the stream ends (no error), the limit is reached (no error), or ctx ends
// (ctx's error). Whatever happens, what arrived before is in the capture. It
// closes neither r nor w.
func Receive(ctx context.Context, r transport.Receiver, w *capture.Writer, o ReceiveOptions) (Received, error) {
	limited, stop := ctx, context.CancelFunc(func() {})
	if o.Limit > 0 {
		limited, stop = context.WithTimeoutCause(ctx, o.Limit, errLimit)
	}
	defer stop()
	limited, cancel := context.WithCancel(limited)
	queue := make(chan arrival, drained)
	var failure error
	go func() {
		defer close(queue)
		failure = drain(limited, r, queue)
	}()
	got, err := record(queue, w, o)
	cancel()
	for range queue { // the goroutine has ended once the queue is closed
	}
	if err == nil {
		err = w.Flush()
	}
	if err != nil {
		got.End = EndError
		return got, err
	}
	got.End, err = ending(ctx, limited, failure)
	return got, err
}

// ending says what the error means that ended drain.
func ending(ctx, limited context.Context, err error) (End, error) {
	switch {
	case errors.Is(err, io.EOF):
		return EndOfStream, nil
	case ctx.Err() != nil:
		return EndCancel, ctx.Err()
	case context.Cause(limited) == errLimit:
		return EndLimit, nil
	}
	return EndError, fmt.Errorf("receive: %w", err)
}

// drain does nothing but take packets from the transport, so that no queue
// overflows below it because of a slow disk.
func drain(ctx context.Context, r transport.Receiver, queue chan<- arrival) error {
	buf := make([]byte, 0, largestPacket)
	for {
		p, err := r.Receive(ctx, buf)
		if err != nil {
			return err
		}
		a := arrival{time.Now(), slices.Clone(p)}
		select {
		case queue <- a: // even if ctx has just ended
			continue
		default:
		}
		select {
		case queue <- a:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// record writes packets until the queue is closed or the capture fails.
func record(queue <-chan arrival, w *capture.Writer, o ReceiveOptions) (Received, error) {
	var got Received
	var flush <-chan time.Time // runs while something is not flushed
	for {
		select {
		case a, ok := <-queue:
			if !ok {
				return got, nil
			}
			if err := w.Write(a.at, a.packet); err != nil {
				return got, err
			}
			got.add(a)
			if o.Packet != nil {
				o.Packet(a.at, a.packet)
			}
			if o.Progress != nil {
				o.Progress(got.Packets, got.Bytes)
			}
			if flush == nil {
				flush = time.After(flushAfter)
			}
		case <-flush:
			if err := w.Flush(); err != nil {
				return got, err
			}
			flush = nil
		}
	}
}

func (g *Received) add(a arrival) {
	if g.Packets == 0 {
		g.First = a.at
	}
	g.Packets++
	g.Bytes += int64(len(a.packet))
	g.Last = a.at
}
