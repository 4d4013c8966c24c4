package stream

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/vqeval/vqeval/stream/h264"
	"github.com/vqeval/vqeval/stream/rtph264"
)

func TestSendRealTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		units := bclip(12, 3000)
		var s taker
		calls := 0
		start := time.Now().Add(70 * ms)
		sent, err := Send(context.Background(), &s, units, SendOptions{
			Packetizer: rtph264.Packetizer{Seq: 65530, SSRC: 9},
			Expire:     400 * ms,
			Reliable:   func(i int, au h264.AccessUnit) bool { return au.Reference() },
			Progress: func(done, total int) {
				if calls++; done != calls || total != len(units) {
					t.Errorf("progress %d of %d, want %d of %d", done, total, calls, len(units))
				}
			},
			Start: start,
		})
		if err != nil || calls != len(units) || len(s.units) != len(units) {
			t.Fatalf("got %v, %d calls, %d units; want %d", err, calls, len(s.units), len(units))
		}
		seq, packets := uint16(65530), 0
		for i, u := range sent.Units {
			due := time.Duration(i) * 40 * ms
			if u.Index != i || u.PTS != units[i].PTS || u.Due != due || u.Handed != due || u.Done != due || u.FirstSeq != seq {
				t.Errorf("unit %d: got %+v, want it handed over at %v with number %d", i, u, due, seq)
			}
			got := s.units[i]
			if got.Reliable != units[i].Reference() || u.Packets != len(got.Packets) {
				t.Errorf("unit %d: reliable %v, %d packets; recorded %+v", i, got.Reliable, len(got.Packets), u)
			}
			expires := time.Time{}
			if !got.Reliable {
				expires = start.Add(due + 400*ms)
			}
			if !got.Expires.Equal(expires) {
				t.Errorf("unit %d expires at %v, want %v", i, got.Expires, expires)
			}
			seq += uint16(u.Packets)
			packets += u.Packets
		}
		if sent.Packets != packets || sent.Duration != 11*40*ms {
			t.Errorf("got %d packets in %v, want %d in 440ms", sent.Packets, sent.Duration, packets)
		}
	})
}

func TestSendMax(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := taker{block: func(i int) (time.Duration, error) { return 3 * ms, nil }}
		sent, err := Send(context.Background(), &s, clip(20, 100), SendOptions{Max: true, Expire: 50 * ms})
		if err != nil || sent.Duration != 60*ms {
			t.Errorf("got %v, %v; want 60ms", sent.Duration, err)
		}
		if got, want := s.units[10].Expires, sent.Start.Add(30*ms+50*ms); !got.Equal(want) {
			t.Errorf("unit 10 expires at %v, want %v", got, want)
		}
	})
}

// A transport that blocks delays what follows, and no more than it must.
func TestSendBlocked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := taker{block: func(i int) (time.Duration, error) {
			if i == 2 {
				return 100 * ms, nil
			}
			return 0, nil
		}}
		sent, err := Send(context.Background(), &s, clip(7, 100), SendOptions{})
		if err != nil {
			t.Fatal(err)
		}
		want := []time.Duration{0, 40 * ms, 80 * ms, 180 * ms, 180 * ms, 200 * ms, 240 * ms}
		for i, u := range sent.Units {
			if u.Handed != want[i] {
				t.Errorf("unit %d handed over at %v, want %v", i, u.Handed, want[i])
			}
		}
	})
}

func TestSendEndsEarly(t *testing.T) {
	broken := errors.New("line is dead")
	tests := []struct {
		name  string
		block func(int) (time.Duration, error)
		want  error
		units int
		cut   bool // the last of them
	}{
		{"cancelled between units", nil, context.DeadlineExceeded, 3, false},
		{"cancelled inside a unit", func(i int) (time.Duration, error) { return time.Duration(i) * 70 * ms, nil }, context.DeadlineExceeded, 2, true},
		{"broken", func(i int) (time.Duration, error) {
			if i == 1 {
				return 0, broken
			}
			return 0, nil
		}, broken, 2, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, stop := context.WithTimeout(context.Background(), 100*ms)
				defer stop()
				sent, err := Send(ctx, &taker{block: tt.block}, clip(9, 100), SendOptions{})
				if !errors.Is(err, tt.want) || len(sent.Units) != tt.units {
					t.Fatalf("got %d units, %v; want %d, %v", len(sent.Units), err, tt.units, tt.want)
				}
				if last := sent.Units[tt.units-1]; last.Cut != tt.cut || last.Packets == 0 {
					t.Errorf("last unit is %+v, want cut = %v", last, tt.cut)
				}
			})
		})
	}
}

func TestSendBadInput(t *testing.T) {
	if _, err := Send(context.Background(), &taker{}, nil, SendOptions{}); !errors.Is(err, ErrNoUnits) {
		t.Errorf("no units: got %v, want %v", err, ErrNoUnits)
	}
	o := SendOptions{Max: true, Packetizer: rtph264.Packetizer{MaxPacket: 10}}
	if sent, err := Send(context.Background(), &taker{}, clip(2, 100), o); err == nil || len(sent.Units) != 1 {
		t.Errorf("packets of 10 bytes: got %+v, %v; want an error", sent, err)
	}
	empty := []h264.AccessUnit{{NALUs: [][]byte{{0x78}}}} // type 24 is RTP's own
	var s taker
	sent, err := Send(context.Background(), &s, empty, SendOptions{Max: true})
	if err != nil || sent.Skipped != 1 || len(s.units) != 0 {
		t.Errorf("nothing RTP can carry: got %+v, %v, %d units sent; want one skipped, none sent", sent, err, len(s.units))
	}
}

func TestTicks(t *testing.T) {
	for n, want := range map[int64]time.Duration{0: 0, 1: 11111, -1: -11111, 3600: 40 * ms, 90000: time.Second, 1 << 40: 12216795*time.Second + 864177777} {
		if got := ticks(n); got != want {
			t.Errorf("%d ticks are %d ns, want %d", n, got, want)
		}
	}
}
