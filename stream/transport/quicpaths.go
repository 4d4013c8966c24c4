package transport

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/quic-go/quic-go"
)

// urgency is quic-go's default, RFC 9218. Streams of one urgency that are not
// incremental are sent one after the other, the lowest id first: data that
// waits in an older unit's stream never gives way to a younger one's.
const urgency = 3

// write writes b to str until ctx ends, and returns how much went.
func write(ctx context.Context, str *quic.SendStream, b []byte) (int, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	woken := false
	stop := onDone(ctx, func() { woken = true; str.SetWriteDeadline(time.Now()) })
	n, err := str.Write(b)
	stop()
	if woken {
		str.SetWriteDeadline(time.Time{})
		if err != nil {
			err = ctx.Err()
		}
	}
	return n, err
}

// streamPath sends all units on one stream.
type streamPath struct {
	str   *quic.SendStream
	frame framing
	head  []byte // of the stream, until it is sent
	rest  []byte // of a packet that a ctx cut off
}

func newStreamPath(ctx context.Context, conn *quic.Conn, flow uint64) (*streamPath, error) {
	str, err := conn.OpenUniStreamSync(ctx)
	if err != nil {
		return nil, fmt.Errorf("open stream: %w", err)
	}
	str.SetPriority(urgency, false)
	return &streamPath{str: str, head: AppendFlow(nil, flow)}, nil
}

func (p *streamPath) send(ctx context.Context, u Unit) (int, int64, error) {
	if err := p.flush(ctx); err != nil {
		return 0, 0, err
	}
	p.frame.reset(nil)
	p.frame.add(u, AppendRecord)
	n, err := write(ctx, p.str, p.frame.buf)
	packets, bytes, rest := p.frame.cut(n)
	p.rest = append(p.rest[:0], rest...)
	return packets, bytes, err
}

// flush sends what must go before the next packet.
func (p *streamPath) flush(ctx context.Context) error {
	for _, b := range []*[]byte{&p.head, &p.rest} {
		n, err := write(ctx, p.str, *b)
		*b = (*b)[n:]
		if err != nil {
			return err
		}
	}
	return nil
}

func (p *streamPath) finish(ctx context.Context) error {
	return errors.Join(p.flush(ctx), p.str.Close())
}

func (p *streamPath) stop()      {}
func (p *streamPath) limit() int { return MaxRecord }

// auPath sends each unit on a stream of its own. A unit is written before the
// next one begins, so at most one of them holds back the sender, and what waits
// for retransmission is bounded by the congestion window.
type auPath struct {
	conn  *quic.Conn
	flow  uint64
	frame framing
}

func (p *auPath) send(ctx context.Context, u Unit) (int, int64, error) {
	str, err := p.conn.OpenUniStreamSync(ctx)
	if err != nil {
		return 0, 0, fmt.Errorf("open stream: %w", err)
	}
	str.SetPriority(urgency, false)
	p.frame.reset(AppendFlow(nil, p.flow))
	p.frame.add(u, AppendRecord)
	n, err := write(ctx, str, p.frame.buf)
	packets, bytes, _ := p.frame.cut(n)
	if err != nil {
		str.CancelWrite(RoQFrameCancelled)
		return packets, bytes, err
	}
	return packets, bytes, str.Close()
}

func (p *auPath) finish(context.Context) error { return nil }
func (p *auPath) stop()                        {}
func (p *auPath) limit() int                   { return MaxRecord }

// datagramPath sends each packet in a DATAGRAM frame. quic-go's send queue
// holds 32 of them and then blocks without regard to any ctx, so a goroutine
// of its own waits there.
type datagramPath struct {
	conn   *quic.Conn
	head   []byte // the flow id
	max    int
	spread time.Duration // one unit's packets leave evenly over this long

	out     chan []byte // unbuffered: Send blocks while the goroutine does
	once    sync.Once   // closes out
	stopped chan struct{}
	err     error // of the goroutine, once stopped is closed
}

// newDatagramPath fails with RoQ's EXPECTATION_UNMET if the peer takes no datagrams.
func newDatagramPath(conn *quic.Conn, flow uint64) (*datagramPath, error) {
	limit, err := DatagramLimit(conn)
	if err != nil {
		conn.CloseWithError(RoQExpectation, err.Error())
		return nil, err
	}
	p := &datagramPath{conn: conn, head: AppendFlow(nil, flow), out: make(chan []byte), stopped: make(chan struct{})}
	p.max = limit - len(p.head)
	go p.run()
	return p, nil
}

// DatagramLimit returns the size in bytes of the largest DATAGRAM that conn
// takes, an error if the peer takes none.
func DatagramLimit(conn *quic.Conn) (int, error) {
	if !conn.ConnectionState().SupportsDatagrams.Remote {
		return 0, errors.New("peer takes no QUIC datagrams")
	}
	var tooLarge *quic.DatagramTooLargeError
	err := conn.SendDatagram(make([]byte, 1<<16)) // larger than any UDP packet: only the limit comes back
	if !errors.As(err, &tooLarge) {
		return 0, fmt.Errorf("datagram limit: %w", err)
	}
	return int(tooLarge.MaxDatagramPayloadSize), nil
}

func (p *datagramPath) run() {
	defer close(p.stopped)
	for b := range p.out {
		if p.err = p.conn.SendDatagram(b); p.err != nil {
			return
		}
	}
}

// send spreads a unit like UDP does: nothing holds back a burst that is smaller
// than the congestion window, and the peer's queue of 128 may not hold it.
func (p *datagramPath) send(ctx context.Context, u Unit) (packets int, bytes int64, err error) {
	start := time.Now()
	for i, packet := range u.Packets {
		if err := sleepUntil(ctx, spreadOver(start, p.spread, i, len(u.Packets))); err != nil {
			return packets, bytes, err
		}
		b := append(append(make([]byte, 0, len(p.head)+len(packet)), p.head...), packet...)
		select {
		case p.out <- b:
			packets, bytes = packets+1, bytes+int64(len(packet))
		case <-p.stopped:
			return packets, bytes, p.err
		case <-ctx.Done():
			return packets, bytes, ctx.Err()
		}
	}
	return packets, bytes, nil
}

// finish waits until QUIC has taken the last datagram; its queue is sent
// before stream data, so the end mark cannot overtake it.
func (p *datagramPath) finish(ctx context.Context) error {
	p.once.Do(func() { close(p.out) })
	select {
	case <-p.stopped:
		return p.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (p *datagramPath) stop() {
	p.once.Do(func() { close(p.out) })
	<-p.stopped
}

func (p *datagramPath) limit() int { return p.max }
