package link

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

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
