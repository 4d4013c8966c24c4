package rquic_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/vqeval/vqeval/stream/link"
	"github.com/vqeval/vqeval/stream/rquic"
)

// TestBooking: of every packet it is known what became of it, and both ends
// agree: made = received + lost + dropped on purpose, unit by unit.
func TestBooking(t *testing.T) {
	cert := newCertificate(t)
	const interval = 40*ms + 3
	for i, v := range []struct {
		name    string
		path    link.Profile
		config  rquic.Config
		packets int     // of a unit; 25 are 6 Mbit/s
		drops   byte    // 'y', 'n', '?'
		loss    float64 // least share of what was sent that the path loses
	}{
		{"quiet", asymmetric(20*link.Mbps, 10*ms, 0), rquic.Config{}, 10, 'n', 0},
		{"lossy", asymmetric(20*link.Mbps, 30*ms, .03), rquic.Config{}, 10, 'n', .01},
		{"saturated", asymmetric(5*link.Mbps, 10*ms, 0), rquic.Config{}, 25, 'y', 0},
		{"saturated and lossy", asymmetric(4*link.Mbps, 25*ms, .02), rquic.Config{Expire: 200 * ms}, 25, 'y', .001},
		{"saturated, no random drop", asymmetric(4*link.Mbps, 25*ms, 0), rquic.Config{PMax: rquic.None, Expire: 300 * ms}, 25, 'y', 0},
		{"weak", asymmetric(2*link.Mbps, 250*ms, .1), rquic.Config{}, 4, '?', .03},
		{"cubic", asymmetric(4*link.Mbps, 25*ms, .02), rquic.Config{CC: rquic.Cubic}, 25, 'y', .001},
		{"reno", asymmetric(4*link.Mbps, 25*ms, .02), rquic.Config{CC: rquic.Reno}, 25, 'y', .001},
	} {
		for _, keep := range []int{0, 3}[min(i/2, 1):] {
			synctest.Test(t, func(t *testing.T) {
				p := newPair(t, cert, v.path, 1, v.config, rquic.Config{})
				seqs := p.run(t, 50, v.packets, interval, keep)
				check(t, v.name, p, seqs, keep, v.drops, v.loss)
			})
		}
	}
}

// check compares both ends' records of a run that ended properly.
func check(t *testing.T, name string, p pair, seqs []uint16, keep int, drops byte, loss float64) {
	t.Helper()
	got := map[uint16]bool{}
	for _, s := range seqs {
		if got[s] {
			t.Errorf("%s: packet %d came twice", name, s)
		}
		got[s] = true
	}
	made, lost, dropped := 0, 0, 0
	reports := p.receiver.Reports()
	for i, d := range p.sender.Decisions() {
		received := 0
		for n := range d.Packets {
			if got[d.FirstSeq+uint16(n)] {
				received++
			}
		}
		made, lost, dropped = made+d.Packets, lost+d.Sent-received, dropped+d.Packets-d.Sent
		if !d.Reliable && (d.Acked != received || d.Acked+d.Lost != d.Sent) {
			t.Errorf("%s: unit %d: %d of %d received, the sender knows of %d, and of %d lost", name, i, received, d.Sent, d.Acked, d.Lost)
		}
		if d.Reliable && (received != d.Packets || d.Status != rquic.StatusSent) || d.Reliable != (keep > 0 && i%keep == 0) {
			t.Errorf("%s: reliable unit %d: %+v, received %d", name, i, d, received)
		}
		want := rquic.Report{
			Index: i, Timestamp: d.Timestamp, FirstSeq: d.FirstSeq, Reliable: d.Reliable, Status: d.Status,
			Packets: d.Packets, Sent: d.Sent, Received: received, Lost: d.Lost,
		}
		if i >= len(reports) || reports[i].Lost < d.Lost {
			t.Fatalf("%s: %d reports, unit %d: %+v", name, len(reports), i, d)
		}
		reports[i].Lost = d.Lost // with what turned out not to be lost
		if reports[i] != want {
			t.Errorf("%s: unit %d\ngot  %+v\nwant %+v", name, i, reports[i], want)
		}
	}
	tx, rx := p.sender.Stats(), p.receiver.Stats()
	if made != len(seqs)+lost+dropped || int(tx.PacketsSent) != made-dropped || int(rx.PacketsReceived) != len(seqs) {
		t.Errorf("%s: made %d, received %d, lost %d, dropped %d\n%+v\n%+v", name, made, len(seqs), lost, dropped, tx, rx)
	}
	if drops == 'y' && dropped == 0 || drops == 'n' && dropped > 0 || float64(lost) < loss*float64(made-dropped) || lost > 0 && loss == 0 && drops == 'n' {
		t.Errorf("%s, every %d reliable: lost %d, dropped %d", name, keep, lost, dropped)
	}
	checkGaps(t, name, p.receiver.Gaps(), made-len(seqs))
	checkSamples(t, name, p.sender.Samples())
}

