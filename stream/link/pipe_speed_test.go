package link

import (
	"io"
	"net"
	"sync"
	"testing"
)

// TestPipeRealTime runs outside any bubble, reader and writers side by side.
func TestPipeRealTime(t *testing.T) {
	a, b := Pipe(Profile{Down: Direction{Rate: Gbps, Delay: ms, Queue: None}}, 1, PipeOptions{})
	const writers, each = 4, 250
	var wg sync.WaitGroup
	for range writers {
		wg.Go(func() {
			for range each {
				if _, err := a.WriteTo(make([]byte, 1200), nil); err != nil {
					t.Error(err)
				}
			}
		})
	}
	buf := make([]byte, 1500)
	for range writers * each {
		if n, _, err := b.ReadFrom(buf); n != 1200 || err != nil {
			t.Fatal(n, err)
		}
	}
	wg.Wait()
	a.Close()
	b.Close()
}

func TestPipeAllocatesNothing(t *testing.T) {
	a, b := Pipe(Profile{Down: Direction{Rate: 100 * Gbps}}, 1, PipeOptions{})
	defer a.Close()
	defer b.Close()
	data, buf := make([]byte, 1200), make([]byte, 1500)
	pass := func() {
		a.WriteTo(data, nil)
		b.ReadFrom(buf)
	}
	pass()
	if n := testing.AllocsPerRun(1000, pass); n != 0 {
		t.Errorf("got %g allocations, want 0", n)
	}
}

var _ interface {
	net.PacketConn
	io.Closer
	SetReadBuffer(int) error
	SetWriteBuffer(int) error
} = (*End)(nil)

func BenchmarkPipe(b *testing.B) {
	x, y := Pipe(Profile{Down: Direction{Rate: 100 * Gbps}}, 1, PipeOptions{})
	data, buf := make([]byte, 1200), make([]byte, 1500)
	b.SetBytes(1200)
	b.ReportAllocs()
	for b.Loop() {
		x.WriteTo(data, nil)
		y.ReadFrom(buf)
	}
}
