package link

import (
	"math"
	"strings"
	"testing"
	"time"
)

const ms = time.Millisecond

func TestPathSend(t *testing.T) {
	trace, err := ParseTrace("t", strings.NewReader("10\n20\n20\n40\n"))
	if err != nil {
		t.Fatal(err)
	}
	type packet struct {
		sent time.Duration // when it enters the path
		size int           // bytes
		want time.Duration // when it leaves; a negative Verdict if it does not
	}
	const queue, lost, big = -time.Duration(DroppedQueue), -time.Duration(LostRandom), -time.Duration(TooBig)
	tests := []struct {
		name    string
		d       Direction
		packets []packet
	}{
		{"perfect", Direction{}, []packet{{0, 1500, 0}, {7 * ms, 1500, 7 * ms}}},
		{"delay", Direction{Delay: 20 * ms}, []packet{{0, 1, 20 * ms}, {1, 1, 20*ms + 1}}},
		{"rate", Direction{Rate: Mbps, Overhead: None}, []packet{{0, 1250, 10 * ms}, {0, 1250, 20 * ms}, {50 * ms, 1250, 60 * ms}}},
		{"headers count", Direction{Rate: Mbps}, []packet{{0, 1250 - 28, 10 * ms}}},
		{"other overhead", Direction{Rate: Mbps, Overhead: 50}, []packet{{0, 1200, 10 * ms}}},
		{"rounded up, no drift", Direction{Rate: 3 * Mbps, Overhead: None}, []packet{{0, 1, 2667}, {0, 1, 5334}, {0, 1, 8000}}},
		{"idle again", Direction{Rate: 3 * Mbps, Overhead: None}, []packet{{0, 1, 2667}, {2667, 1, 2667 + 2667}}},
		{"queue counts the packet in service", Direction{Rate: Mbps, Overhead: None, Queue: 2500},
			[]packet{{0, 1250, 10 * ms}, {0, 1250, 20 * ms}, {0, 1, queue}, {10*ms - 1, 1, queue}, {10 * ms, 1250, 30 * ms}}},
		{"an empty queue takes anything", Direction{Rate: Mbps, Overhead: None, Queue: 10}, []packet{{0, 1250, 10 * ms}, {0, 1, queue}, {10 * ms, 1250, 20 * ms}}},
		{"100 ms by default", Direction{Rate: Mbps, Overhead: None}, []packet{{0, 12500, 100 * ms}, {0, 1, queue}}},
		{"no limit", Direction{Rate: Mbps, Overhead: None, Queue: None}, []packet{{0, 12500, 100 * ms}, {0, 12500, 200 * ms}}},
		{"total loss uses the capacity", Direction{Rate: Mbps, Loss: 1, Queue: 1500}, []packet{{0, 1472, lost}, {0, 1472, queue}}},
		{"mtu with overhead", Direction{MTU: 1500}, []packet{{0, 1472, 0}, {0, 1473, big}}},
		{"absurd size", Direction{}, []packet{{0, 1 << 30, big}, {0, -5, 0}}},
		{"time does not run back", Direction{Rate: Mbps, Overhead: None, Delay: ms}, []packet{{10 * ms, 125, 12 * ms}, {0, 125, 13 * ms}}},
		{"trace", Direction{Trace: trace, Overhead: None, Queue: None}, []packet{
			{0, 1500, 10 * ms}, {0, 1000, 20 * ms}, {0, 1000, 20 * ms}, {0, 1000, 20 * ms},
			{20 * ms, 1500, 40 * ms}, {20 * ms, 1500, 50 * ms}, {1050 * ms, 1, 1060 * ms}, {1199 * ms, 1, 1200 * ms}, {1200 * ms, 1, 1210 * ms}}},
		{"trace with queue", Direction{Trace: trace, Overhead: None, Queue: 1500}, []packet{{0, 1500, 10 * ms}, {9 * ms, 1, queue}, {10 * ms, 1, 20 * ms}}},
		{"held back", Direction{Delay: ms, Reorder: Extra{1, 5 * ms}}, []packet{{0, 1, 6 * ms}, {ms, 1, 7 * ms}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path, t0 := NewPath(tt.d), time.Unix(0, 0)
			path.Begin(t0)
			for i, p := range tt.packets {
				at, v := path.Send(t0.Add(p.sent), p.size)
				got := at.Sub(t0)
				if v != Delivered {
					if got = -time.Duration(v); !at.IsZero() {
						t.Errorf("packet %d: %v at %v", i, v, at)
					}
				}
				if got != p.want {
					t.Errorf("packet %d leaves at %v, want %v", i, got, p.want)
				}
			}
		})
	}
}