// checkGaps: the gaps hold all packets that are missing, each with its cause.
func checkGaps(t *testing.T, name string, gaps []rquic.Gap, missing int) {
	t.Helper()
	sum := 0
	for _, g := range gaps {
		sum += g.Count
		if g.Count <= 0 || g.Cause == rquic.CauseUnknown || g.Cause == rquic.CauseReset {
			t.Errorf("%s: gap %+v", name, g)
		}
	}
	if sum != missing {
		t.Errorf("%s: gaps of %d packets, %d are missing", name, sum, missing)
	}
}

// checkSamples: ten a second, with plausible values.
func checkSamples(t *testing.T, name string, samples []rquic.Sample) {
	t.Helper()
	if len(samples) < 20 {
		t.Fatalf("%s: %d samples in 2 seconds", name, len(samples))
	}
	for i, s := range samples {
		if i > 0 && s.At-samples[i-1].At != 100*ms+13 {
			t.Errorf("%s: sample %d comes %v after the one before", name, i, s.At-samples[i-1].At)
		}
		if i > 1 && (s.Window < 1 || s.MinRTT <= 0 || s.SRTT < s.MinRTT/2 || s.InFlight < 0 || s.Queued > rquic.DefaultGate || s.Loss < 0) {
			t.Errorf("%s: sample %d: %+v", name, i, s)
		}
	}
}

// TestDropOrder: what is dropped at random is younger than what expires, and
// the random drop keeps most units whole where expiry alone cuts nearly all.
func TestDropOrder(t *testing.T) {
	cert := newCertificate(t)
	whole := map[float64]int{}
	for _, pMax := range []float64{1, rquic.None} {
		synctest.Test(t, func(t *testing.T) {
			p := newPair(t, cert, asymmetric(5*link.Mbps, 10*ms, 0), 1, rquic.Config{PMax: pMax}, rquic.Config{})
			p.run(t, 100, 25, 40*ms+3, 0)
			for i, d := range p.sender.Decisions() {
				age := d.Done - d.Captured
				switch d.Status {
				case rquic.StatusSent:
					whole[pMax]++
					if i > 0 && d.Taken < p.sender.Decisions()[i-1].Done {
						t.Errorf("unit %d was taken before the one ahead was done", i)
					}
				case rquic.StatusRandom:
					if age < 200*ms || age >= 400*ms || pMax < 0 {
						t.Errorf("unit %d of age %v was dropped at random", i, age)
					}
				case rquic.StatusExpired, rquic.StatusCut:
					if age < 400*ms {
						t.Errorf("unit %d of age %v: %v", i, age, d.Status)
					}
				}
			}
		})
	}
	if with, without := whole[1], whole[rquic.None]; with < 60 || 2*with < 3*without {
		t.Errorf("whole units of 100: %d with the random drop, %d without", with, without)
	}
}

// TestCaptured: a unit's age counts from Expires less Config.Expire.
func TestCaptured(t *testing.T) {
	cert := newCertificate(t)
	synctest.Test(t, func(t *testing.T) {
		p := newPair(t, cert, asymmetric(5*link.Mbps, 10*ms, 0), 1, rquic.Config{Expire: 300 * ms}, rquic.Config{})
		now := time.Now()
		for i, age := range []time.Duration{0, 100 * ms, 300 * ms, -time.Hour} {
			u := unit(i, 2, 500)
			u.Expires = now.Add(300*ms - age)
			if err := p.sender.Send(t.Context(), u); err != nil {
				t.Fatal(err)
			}
		}
		seqs := p.run(t, 0, 0, 0, 0)
		if len(seqs) != 6 {
			t.Errorf("received %d packets, want 6", len(seqs))
		}
		for i, want := range []rquic.Status{rquic.StatusSent, rquic.StatusSent, rquic.StatusExpired, rquic.StatusSent} {
			if d := p.sender.Decisions()[i]; d.Status != want || d.Captured > d.Taken {
				t.Errorf("unit %d: %+v, want %v", i, d, want)
			}
		}
	})
}
