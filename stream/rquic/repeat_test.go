package rquic_test

import (
	"testing"
	"testing/synctest"

	"github.com/vqeval/vqeval/stream/link"
	"github.com/vqeval/vqeval/stream/rquic"
)

// TestRepeat: units that may be repeated are reliable where the path only loses
// packets; where it is too narrow, from the age on at which units are dropped they
// are as good as any other, and still in time.
func TestRepeat(t *testing.T) {
	cert := newCertificate(t)
	const units, packets = 60, 25
	lossy, narrow := asymmetric(20*link.Mbps, 25*ms, .02), asymmetric(4*link.Mbps, 25*ms, 0)
	for _, v := range []struct {
		name   string
		path   link.Profile
		config rquic.Config
		narrow bool
		drops  bool
	}{
		{"lossy", lossy, rquic.Config{}, false, false}, {"narrow", narrow, rquic.Config{}, true, true},
		{"narrow, nothing expires", narrow, rquic.Config{Expire: rquic.None}, true, false},
		{"narrow, no random drop", narrow, rquic.Config{PMax: rquic.None}, true, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			p := newPair(t, cert, v.path, 1, v.config, rquic.Config{})
			seqs := p.run(t, units, packets, 40*ms, repeated)
			reliable, dropped := 0, 0
			reports := p.receiver.Reports()
			for i, d := range p.sender.Decisions() {
				age := d.Taken - d.Captured
				if fresh := age < rquic.DefaultExpire/2; d.Reliable != fresh || reports[i].Reliable != fresh {
					t.Errorf("%s: unit %d taken after %v is reliable: %v, told %v", v.name, i, age, d.Reliable, reports[i].Reliable)
				}
				if d.Reliable {
					reliable++
					if d.Status != rquic.StatusSent || reports[i].Received != packets {
						t.Errorf("%s: reliable unit %d: %+v, %+v", v.name, i, d, reports[i])
					}
				}
				if d.Sent == 0 {
					dropped++
				}
			}
			if v.narrow && (reliable == 0 || reliable > units*2/3 || v.drops && dropped == 0) || !v.narrow && (reliable < units*9/10 || len(seqs) < units*packets*99/100) {
				t.Errorf("%s: %d units reliable, %d dropped, %d packets received", v.name, reliable, dropped, len(seqs))
			}
		})
	}
}
