package link

import (
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
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

func TestLossFrequencies(t *testing.T) {
	const n = 200_000
	tests := []struct {
		text        string
		loss, burst float64 // expected share and mean run of losses
	}{
		{"loss=1%", .01, 1 / .99},
		{"ge=1%/25%", .01 / .26, 4},
		{"ge=1%/25%/0/50%", .5 * .01 / .26, 1 / (1 - .75*.5)},
		{"loss=10%,ge=1%/25%", 1 - .9*(1-.01/.26), 0},
	}
	for _, tt := range tests {
		d, err := ParseDirection(tt.text + ",seed=3")
		if err != nil {
			t.Fatal(err)
		}
		path, lost, bursts, before := NewPath(d), 0., 0., Delivered
		for range n {
			_, v := path.Send(time.Unix(0, 0), 1)
			if v == LostRandom {
				lost++
				if before != LostRandom {
					bursts++
				}
			}
			before = v
		}
		if got := lost / n; math.Abs(got/tt.loss-1) > .06 {
			t.Errorf("%s: loss %.5f, want %.5f", tt.text, got, tt.loss)
		}
		if got := lost / bursts; tt.burst > 0 && math.Abs(got/tt.burst-1) > .06 {
			t.Errorf("%s: bursts of %.3f, want %.3f", tt.text, got, tt.burst)
		}
	}
}

// TestJitter looks at the distribution: mean and deviation are those asked
// for, and the order is kept.
func TestJitter(t *testing.T) {
	const n = 200_000
	for _, correlation := range []float64{None, .9, 0} {
		d := Direction{Delay: 50 * ms, Jitter: 5 * ms, JitterCorrelation: correlation, Seed: 1}
		gap := 100 * ms // so wide that keeping the order moves nothing
		path, sum, squares := NewPath(d), 0., 0.
		for i := range n {
			now := time.Unix(0, 0).Add(time.Duration(i) * gap)
			at, _ := path.Send(now, 1)
			x := at.Sub(now).Seconds() * 1e3
			sum += x
			squares += x * x
		}
		mean := sum / n
		deviation := math.Sqrt(squares/n - mean*mean)
		if math.Abs(mean-50) > 1 || math.Abs(deviation-5) > .5 { // .999: 100 independent values
			t.Errorf("correlation %g: %.2f ± %.2f ms, want 50 ± 5", correlation, mean, deviation)
		}
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

// drawDirection draws any Direction that Check accepts, without a trace.
func drawDirection(t *rapid.T) Direction {
	share := func(name string) float64 { return float64(rapid.IntRange(0, 1000).Draw(t, name)) / 1000 }
	lag := func(name string) time.Duration {
		return time.Duration(rapid.Int64Range(0, int64(200*ms)).Draw(t, name))
	}
	d := Direction{
		Rate:     Rate(rapid.SampledFrom([]int64{0, 1000, 64_000, 4_999_999, 5_000_000, 999_999_937}).Draw(t, "rate")),
		Queue:    rapid.SampledFrom([]int{0, None, 1, 1500, 64 << 10}).Draw(t, "queue"),
		Overhead: rapid.SampledFrom([]int{0, None, 40}).Draw(t, "overhead"),
		Delay:    lag("delay"),
		Jitter:   lag("jitter"),
		Loss:     share("loss"),
		MTU:      rapid.SampledFrom([]int{0, 576, 1500}).Draw(t, "mtu"),
		Seed:     rapid.Uint64().Draw(t, "seed"),
	}
	d.JitterCorrelation = rapid.SampledFrom([]float64{0, None, .5}).Draw(t, "correlation")
	if rapid.Bool().Draw(t, "bursts") {
		d.GE = GilbertElliott{P: .05, R: .3, LossGood: share("good"), LossBad: rapid.SampledFrom([]float64{0, .25}).Draw(t, "bad")}
	}
	if rapid.Bool().Draw(t, "reorders") {
		d.Reorder = Extra{share("reorder"), lag("reorder delay") + 1}
	}
	if rapid.Bool().Draw(t, "duplicates") {
		d.Duplicate = Extra{share("duplicate"), lag("duplicate delay")}
	}
	return d
}

// packet is one draw of drawPackets.
type packet struct {
	gap  time.Duration
	size int
}

func drawPackets(t *rapid.T) []packet {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) packet {
		return packet{
			gap:  time.Duration(rapid.SampledFrom([]int64{0, 1, 1000, 1_866_666, 50_000_000}).Draw(t, "gap")),
			size: rapid.IntRange(0, 1600).Draw(t, "size"),
		}
	}), 1, 200).Draw(t, "packets")
}

