package stream

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/vqeval/vqeval/stream/capture"
	"github.com/vqeval/vqeval/stream/rtph264"
)

// sink is a file in memory that another goroutine may look into.
type sink struct {
	mu   sync.Mutex
	buf  bytes.Buffer
	full bool
}

var errFull = errors.New("no space left")

func (s *sink) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.full {
		return 0, errFull
	}
	return s.buf.Write(p)
}

// records returns what can be read from the sink now.
func (s *sink) records(t *testing.T) []capture.Record {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	rd := open(t, bytes.Clone(s.buf.Bytes()))
	var list []capture.Record
	for {
		rec, err := rd.Next()
		if err != nil {
			if err != io.EOF {
				t.Error(err)
			}
			return list
		}
		list = append(list, rec)
	}
}

func TestReceive(t *testing.T) {
	broken := errors.New("stream broke off")
	tests := []struct {
		name    string
		giver   giver // 20 packets, 10 ms apart, are added
		limit   time.Duration
		timeout time.Duration // of ctx
		end     End
		err     error
		packets int
	}{
		{"end of stream", giver{end: io.EOF}, 0, time.Hour, EndOfStream, nil, 20},
		{"limit", giver{}, 105 * ms, time.Hour, EndLimit, nil, 10},
		{"limit in silence", giver{}, time.Minute, time.Hour, EndLimit, nil, 20},
		{"cancelled", giver{}, 0, 75 * ms, EndCancel, context.DeadlineExceeded, 7},
		{"cancelled before the limit", giver{}, time.Second, 75 * ms, EndCancel, context.DeadlineExceeded, 7},
		{"broken", giver{end: broken}, time.Minute, time.Hour, EndError, broken, 20},
	}
	packets := newWire(t, rtph264.Packetizer{}, clip(18, 50)).packets // two of them with a packet of parameter sets
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, stop := context.WithTimeout(context.Background(), tt.timeout)
				defer stop()
				start := time.Now()
				g := tt.giver
				g.packets, g.every = packets, 10*ms
				var s sink
				w, err := capture.NewWriter(&s, capture.WriterOptions{})
				if err != nil {
					t.Fatal(err)
				}
				seen, looked := 0, 0
				got, err := Receive(ctx, &g, w, ReceiveOptions{
					Limit:    tt.limit,
					Progress: func(n int, _ int64) { seen = n },
					Packet: func(at time.Time, p []byte) {
						if want := start.Add(time.Duration(looked+1) * 10 * ms); !at.Equal(want) || !bytes.Equal(p, packets[looked]) {
							t.Errorf("look at packet %d at %v, want %v", looked, at, want)
						}
						looked++
					},
				})
				if got.End != tt.end || !errors.Is(err, tt.err) || got.Packets != tt.packets || seen != tt.packets || looked != tt.packets {
					t.Fatalf("got %+v, %v, progress %d, looked %d; want %d packets, %q, %v", got, err, seen, looked, tt.packets, tt.end, tt.err)
				}
				recs := s.records(t) // without Close
				if len(recs) != tt.packets {
					t.Fatalf("%d packets in the capture, want %d", len(recs), tt.packets)
				}
				for i, r := range recs {
					if want := start.Add(time.Duration(i+1) * 10 * ms); !r.At.Equal(want) || !bytes.Equal(r.Packet, packets[i]) {
						t.Errorf("packet %d at %v, want %v", i, r.At, want)
					}
				}
				if !got.First.Equal(recs[0].At) || !got.Last.Equal(recs[len(recs)-1].At) {
					t.Errorf("first and last at %v and %v, want those of the capture", got.First, got.Last)
				}
			})
		})
	}
}

// In a silence the last packets are in the file after a second.
func TestReceiveFlushes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(context.Background())
		var s sink
		w, err := capture.NewWriter(&s, capture.WriterOptions{})
		if err != nil {
			t.Fatal(err)
		}
		g := giver{packets: newWire(t, rtph264.Packetizer{}, clip(4, 50)).packets, every: ms}
		done := make(chan struct{})
		go func() {
			defer close(done)
			if _, err := Receive(ctx, &g, w, ReceiveOptions{}); !errors.Is(err, context.Canceled) {
				t.Errorf("got %v, want %v", err, context.Canceled)
			}
		}()
		time.Sleep(flushAfter + 10*ms)
		synctest.Wait()
		if got := len(s.records(t)); got != 5 {
			t.Errorf("%d packets after a second of silence, want 5", got)
		}
		stop()
		<-done
	})
}

func TestReceiveDiskFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s sink
		w, err := capture.NewWriter(&s, capture.WriterOptions{})
		if err != nil {
			t.Fatal(err)
		}
		s.full = true
		g := giver{packets: newWire(t, rtph264.Packetizer{}, clip(100, 5000)).packets, every: ms}
		got, err := Receive(context.Background(), &g, w, ReceiveOptions{})
		if !errors.Is(err, errFull) || got.End != EndError {
			t.Errorf("got %+v, %v; want %v", got, err, errFull)
		}
	})
}
