package lab

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"sync"
	"time"

	"github.com/vqeval/vqeval/lab/world"
	"github.com/vqeval/vqeval/stream"
	"github.com/vqeval/vqeval/stream/link"
	"github.com/vqeval/vqeval/stream/rquic"
	"github.com/vqeval/vqeval/stream/transport"
)

// Bulk is traffic without a clip: packets for as long and as fast as the
// transport takes them. It measures congestion control and nothing else.
type Bulk struct {
	Length link.Duration `json:"length,omitzero" yaml:"length"` // how long is sent, whole seconds; 0 = send the clips
	Skip   link.Duration `json:"skip,omitzero" yaml:"skip"`     // how much of the beginning does not count
	Size   int           `json:"size,omitzero" yaml:"size"`     // bytes of an RTP packet, 0 = 1199
}

// bulkClip stands in a clip's place where results name one.
const bulkClip = "bulk"

// bulkUnit is how many packets are handed over at once.
const bulkUnit = 25

// On reports whether there is such traffic.
func (b Bulk) On() bool { return b.Length != 0 }

func (b Bulk) size() int {
	if b.Size == 0 {
		return 1199 // 1200 with the flow's number in front
	}
	return b.Size
}

func (b Bulk) check(transports []Transport) error {
	length, skip := time.Duration(b.Length), time.Duration(b.Skip)
	switch {
	case !b.On():
		return nil
	case length < time.Second || length%time.Second != 0 || skip%time.Second != 0 || skip < 0 || skip >= length:
		return fmt.Errorf("bulk: length %v and skip %v: want whole seconds, and a skip shorter than the length", length, skip)
	case b.Size != 0 && (b.Size < 64 || b.Size > 1199):
		return fmt.Errorf("bulk: size %d is not in [64, 1199] bytes", b.Size)
	}
	for _, t := range transports {
		if t.mode() == transport.UDP {
			return errors.New("bulk: udp has no congestion control, it would send without an end at one instant")
		}
	}
	return nil
}

// executeBulk sends and receives without a clip.
func (r *run) executeBulk(env *world.Env) (Outcome, error) {
	r.env = env
	length := time.Duration(r.spec.Bulk.Length)
	out := Outcome{Spec: r.spec, Clock: env.Kind.String(), MediaMS: ms(length)}
	var err error
	if r.net, err = openNetwork(env, r.spec, nil); err != nil {
		return out, err
	}
	defer r.net.close()
	rx, err := r.listen()
	if err != nil {
		return out, err
	}
	ctx, cancel := context.WithCancel(env.Ctx)
	defer cancel()
	var rxErr error
	var receiving sync.WaitGroup
	var arrived []arrivedBytes
	receiving.Go(func() { arrived, rxErr = drain(ctx, rx) })
	txErr := r.sendBulk(ctx, &out)
	if txErr != nil {
		cancel()
	}
	receiving.Wait()
	closeErr := rx.Close()
	out.Receiver, out.WorldMS = statsOf(rx), ms(env.Since())
	r.net.close()
	out.Link = r.net.stats()
	out.Seconds = perSecond(arrived, out.Start, length)
	out.Received.Packets = len(arrived)
	if txErr != nil && errors.Is(rxErr, context.Canceled) {
		rxErr = nil
	}
	out.Booking = stream.Booking{Sent: r.packets, Unsent: r.packets - int(out.Sender.PacketsSent), Received: len(arrived),
		LostQUICQueue: int(out.Receiver.DatagramQueueDrops + out.Receiver.InboxDrops)}
	out.Booking.LostTransport = r.packets - out.Booking.Unsent - out.Booking.Received - out.Booking.LostQUICQueue
	return out, errors.Join(txErr, rxErr, closeErr)
}

// sendBulk dials, sends until the time is over, and closes.
func (r *run) sendBulk(ctx context.Context, out *Outcome) error {
	tx, err := r.dial(ctx)
	if err != nil {
		return err
	}
	out.Start = time.Now()
	length := time.Duration(r.spec.Bulk.Length)
	during, stop := context.WithTimeout(ctx, length)
	defer stop()
	c := chanceOf(r.spec.Seed, 1)
	for during.Err() == nil {
		since := time.Since(out.Start)
		u := transport.Unit{Packets: bulkPackets(&c, since, r.spec.Bulk.size()), Reliable: r.spec.Transport.Reliable == rquic.AllKept}
		r.packets += len(u.Packets)
		if err = tx.Send(during, u); err != nil {
			break
		}
		r.env.Tick(int64(since/time.Second), int64(length/time.Second))
	}
	if during.Err() != nil && ctx.Err() == nil {
		err = nil // the time was over in the middle of a unit
	}
	err = errors.Join(err, tx.Close(), r.keepDecisions(tx))
	out.Sender = statsOf(tx)
	return err
}

// bulkPackets makes the packets of one unit: RTP headers (RFC 3550 section 5.1)
// with zeros behind them.
func bulkPackets(c *chance, since time.Duration, size int) [][]byte {
	out := make([][]byte, bulkUnit)
	memory := make([]byte, bulkUnit*size)
	for i := range out {
		p := memory[i*size : (i+1)*size : (i+1)*size]
		p[0], p[1] = 2<<6, 96
		binary.BigEndian.PutUint16(p[2:], c.seq)
		binary.BigEndian.PutUint32(p[4:], uint32(since*90000/time.Second))
		binary.BigEndian.PutUint32(p[8:], c.ssrc)
		out[i] = p
		c.seq++
	}
	out[bulkUnit-1][1] |= 1 << 7 // marker
	return out
}

type arrivedBytes struct {
	at   time.Time
	size int
}

// drain receives until the stream ends.
func drain(ctx context.Context, rx transport.Receiver) (out []arrivedBytes, err error) {
	var buf []byte
	for {
		buf, err = rx.Receive(ctx, buf)
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return out, err
		}
		out = append(out, arrivedBytes{time.Now(), len(buf)})
	}
}

// perSecond returns the Mbit/s in each second of length.
func perSecond(arrived []arrivedBytes, start time.Time, length time.Duration) []float64 {
	out := make([]float64, length/time.Second)
	for _, a := range arrived {
		if i := int(a.at.Sub(start) / time.Second); i >= 0 && i < len(out) {
			out[i] += float64(a.size) * 8 / 1e6
		}
	}
	return out
}

// bulkRow sums up a run without pictures.
func bulkRow(w *scoring) Row {
	r := linkRow(w)
	r.Complete, r.OnTime = math.NaN(), math.NaN()
	counted := w.outcome.Seconds[min(len(w.outcome.Seconds), int(time.Duration(w.spec.Bulk.Skip)/time.Second)):]
	r.GoodputMbps, r.GoodputCV = mean(counted), stream.Variation(counted)
	r.Stalls = stream.Stalls(counted, r.GoodputMbps)
	return r
}
