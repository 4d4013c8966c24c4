package transporttest

import (
	"testing"
	"time"

	"github.com/vqeval/vqeval/stream/link"
)

// delivers: over a path without loss every packet arrives, then io.EOF.
func delivers(t *testing.T, d Dialer) {
	us := units(50, 3, 1000)
	e := connect(t, d, link.Symmetric("short", link.Direction{Delay: 5 * time.Millisecond}))
	if got := carry(t, d, e, us, frameTime); len(got) != count(us) {
		t.Errorf("received %d of %d packets", len(got), count(us))
	}
}

// bigUnits: key frames of 500 KB pass whole.
func bigUnits(t *testing.T, d Dialer) {
	us := units(2, 420, 1199)
	e := connect(t, d, link.Symmetric("fast", link.Direction{Rate: 50 * link.Mbps, Queue: 8 << 20, Delay: 10 * time.Millisecond}))
	if got := carry(t, d, e, us, 300*time.Millisecond+7); len(got) != count(us) {
		t.Errorf("received %d of %d packets", len(got), count(us))
	}
}

// satellite: half a second of delay and a thin way back still deliver.
func satellite(t *testing.T, d Dialer) {
	us := units(100, 3, 1199)
	e := connect(t, d, link.Profile{
		Down: link.Direction{Rate: 4500 * link.Kbps, Delay: 260 * time.Millisecond, Queue: 100e3},
		Up:   link.Direction{Rate: 20 * link.Kbps, Delay: 480 * time.Millisecond, Jitter: 80 * time.Millisecond, Queue: 8e3},
	})
	if got := carry(t, d, e, us, frameTime); len(got) != count(us) {
		t.Errorf("received %d of %d packets", len(got), count(us))
	}
}

// lossy: a lossless transport repeats what is lost, another loses only that.
func lossy(t *testing.T, d Dialer) {
	us := units(100, 3, 1000)
	e := connect(t, d, link.Symmetric("lossy", link.Direction{Delay: 30 * time.Millisecond, Loss: .05}))
	got, all := len(carry(t, d, e, us, frameTime)), count(us)
	if d.Lossless && got != all {
		t.Errorf("received %d of %d packets, want all", got, all)
	}
	if !d.Lossless && (got < all*90/100 || got == all) {
		t.Errorf("received %d of %d packets, want about 95 %%", got, all)
	}
}

// latePackets: what an end mark overtakes on the way is not lost. (Packets are
// held back for less than a round trip: quic-go drops later ones as duplicates.)
func latePackets(t *testing.T, d Dialer) {
	us := units(10, 20, 500)
	e := connect(t, d, link.Symmetric("shuffling", link.Direction{
		Delay:   20 * time.Millisecond,
		Reorder: link.Extra{Chance: .3, Delay: 30 * time.Millisecond},
	}))
	if got := carry(t, d, e, us, 7); len(got) != count(us) {
		t.Errorf("received %d of %d packets", len(got), count(us))
	}
}

// slowPath: a transport that blocks lets the sender run at the path's rate and
// loses nothing to the path's queue but what it has to find the rate.
func slowPath(t *testing.T, d Dialer) {
	us := units(50, 10, 1000)
	e := connect(t, d, link.Symmetric("slow", link.Direction{Rate: link.Mbps, Queue: 32 << 10, Delay: 10 * time.Millisecond}))
	start := time.Now()
	got := len(carry(t, d, e, us, 1))
	took := time.Since(start)
	if least := link.Rate(link.Mbps).Airtime(size(us)) * 9 / 10; d.Blocks && took < least {
		t.Errorf("%d bytes took %v over 1 Mbit/s, want at least %v", size(us), took, least)
	}
	if d.Lossless && got != count(us) || d.Blocks && got < count(us)*9/10 {
		t.Errorf("received %d of %d packets", got, count(us))
	}
	if !d.Blocks && got > count(us)/2 {
		t.Errorf("received %d of %d packets, too many for a full queue", got, count(us))
	}
}
