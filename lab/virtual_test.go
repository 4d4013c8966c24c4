package lab

import (
	"strings"
	"testing"
	"time"

	"github.com/vqeval/vqeval/stream/transport"
)

// Every mode over a link that is too slow: each packet is booked at one place.
func TestBooking(t *testing.T) {
	e := narrow(t, "udp", "quic", "quic-au", "quic-dgram")
	e.Links[0].Set += ",loss=1%"
	r := mustRun(t, e, Options{})
	all := outcomes(t, r)
	for _, s := range r.Manifest.Runs {
		o := all[s.Name]
		b := o.Booking
		if err := b.Check(); err != nil || b.Sent == 0 {
			t.Errorf("%s: %+v: %v", s.Name, b, err)
		}
		if m := transport.Mode(s.Transport.Mode); m.Lossless() && (b.Lost() > 0 || b.Unsent > 0) {
			t.Errorf("%s is lossless and lost packets: %+v", s.Name, b)
		}
		if o.Clock != "virtual" || o.Partial != "" {
			t.Errorf("%s: clock %q, partial %q", s.Name, o.Clock, o.Partial)
		}
	}
	udp := all["udp-seed1"].Booking
	if udp.LostTransport != 0 || udp.LostQueue == 0 || udp.LostRandom == 0 {
		t.Errorf("udp: %+v, want losses in the queue and by chance, none unexplained", udp)
	}
	for _, row := range r.Rows {
		if row.Frames != 100 || row.OK+row.Damaged+row.Frozen+row.Late+row.Expired+row.Missing != 100 {
			t.Errorf("%s: the verdicts of %d frames do not add up: %+v", row.Run, row.Frames, row)
		}
		if lossless := row.Transport == "quic" || row.Transport == "quic-au"; lossless && (row.OK != 100 || row.PSNRY != 100 || row.SSIMY != 1) {
			t.Errorf("%s lost nothing and came to %d frames, PSNR %v, SSIM %v", row.Run, row.OK, row.PSNRY, row.SSIMY)
		}
		if row.Transport == "udp" && (row.OK == 100 || row.SSIMY > .999) {
			t.Errorf("udp lost packets and no quality: %+v", row)
		}
	}
}

// The same seed gives the same bytes, another one does not where chance plays.
func TestRepeatability(t *testing.T) {
	e := narrow(t, "udp")
	e.Links[0].Set += ",loss=2%"
	e.Seeds = Seeds{1, 2}
	a, b := mustRun(t, e, Options{}), mustRun(t, e, Options{Workers: 1})
	for _, name := range []string{"runs/udp-seed1/capture.pcapng", "runs/udp-seed2/capture.pcapng", "runs/udp-seed1/link.csv",
		"runs/udp-seed1/sender.json", "scores/udp-seed1.csv", "scores/udp-seed2.csv", "summary.csv"} {
		if readFile(t, a.Path(name)) != readFile(t, b.Path(name)) {
			t.Errorf("%s differs between two runs", name)
		}
	}
	if readFile(t, a.Path("runs/udp-seed1/capture.h264")) == readFile(t, a.Path("runs/udp-seed2/capture.h264")) {
		t.Error("two seeds lost the same packets")
	}
	one, two := outcomes(t, a)["udp-seed1"], outcomes(t, a)["udp-seed2"]
	if one.Start.Equal(two.Start) {
		t.Error("two seeds begin in the same phase of the frame clock")
	}
}

// A worker that dies or hangs costs its own run and no other.
func TestFaultyWorkerIsContained(t *testing.T) {
	for kind, want := range map[string]string{"crash": "as ordered", "stuck": "stood still"} {
		t.Run(kind, func(t *testing.T) {
			t.Setenv(faultEnv, kind+":udp-seed2")
			e := narrow(t, "udp")
			e.Clips = []string{shortClip(t, 20)}
			e.Seeds = SeedRange(3)
			r := mustRun(t, e, Options{Workers: 1, patience: shortPatience})
			if len(r.Failures) != 1 || r.Failures[0].Run != "udp-seed2" || !strings.Contains(r.Failures[0].Err, want) {
				t.Fatalf("failures %+v, want udp-seed2 with %q", r.Failures, want)
			}
			if len(r.Rows) != 2 {
				t.Errorf("%d runs were scored, want the other 2", len(r.Rows))
			}
		})
	}
}

// shortPatience is enough for workers of short runs on a busy machine.
const shortPatience = 3 * time.Second
