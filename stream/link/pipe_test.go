package link

import (
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// drain reads from e until its deadline or Close and returns what came and when.
func drain(e *End) (data []string, at []time.Time) {
	buf := make([]byte, 2048)
	for {
		n, _, err := e.ReadFrom(buf)
		if err != nil {
			return data, at
		}
		data, at = append(data, string(buf[:n])), append(at, time.Now())
	}
}

func TestPipeTimes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		a, b := Pipe(Profile{
			Down: Direction{Rate: Mbps, Overhead: None, Delay: 250 * ms},
			Up:   Direction{Delay: 7 * ms},
		}, 1, PipeOptions{})
		for _, s := range []string{"one", "two", "three"} {
			if n, err := a.WriteTo(append([]byte(s), make([]byte, 1250-len(s))...), b.LocalAddr()); n != 1250 || err != nil {
				t.Fatal(n, err)
			}
		}
		buf := make([]byte, 5)
		for i, want := range []string{"one\x00\x00", "two\x00\x00", "three"} {
			n, from, err := b.ReadFrom(buf) // cuts off, as a socket does
			if err != nil || string(buf[:n]) != want || from.String() != a.LocalAddr().String() {
				t.Errorf("got %q from %v, %v, want %q", buf[:n], from, err, want)
			}
			if got, want := time.Since(start), 250*ms+time.Duration(i+1)*10*ms; got != want {
				t.Errorf("%s arrives after %v, want %v", want, got, want)
			}
		}
		b.WriteTo(nil, nil)
		start = time.Now()
		if n, _, err := a.ReadFrom(buf); n != 0 || err != nil || time.Since(start) != 7*ms {
			t.Errorf("the empty datagram: %d, %v after %v", n, err, time.Since(start))
		}
		if a.Close() != nil || b.Close() != nil {
			t.Error("Close fails")
		}
	})
}

// TestPipeLaterSent: a packet sent while the reader sleeps for another one
// that is held back wakes it.
func TestPipeLaterSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := Pipe(Profile{Down: Direction{Delay: ms, Reorder: Extra{.5, 50 * ms}}}, 1, PipeOptions{})
		var order []string
		var wg sync.WaitGroup
		wg.Go(func() { order, _ = drain(b) })
		for i := range 8 {
			a.WriteTo([]byte{byte('0' + i)}, nil)
			time.Sleep(10 * ms)
		}
		time.Sleep(time.Second)
		b.Close()
		wg.Wait()
		s := a.Stats()
		sorted := slices.Sorted(slices.Values(order))
		if len(order) != 8 || slices.Equal(order, sorted) || s.Reordered == 0 {
			t.Errorf("order %v, %+v", order, s)
		}
	})
}

func TestPipeDeadlines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := Pipe(Profile{}, 1, PipeOptions{})
		defer a.Close()
		start, buf := time.Now(), make([]byte, 10)
		timeout := func(what string, err error, want time.Duration) {
			t.Helper()
			var netErr net.Error
			if !errors.Is(err, os.ErrDeadlineExceeded) || !errors.As(err, &netErr) || !netErr.Timeout() || time.Since(start) != want {
				t.Errorf("%s: %v after %v, want a timeout after %v", what, err, time.Since(start), want)
			}
		}
		a.SetDeadline(start.Add(30 * ms))
		_, _, err := a.ReadFrom(buf)
		timeout("read", err, 30*ms)
		_, err = a.WriteTo(buf, nil)
		timeout("write", err, 30*ms)

		a.SetDeadline(time.Time{})
		var wg sync.WaitGroup
		for range 3 { // all who wait notice a deadline that moves
			wg.Go(func() {
				_, _, err := a.ReadFrom(buf[:0])
				timeout("moved", err, 40*ms)
			})
		}
		time.Sleep(10 * ms)
		a.SetReadDeadline(time.Now())
		wg.Wait()

		a.SetDeadline(time.Time{})
		b.WriteTo([]byte("x"), nil)
		if n, _, err := a.ReadFrom(buf); n != 1 || err != nil {
			t.Errorf("after the deadline is gone: %d, %v", n, err)
		}
		b.Close()
	})
}

func TestPipeClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := Pipe(Profile{Down: Direction{Delay: ms}}, 1, PipeOptions{})
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				if _, _, err := b.ReadFrom(make([]byte, 1)); !errors.Is(err, net.ErrClosed) {
					t.Errorf("a waiting reader gets %v", err)
				}
			})
		}
		synctest.Wait()
		a.WriteTo([]byte("in flight"), nil)
		for range 2 {
			if err := b.Close(); err != nil {
				t.Error(err)
			}
		}
		wg.Wait()
		a.WriteTo([]byte("to nobody"), nil)
		_, readErr := b.WriteTo(nil, nil)
		for _, err := range []error{readErr, b.SetDeadline(time.Time{}), b.SetWriteDeadline(time.Time{})} {
			if !errors.Is(err, net.ErrClosed) {
				t.Errorf("after Close: %v", err)
			}
		}
		if got := b.Dropped(); got != 2 {
			t.Errorf("%d dropped, want 2", got)
		}
		a.Close()
	})
}

func TestPipeObserve(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var got []string
		start := time.Now()
		a, b := Pipe(Profile{Down: Direction{Rate: Mbps, Overhead: None, Queue: 2500}, Up: Direction{Duplicate: Extra{1, ms}}}, 1, PipeOptions{
			Observe: func(e Event) {
				got = append(got, fmt.Sprint(e.At.Sub(start), e.Up, e.Size, len(e.Data), e.Verdict, e.Queue, e.Deliver.IsZero(), e.Duplicate.IsZero()))
			},
		})
		for range 3 {
			a.WriteTo(make([]byte, 1250), nil)
		}
		time.Sleep(15 * ms)
		a.WriteTo(make([]byte, 500), nil)
		b.WriteTo(make([]byte, 7), nil)
		a.SetReadDeadline(time.Now().Add(2 * ms))
		if twice, _ := drain(a); len(twice) != 2 {
			t.Errorf("got %q, want the packet and its copy", twice)
		}
		a.Close()
		b.Close()
		want := []string{
			"0s false 1250 1250 delivered 1250 false true",
			"0s false 1250 1250 delivered 2500 false true",
			"0s false 1250 1250 dropped-queue 2500 true true",
			"15ms false 500 500 delivered 1750 false true",
			"15ms true 7 7 delivered 0 false false",
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
}

// TestPipeSeeds: equal seeds lose equal packets, both directions have their own.
func TestPipeSeeds(t *testing.T) {
	lost := func(seed, own uint64) (down, up string) {
		d := Direction{Loss: .5, Seed: own}
		a, b := Pipe(Profile{Down: d, Up: d}, seed, PipeOptions{Observe: func(e Event) {
			if e.Up {
				up += e.Verdict.String()[:1]
			} else {
				down += e.Verdict.String()[:1]
			}
		}})
		for range 64 {
			a.WriteTo(nil, nil)
			b.WriteTo(nil, nil)
		}
		return down, up
	}
	down1, up1 := lost(1, 0)
	again, _ := lost(1, 0)
	down2, _ := lost(2, 0)
	fixed1, _ := lost(1, 9)
	fixed2, _ := lost(2, 9)
	if down1 != again || down1 == up1 || down1 == down2 || fixed1 != fixed2 {
		t.Errorf("seed 1: %s and %s, up %s; seed 2: %s; own seed: %s and %s", down1, again, up1, down2, fixed1, fixed2)
	}
}