// sendAll sends packets into path and calls each with every result.
func sendAll(path *Path, packets []packet, each func(i int, now, at time.Time, v Verdict)) {
	now := time.Unix(0, 0)
	for i, p := range packets {
		now = now.Add(p.gap)
		at, v := path.Send(now, p.size)
		each(i, now, at, v)
	}
}

func TestStatsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, packets := drawDirection(t), drawPackets(t)
		path, copies := NewPath(d), int64(0)
		count, bytes := map[Verdict]int64{}, map[Verdict]int64{}
		sendAll(path, packets, func(i int, now, at time.Time, v Verdict) {
			count[v]++
			bytes[v] += int64(packets[i].size + d.overhead())
			if twin, ok := path.Duplicate(); ok {
				copies++
				if v != Delivered || twin.Before(at) {
					t.Errorf("packet %d: %v at %v, its copy at %v", i, v, at, twin)
				}
			}
			if v == Delivered && at.Before(now) {
				t.Errorf("packet %d leaves at %v, sent at %v", i, at, now)
			}
		})
		s := path.Stats()
		got := []int64{s.Delivered, s.QueueDrops, s.RandomLosses, s.TooBig, s.Duplicated, s.DeliveredBytes, s.QueueDropBytes, s.RandomBytes, s.TooBigBytes}
		want := []int64{count[Delivered], count[DroppedQueue], count[LostRandom], count[TooBig], copies,
			bytes[Delivered], bytes[DroppedQueue], bytes[LostRandom], bytes[TooBig]}
		for i := range got {
			if got[i] != want[i] {
				t.Errorf("counter %d: got %d, want %d", i, got[i], want[i])
			}
		}
		if s.Packets != int64(len(packets)) || s.Packets != s.Delivered+s.QueueDrops+s.RandomLosses+s.TooBig ||
			s.Bytes != s.DeliveredBytes+s.QueueDropBytes+s.RandomBytes+s.TooBigBytes {
			t.Errorf("%+v does not add up", s)
		}
	})
}

func TestDeliveriesKeepTheOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDirection(t)
		d.Reorder = Extra{}
		var last time.Time
		sendAll(NewPath(d), drawPackets(t), func(i int, _, at time.Time, v Verdict) {
			if v == Delivered && at.Before(last) {
				t.Errorf("packet %d leaves at %v, before %v", i, at, last)
			}
			if v == Delivered {
				last = at
			}
		})
	})
}

// TestRateIsNeverExceeded holds over every interval between two departures.
func TestRateIsNeverExceeded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rate := rapid.Int64Range(1000, 1e9).Draw(t, "rate")
		path, packets := NewPath(Direction{Rate: Rate(rate), Queue: None, Overhead: None}), drawPackets(t)
		var left []time.Time
		sum := []int64{0} // bits of the packets before the i-th
		sendAll(path, packets, func(i int, _, at time.Time, _ Verdict) {
			left = append(left, at)
			sum = append(sum, sum[i]+8*int64(packets[i].size))
		})
		for i := range left {
			for j := i + 1; j < len(left); j++ {
				bits, span := float64(sum[j+1]-sum[i+1]), left[j].Sub(left[i])
				if most := float64(span+1) * float64(rate) / 1e9; bits > most*(1+1e-12) { // times are rounded up to 1 ns
					t.Fatalf("packets %d to %d: %g bits in %v at %d bit/s", i+1, j, bits, span, rate)
				}
			}
		}
	})
}

// TestSeedFixesTheLosses: the fate of packet n depends on the seed and the
// loss settings alone, though other impairments drop and delay what they like.
func TestSeedFixesTheLosses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, packets := drawDirection(t), drawPackets(t)
		plain := Direction{Loss: d.Loss, GE: d.GE, Seed: d.Seed}
		lost := make([]bool, len(packets))
		sendAll(NewPath(plain), packets, func(i int, _, _ time.Time, v Verdict) { lost[i] = v == LostRandom })
		sendAll(NewPath(d), packets, func(i int, _, _ time.Time, v Verdict) {
			if (v == LostRandom) != lost[i] && (v == LostRandom || v == Delivered) {
				t.Errorf("packet %d: %v, lost without other impairments: %v", i, v, lost[i])
			}
		})
	})
}

// TestLossMovesNobody: the packets that are not lost leave when they would
// have left without any loss.
func TestLossMovesNobody(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, packets := drawDirection(t), drawPackets(t)
		clean := d
		clean.Loss, clean.GE = 0, GilbertElliott{}
		want := make([]time.Time, len(packets))
		sendAll(NewPath(clean), packets, func(i int, _, at time.Time, _ Verdict) { want[i] = at })
		sendAll(NewPath(d), packets, func(i int, _, at time.Time, v Verdict) {
			if v == Delivered && !at.Equal(want[i]) {
				t.Errorf("packet %d leaves at %v, without losses at %v", i, at, want[i])
			}
		})
	})
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
