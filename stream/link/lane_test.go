package link

import (
	"bytes"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"
)

func TestPipeReadBuffer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := Pipe(Profile{Down: Direction{Delay: ms, MTU: 1500}}, 1, PipeOptions{})
		defer a.Close()
		defer b.Close()
		if b.SetReadBuffer(0) == nil || b.SetReadBuffer(2500) != nil || b.SetWriteBuffer(1) != nil {
			t.Error("SetReadBuffer")
		}
		for range 3 {
			a.WriteTo(make([]byte, 1000), nil)
			time.Sleep(2 * ms)
		}
		b.SetReadDeadline(time.Now().Add(ms))
		got, _ := drain(b)
		if len(got) != 2 || b.Dropped() != 1 || a.Stats().Delivered != 3 {
			t.Errorf("%d arrived, %d dropped, %+v, want 2, 1", len(got), b.Dropped(), a.Stats())
		}
		if _, err := a.WriteTo(make([]byte, 65508), nil); err == nil {
			t.Error("a datagram of 65508 bytes is accepted")
		}
		a.WriteTo(make([]byte, 65507), nil)
		if a.Stats().TooBig != 1 {
			t.Errorf("%+v, want one too big", a.Stats())
		}
	})
}

// TestPipeConserves: what the path delivers and copies is read or dropped.
func TestPipeConserves(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		d, packets := drawDirection(rt), drawPackets(rt)
		buffer := rapid.SampledFrom([]int{1000, 5000, 1 << 20}).Draw(rt, "buffer")
		synctest.Test(t, func(*testing.T) {
			a, b := Pipe(Profile{Down: d}, 1, PipeOptions{})
			b.SetReadBuffer(buffer)
			var read []string
			var wg sync.WaitGroup
			wg.Go(func() {
				time.Sleep(100 * ms)
				read, _ = drain(b)
			})
			for i, p := range packets {
				time.Sleep(p.gap)
				a.WriteTo(bytes.Repeat([]byte{byte(i)}, p.size), nil)
			}
			time.Sleep(time.Hour) // 200 packets of 1600 bytes at 1 kbit/s
			b.Close()
			wg.Wait()
			s := a.Stats()
			if got, want := int64(len(read))+b.Dropped(), s.Delivered+s.Duplicated; got != want {
				rt.Errorf("%d read + %d dropped, want %d", len(read), b.Dropped(), want)
			}
			a.Close()
		})
	})
}

func TestFifo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var q fifo
		var want []int
		for i := range rapid.IntRange(0, 200).Draw(t, "steps") {
			if rapid.IntRange(0, 2).Draw(t, "push") > 0 {
				q.push(make([]byte, i))
				want = append(want, i)
			} else if b, ok := q.pop(); ok != (len(want) > 0) || ok && len(b) != want[0] {
				t.Fatalf("got %d, %v, want %v", len(b), ok, want)
			} else if ok {
				want = want[1:]
			}
			if q.len() != len(want) {
				t.Fatalf("length %d, want %d", q.len(), len(want))
			}
		}
	})
}
