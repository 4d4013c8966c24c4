package lab

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/vqeval/vqeval/decode"
	"github.com/vqeval/vqeval/lab/world"
	"github.com/vqeval/vqeval/stream"
	"github.com/vqeval/vqeval/stream/rtph264"
	"github.com/vqeval/vqeval/stream/transport"
)

// phase is added to the start of every run, so that the frame clock never
// ticks in the same nanosecond as a transport's round timers.
const phase = 10*time.Millisecond + 19*time.Nanosecond

// An Outcome is what one run came to. It holds plain data only: it crosses
// from the worker's process to ours.
type Outcome struct {
	Spec     Spec            `json:"spec"`
	Booking  stream.Booking  `json:"booking"`
	Sender   EndStats        `json:"sender"`
	Receiver EndStats        `json:"receiver"`
	Received stream.Received `json:"received"`
	Link     LinkStats       `json:"link"`
	Seconds  []float64       `json:"goodput_mbps,omitempty"` // of bulk traffic, in each second
	MediaMS  float64         `json:"media_ms"`               // the clip's length
	WorldMS  float64         `json:"world_ms"`               // from first to last action, in the run's own clock
	CPUMS    float64         `json:"cpu_ms"`                 // what it took of ours
	Start    time.Time       `json:"start"`                  // the sender's first frame, in the run's own clock
	Clock    string          `json:"clock"`                  // virtual or real
	Partial  string          `json:"partial,omitempty"`      // why the run ended early, if it did
}

// EndStats are what one end counted. Its mode may be one that transport does
// not know, such as rquic.
type EndStats struct {
	Mode string `json:"mode"`
	transport.Stats
}

func statsOf(end any) EndStats {
	s := transport.StatsOf(end)
	return EndStats{string(s.Mode), s}
}

// run is one experiment under way.
type run struct {
	spec    Spec
	clip    decode.Clip
	files   *recording
	env     *world.Env
	net     *network
	packets int // RTP packets cut from the clip
}

// execute sends the clip and receives it in the given world. What was recorded
// when an error comes is kept.
func (r *run) execute(env *world.Env) (Outcome, error) {
	r.env = env
	spec := r.spec
	out := Outcome{Spec: spec, Clock: env.Kind.String(), MediaMS: ms(clipLength(r.clip))}
	var err error
	if r.net, err = openNetwork(env, spec, r.files.event); err != nil {
		return out, err
	}
	defer r.net.close()
	ctx, cancel := context.WithCancel(env.Ctx)
	defer cancel()
	rx, err := r.listen()
	if err != nil {
		return out, err
	}
	var received stream.Received
	var rxErr error
	var receiving sync.WaitGroup
	receiving.Go(func() {
		received, rxErr = stream.Receive(ctx, rx, r.files.capture, stream.ReceiveOptions{})
	})
	sent, txStats, txErr := r.send(ctx)
	if txErr != nil {
		cancel()
	}
	receiving.Wait()
	closeErr := rx.Close()
	out.Receiver = statsOf(rx)
	out.Sender, out.Start, out.WorldMS = txStats, sent.Start, ms(env.Since())
	r.net.close()
	out.Link, out.Received, r.packets = r.net.stats(), received, sent.Packets
	if txErr != nil && rxErr != nil && errors.Is(rxErr, context.Canceled) {
		rxErr = nil // only an echo of the sender's end
	}
	return out, errors.Join(txErr, rxErr, closeErr, r.files.keepSent(sent))
}

// send dials, sends the whole clip and closes.
func (r *run) send(ctx context.Context) (stream.Sent, EndStats, error) {
	tx, err := r.dial(ctx)
	if err != nil {
		return stream.Sent{}, EndStats{}, err
	}
	total := int64(len(r.clip.Units))
	c := chanceOf(r.spec.Seed, r.interval())
	o := stream.SendOptions{
		Start:      time.Now().Add(phase + c.wait),
		Packetizer: rtph264.Packetizer{MaxPacket: r.spec.MaxPacket, SSRC: c.ssrc, Seq: c.seq},
		Progress:   func(done, _ int) { r.env.Tick(int64(done), total) },
	}
	r.mark(&o)
	sent, err := stream.Send(ctx, tx, r.clip.Units, o)
	err = errors.Join(err, tx.Close(), r.keepDecisions(tx))
	return sent, statsOf(tx), err
}

// interval is the mean time between two frames.
func (r *run) interval() time.Duration {
	return clipLength(r.clip) / time.Duration(max(1, len(r.clip.Units)))
}

// chance is what differs between two runs of one experiment on real hosts, even
// where the link loses nothing by chance: when sending begins, and how the
// stream is numbered (RFC 3550 section 5.1 wants both numbers random).
type chance struct {
	ssrc uint32
	seq  uint16        // of the first packet
	wait time.Duration // less than a frame interval
}

// chanceOf is fixed by the seed: a run is repeatable to the bit.
func chanceOf(seed uint64, interval time.Duration) chance {
	rng := rand.New(rand.NewPCG(seed, 0x76716576616c))
	return chance{ssrc: rng.Uint32(), seq: uint16(rng.Uint32()), wait: time.Duration(rng.Int64N(max(1, int64(interval))))}
}

// clipLength is how long the clip plays.
func clipLength(c decode.Clip) time.Duration {
	return time.Duration(c.Duration()) * time.Second / 90000
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