func TestPathDuplicate(t *testing.T) {
	path, t0 := NewPath(Direction{Delay: ms, Duplicate: Extra{1, 3 * ms}}), time.Unix(0, 0)
	path.Send(t0, 100)
	if at, ok := path.Duplicate(); !ok || at.Sub(t0) != 4*ms {
		t.Errorf("got %v, %v, want 4ms", at.Sub(t0), ok)
	}
	path = NewPath(Direction{Loss: 1, Duplicate: Extra{1, 0}})
	path.Send(t0, 100)
	if _, ok := path.Duplicate(); ok || path.Stats().Duplicated != 0 {
		t.Error("a lost packet has a copy")
	}
}

func TestPathStats(t *testing.T) {
	path, t0 := NewPath(Direction{Rate: Mbps, Overhead: None, Queue: 2500, MTU: 1250}), time.Unix(0, 0)
	for _, size := range []int{1250, 1250, 1250, 1251} {
		path.Send(t0, size)
	}
	want := Stats{
		Packets: 4, Bytes: 5001, Delivered: 2, DeliveredBytes: 2500, QueueDrops: 1, QueueDropBytes: 1250, TooBig: 1, TooBigBytes: 1251,
		MaxQueue: 2500, MaxWait: 20 * ms, TotalWait: 30 * ms,
	}
	if got := path.Stats(); got != want || got.MeanWait() != 15*ms {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if got := want.Add(want); got.Packets != 8 || got.MaxQueue != 2500 || got.MeanWait() != 15*ms {
		t.Errorf("the sum is %+v", got)
	}
	if (Stats{}).MeanWait() != 0 {
		t.Error("nothing waits")
	}
}

// TestPathRate is 6 Mbit/s into 5 for a minute: one packet in six is dropped.
func TestPathRate(t *testing.T) {
	path, t0 := NewPath(Direction{Rate: 5 * Mbps, Overhead: None}), time.Unix(0, 0)
	var last time.Time
	for i := range 32143 {
		if at, v := path.Send(t0.Add(time.Duration(i)*1866666), 1400); v == Delivered {
			last = at
		}
	}
	s := path.Stats()
	rate := float64(s.DeliveredBytes) * 8 / last.Sub(t0).Seconds()
	loss := float64(s.QueueDrops) / float64(s.Packets)
	if math.Abs(rate-5e6) > 1 || math.Abs(loss-1./6) > .0015 { // the queue's 62.5 kB were never dropped
		t.Errorf("rate %.1f, want 5000000; loss %.5f, want .1667", rate, loss)
	}
}

func TestSendAllocatesNothing(t *testing.T) {
	d := full()
	d.Queue = 0
	path, now := NewPath(d), time.Unix(0, 0)
	send := func() {
		now = now.Add(1866666)
		path.Send(now, 1400)
	}
	for range 1000 {
		send()
	}
	if n := testing.AllocsPerRun(1000, send); n != 0 {
		t.Errorf("got %g allocations, want 0", n)
	}
}

func TestVerdictText(t *testing.T) {
	for v := Delivered; v <= TooBig; v++ {
		var got Verdict
		text, _ := v.MarshalText()
		if err := got.UnmarshalText(text); err != nil || got != v {
			t.Errorf("%v is written %s and read %v, %v", v, text, got, err)
		}
	}
	if err := new(Verdict).UnmarshalText([]byte("gone")); err == nil || Verdict(9).String() != "verdict(9)" {
		t.Errorf("got %v, %v", err, Verdict(9))
	}
}

func BenchmarkSend(b *testing.B) {
	for name, d := range map[string]Direction{
		"rate": {Rate: 5 * Mbps, Delay: 20 * ms},
		"all":  full(),
	} {
		b.Run(name, func(b *testing.B) {
			path, now := NewPath(d), time.Now()
			b.ReportAllocs()
			for b.Loop() {
				now = now.Add(1866666)
				path.Send(now, 1400)
			}
		})
	}
}
