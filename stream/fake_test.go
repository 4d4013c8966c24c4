package stream

import (
	"bytes"
	"context"

	"slices"
	"testing"
	"time"

	"github.com/vqeval/vqeval/stream/capture"
	"github.com/vqeval/vqeval/stream/h264"
	"github.com/vqeval/vqeval/stream/rtph264"
	"github.com/vqeval/vqeval/stream/transport"
)

const ms = time.Millisecond

// frame is the interval of 25 frames/s, ticks.
const frame = 3600

// clip has n access units of a size in bytes, the first of every ten an IDR
// with parameter sets, in order of presentation.
func clip(n, size int) []h264.AccessUnit {
	units := make([]h264.AccessUnit, n)
	for i := range units {
		au := &units[i]
		au.PTS, au.DTS = int64(i)*frame, int64(i)*frame
		head := []byte{0x41, 0x9a, byte(i)}
		if i%10 == 0 {
			au.NALUs = append(au.NALUs, []byte{0x67, 0x42, 0xc0, 0x1e, 1}, []byte{0x68, 0xce, 2})
			head = []byte{0x65, 0x88, byte(i)}
		}
		au.NALUs = append(au.NALUs, append(head, bytes.Repeat([]byte{0xa5}, size)...))
	}
	return units
}

// bclip is clip in decoding order with two B pictures between references:
// I0 P3 B1 B2 P6 B4 B5 …
func bclip(n, size int) []h264.AccessUnit {
	var units []h264.AccessUnit
	for i, au := range clip(n, size) {
		shown := i
		switch {
		case i > 0 && i%3 == 1:
			shown = i + 2
		case i > 0:
			shown = i - 1
			au.NALUs[len(au.NALUs)-1][0] &^= 0x60 // nobody refers to it
		}
		au.DTS, au.PTS = int64(i-1)*frame, int64(shown)*frame
		units = append(units, au)
	}
	return units
}

// taker is a transport.Sender that keeps what it is given.
type taker struct {
	units []transport.Unit
	block func(i int) (time.Duration, error) // how long unit i takes
}

func (t *taker) Send(ctx context.Context, u transport.Unit) error {
	if t.block != nil {
		wait, err := t.block(len(t.units))
		if err := sleepUntil(ctx, time.Now().Add(wait)); err != nil {
			return err
		}
		if err != nil {
			return err
		}
	}
	u.Packets = slices.Clone(u.Packets)
	t.units = append(t.units, u)
	return nil
}

func (t *taker) Close() error { return nil }

// giver is a transport.Receiver: each packet comes so long after the one before.
type giver struct {
	packets [][]byte
	every   time.Duration
	end     error         // after the last packet; nil = never
	silent  time.Duration // before that
}

func (g *giver) Receive(ctx context.Context, buf []byte) ([]byte, error) {
	if len(g.packets) == 0 {
		if g.end == nil {
			<-ctx.Done()
			return nil, ctx.Err()
		}
		if err := sleepUntil(ctx, time.Now().Add(g.silent)); err != nil {
			return nil, err
		}
		return nil, g.end
	}
	if err := sleepUntil(ctx, time.Now().Add(g.every)); err != nil {
		return nil, err
	}
	p := g.packets[0]
	g.packets = g.packets[1:]
	return append(buf[:0], p...), nil
}

func (g *giver) Close() error { return nil }

// a wire is the packets of a clip with the delay of each; -1 = lost.
type wire struct {
	packets [][]byte
	unit    []int // of the packet, in decoding order
	sent    []time.Duration
	delay   []time.Duration
}

// newWire packetises units; every packet leaves at its unit's decoding time
// after the first, and takes 10 ms.
func newWire(t testing.TB, p rtph264.Packetizer, units []h264.AccessUnit) *wire {
	t.Helper()
	w := &wire{}
	for i, au := range units {
		packets, err := p.Packetize(au, rtph264.Mark{Reliable: au.Key(), Expires: 400 * ms})
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range packets {
			w.packets = append(w.packets, b)
			w.unit = append(w.unit, i)
			w.sent = append(w.sent, ticks(au.DTS-units[0].DTS))
			w.delay = append(w.delay, 10*ms)
		}
	}
	return w
}

// of returns the packets of a unit.
func (w *wire) of(unit int) []int {
	var list []int
	for i, u := range w.unit {
		if u == unit {
			list = append(list, i)
		}
	}
	return list
}

// set gives all packets of some units a delay.
func (w *wire) set(delay time.Duration, units ...int) {
	for _, u := range units {
		for _, i := range w.of(u) {
			w.delay[i] = delay
		}
	}
}

// began is when the first packet of a wire leaves.
func began() time.Time { return time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC) }

// file is the capture at the far end of the wire.
func (w *wire) file(t testing.TB) []byte {
	t.Helper()
	var buf bytes.Buffer
	c, err := capture.NewWriter(&buf, capture.WriterOptions{App: "vqeval test"})
	if err != nil {
		t.Fatal(err)
	}
	var order []int
	for i := range w.packets {
		if w.delay[i] >= 0 {
			order = append(order, i)
		}
	}
	at := func(i int) time.Duration { return w.sent[i] + w.delay[i] }
	slices.SortStableFunc(order, func(a, b int) int { return int(at(a) - at(b)) })
	for _, i := range order {
		if err := c.Write(began().Add(at(i)), w.packets[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func (w *wire) load(t testing.TB, o LoadOptions) *Recording {
	t.Helper()
	r, err := Load(open(t, w.file(t)), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func open(t testing.TB, file []byte) *capture.Reader {
	t.Helper()
	rd, err := capture.Open(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	return rd
}

func assemble(t testing.TB, r *Recording, o AssembleOptions) Assembled {
	t.Helper()
	a, err := r.Assemble(o)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Use.Check(); err != nil {
		t.Error(err)
	}
	return a
}

// verdicts is one letter an access unit: s, l, e, m.
func verdicts(a Assembled) string {
	var b []byte
	for _, au := range a.AUs {
		b = append(b, au.Verdict[0])
	}
	return string(b)
}

// fed is the presentation numbers of the units that go to the decoder.
func fed(a Assembled) []int {
	var list []int
	for _, u := range a.Units {
		list = append(list, int(u.Timestamp/frame))
	}
	return list
}
