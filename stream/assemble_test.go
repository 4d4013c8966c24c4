package stream

import (
	"errors"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vqeval/vqeval/stream/capture"
	"github.com/vqeval/vqeval/stream/h264"
	"github.com/vqeval/vqeval/stream/rtph264"
)

// What was sent comes out again, with and without B pictures, however late.
func TestAssembleAll(t *testing.T) {
	for name, units := range map[string][]h264.AccessUnit{"ipp": clip(30, 3000), "ibbp": bclip(31, 3000)} {
		t.Run(name, func(t *testing.T) {
			w := newWire(t, rtph264.Packetizer{Seq: 65500, FirstTimestamp: 0}, units)
			w.set(5*time.Second, 7, 8)
			a := assemble(t, w.load(t, LoadOptions{}), AssembleOptions{})
			if a.Stats.Lost != 0 || len(a.Units) != len(units) {
				t.Fatalf("got %d units, %d packets lost; want %d, 0", len(a.Units), a.Stats.Lost, len(units))
			}
			for i, u := range a.Units {
				if u.Timestamp != units[i].PTS || !u.Complete || !reflect.DeepEqual(u.NALUs, units[i].NALUs) {
					t.Errorf("unit %d: PTS %d, complete %v; want PTS %d and the same NAL units", i, u.Timestamp, u.Complete, units[i].PTS)
				}
			}
			for i, au := range a.AUs {
				if au.PTS != int64(i)*frame || au.Verdict != Shown || !au.Whole || a.Units[au.Unit].Timestamp != au.PTS {
					t.Errorf("access unit %d: %+v", i, au)
				}
			}
		})
	}
}

// The deadline rule by hand. One unit every 40 ms, transit 10 ms: base is
// 10 ms after the first packet left, so that unit i is due at 10+40i+D ms.
func TestDeadline(t *testing.T) {
	const D = 50 * ms
	tests := []struct {
		name  string
		set   func(*wire)
		ref   string // verdicts of units 0.. under either policy
		fedBy []int  // under ref
		drop  []int  // under drop
	}{
		{"all in time", func(*wire) {}, "ssssss", []int{0, 1, 2, 3, 4, 5}, []int{0, 1, 2, 3, 4, 5}},
		{"at the last moment", func(w *wire) { w.set(10*ms+D, 2) }, "ssssss", []int{0, 1, 2, 3, 4, 5}, []int{0, 1, 2, 3, 4, 5}},
		{"just late", func(w *wire) { w.set(10*ms+D+1, 2) }, "sslsss", []int{0, 1, 2, 3, 4, 5}, []int{0, 1, 3, 4, 5}},
		{"before the next", func(w *wire) { w.set(10*ms+D+40*ms-1, 2) }, "sslsss", []int{0, 1, 2, 3, 4, 5}, []int{0, 1, 3, 4, 5}},
		{"with the next", func(w *wire) { w.set(10*ms+D+40*ms, 2) }, "sslsss", []int{0, 1, 3, 4, 5}, []int{0, 1, 3, 4, 5}},
		{"the next is late too", func(w *wire) { w.set(10*ms+D+50*ms, 2); w.set(10*ms+D+30*ms, 3) },
			"ssllss", []int{0, 1, 2, 3, 4, 5}, []int{0, 1, 4, 5}},
		{"the next is lost", func(w *wire) { w.set(10*ms+D+50*ms, 2); w.set(-1, 3) }, "sslmss", []int{0, 1, 2, 4, 5}, []int{0, 1, 4, 5}},
		{"nothing follows", func(w *wire) { w.set(10*ms+D+1, 5) }, "sssssl", []int{0, 1, 2, 3, 4}, []int{0, 1, 2, 3, 4}},
		{"from the beginning", func(w *wire) { w.set(10*ms+D+1, 0, 1) }, "llssss", []int{0, 1, 2, 3, 4, 5}, []int{2, 3, 4, 5}},
	}
	expect := []int64{0, frame, 2 * frame, 3 * frame, 4 * frame, 5 * frame}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWire(t, rtph264.Packetizer{}, clip(6, 100))
			tt.set(w)
			r := w.load(t, LoadOptions{})
			for policy, want := range map[LatePolicy][]int{"": tt.fedBy, LateRef: tt.fedBy, LateDrop: tt.drop} {
				a := assemble(t, r, AssembleOptions{Deadline: D, Late: policy, Expect: expect})
				if got := verdicts(a); got != tt.ref || !slices.Equal(fed(a), want) {
					t.Errorf("late %q: got %s and units %v, want %s and %v", policy, got, fed(a), tt.ref, want)
				}
			}
		})
	}
}

// The rest of a unit that is shown in part feeds the decoder under ref.
func TestDeadlineInsideUnit(t *testing.T) {
	units := clip(6, 3000)
	w := newWire(t, rtph264.Packetizer{}, units)
	late := w.of(2)[2] // the last of its three packets
	w.delay[late] = 10*ms + 50*ms + 20*ms
	r := w.load(t, LoadOptions{})
	for policy, whole := range map[LatePolicy]bool{LateRef: true, LateDrop: false} {
		a := assemble(t, r, AssembleOptions{Deadline: 50 * ms, Late: policy})
		au := a.AUs[2]
		if au.Verdict != Shown || au.Whole || au.Packets != 3 || au.LateUsed+au.LateLost != 1 || (au.LateUsed == 1) != whole {
			t.Errorf("late %s: %+v", policy, au)
		}
		if got := a.Units[2].Complete; got != whole {
			t.Errorf("late %s: unit 2 complete = %v, want %v", policy, got, whole)
		}
		if want := 70 * ms; au.Delay != want {
			t.Errorf("late %s: delay %v, want %v", policy, au.Delay, want)
		}
	}
}

// With B pictures, the next unit is the next one that is shown: I0 P3 B1 B2.
// P3 leaves 40 ms after I0, so base is 10+40 ms before P3's 120 ms are over.
func TestDeadlineOrderOfShowing(t *testing.T) {
	w := newWire(t, rtph264.Packetizer{}, bclip(7, 100))
	w.set(200*ms, 2) // B1, shown at 40 ms; sent at 80 ms
	r := w.load(t, LoadOptions{})
	// The fastest is P3: base = 40+10-120 = -70 ms. B1 comes at 280 ms.
	for _, tt := range []struct {
		deadline time.Duration
		want     string
		fed      bool
	}{
		{310 * ms, "sssssss", true},       // B1 due at -70+40+310 = 280
		{310*ms - 1, "slsssss", true},     // B2 due at 320
		{270*ms + 1, "slsssss", true},     // B2 due at 280.000001
		{270 * ms, "slsssss", false},      // B2 due at 280
		{270*ms - 1000, "slsssss", false}, // B2 due before
	} {
		a := assemble(t, r, AssembleOptions{Deadline: tt.deadline})
		if got := verdicts(a); got != tt.want || slices.Contains(fed(a), 1) != tt.fed {
			t.Errorf("deadline %v: got %s, units %v; want %s, B1 fed = %v", tt.deadline, got, fed(a), tt.want, tt.fed)
		}
	}
}

func TestMarksAndExpiry(t *testing.T) {
	w := newWire(t, rtph264.Packetizer{}, clip(5, 100))
	w.set(-1, 2, 3)
	a := assemble(t, w.load(t, LoadOptions{}), AssembleOptions{Expect: []int64{0, 3600, 7200, 10801, 14400}, Expired: []int64{0, 7200}})
	if got := verdicts(a); got != "ssems" { // what was shown did not expire
		t.Errorf("got %s, want ssems", got)
	}
	if !a.AUs[0].Reliable || a.AUs[1].Reliable || a.AUs[1].Expires != 400*ms {
		t.Errorf("marks: %+v, %+v; want reliable, and an age of 400ms", a.AUs[0], a.AUs[1])
	}
	if a.AUs[2].Delay != -1 || a.AUs[2].Unit != -1 {
		t.Errorf("nothing came: %+v", a.AUs[2])
	}
}

// A unit of which nothing can be decoded is not shown.
func TestNothingToDecode(t *testing.T) {
	w := newWire(t, rtph264.Packetizer{}, clip(5, 3000))
	w.delay[w.of(2)[0]] = -1 // the fragment with the NAL header
	r := w.load(t, LoadOptions{})
	for _, deadline := range []time.Duration{0, 100 * ms} {
		a := assemble(t, r, AssembleOptions{Deadline: deadline})
		if got := verdicts(a); got != "ssmss" {
			t.Errorf("deadline %v: got %s, want ssmss", deadline, got)
		}
	}
}

func TestPolicyAndParams(t *testing.T) {
	params := [][]byte{{0x67, 0x42, 0xc0, 0x1e, 1}, {0x68, 0xce, 2}}
	w := newWire(t, rtph264.Packetizer{}, clip(15, 100))
	w.delay[0] = -1 // STAP-A with the parameter sets
	r := w.load(t, LoadOptions{})
	a := assemble(t, r, AssembleOptions{Params: params})
	if got := a.Units[0].NALUs; len(got) != 3 || !reflect.DeepEqual(got[:2], params) {
		t.Errorf("first unit has %d NAL units, want the parameter sets before its slice", len(got))
	}
	if got := len(a.Units[10].NALUs); got != 3 {
		t.Errorf("unit 10 has %d NAL units, want its own 3", got)
	}
	a = assemble(t, r, AssembleOptions{Policy: rtph264.WaitIDR})
	if got := verdicts(a); got != "mmmmmmmmmmsssss" {
		t.Errorf("wait-idr: got %s", got)
	}
}

func TestAssembleErrors(t *testing.T) {
	r := newWire(t, rtph264.Packetizer{}, clip(3, 10)).load(t, LoadOptions{})
	if _, err := r.Assemble(AssembleOptions{Deadline: -1}); err == nil {
		t.Error("a negative deadline: no error")
	}
}

// TestNoTimes: where all packets bear one time, nothing is late or early.
func TestNoTimes(t *testing.T) {
	w := newWire(t, rtph264.Packetizer{}, clip(3, 10))
	for i := range w.sent {
		w.sent[i] = 0
	}
	r := w.load(t, LoadOptions{})
	if _, err := r.Assemble(AssembleOptions{Deadline: ms}); !errors.Is(err, ErrNoTimes) {
		t.Errorf("with a deadline: got %v, want %v", err, ErrNoTimes)
	}
	for i, au := range assemble(t, r, AssembleOptions{}).AUs {
		if au.Verdict != Shown || au.Delay != -1 {
			t.Errorf("access unit %d: got %v, delay %v, want it shown, and no delay", i, au.Verdict, au.Delay)
		}
	}
}

func TestAssembleReader(t *testing.T) {
	w := newWire(t, rtph264.Packetizer{}, clip(5, 10))
	a, err := Assemble(open(t, w.file(t)), AssembleOptions{})
	if err != nil || len(a.Units) != 5 {
		t.Errorf("got %d units, %v; want 5", len(a.Units), err)
	}
	_, err = Assemble(open(t, w.file(t)), AssembleOptions{Load: LoadOptions{Filter: capture.Filter{Port: 1}}})
	if !errors.Is(err, capture.ErrNoStream) {
		t.Errorf("wrong port: got %v, want %v", err, capture.ErrNoStream)
	}
}

// Whatever the network does: a longer deadline shows no less, drop feeds no
// more than ref, and a very long one is none.
func TestDeadlineProperties(t *testing.T) {
	units := bclip(13, 2500)
	rapid.Check(t, func(rt *rapid.T) {
		w := newWire(t, rtph264.Packetizer{}, units)
		for i := range w.delay {
			if w.delay[i] = time.Duration(rapid.IntRange(0, 300).Draw(rt, "delay")) * ms; rapid.IntRange(0, 9).Draw(rt, "luck") == 0 {
				w.delay[i] = -1
			}
		}
		w.delay[0] = 10 * ms
		r := w.load(t, LoadOptions{})
		all := assemble(t, r, AssembleOptions{})
		last := 0
		for _, d := range []time.Duration{ms, 100 * ms, 200 * ms, 400 * ms, time.Hour} {
			ref := assemble(t, r, AssembleOptions{Deadline: d})
			drop := assemble(t, r, AssembleOptions{Deadline: d, Late: LateDrop})
			if verdicts(ref) != verdicts(drop) || ref.Use.OnTime != drop.Use.OnTime || drop.Use.LateUsed != 0 {
				rt.Fatalf("deadline %v: ref %s %+v, drop %s %+v", d, verdicts(ref), ref.Use, verdicts(drop), drop.Use)
			}
			shown := 0
			for _, au := range ref.AUs {
				if au.Verdict == Shown {
					shown++
				}
			}
			if shown < last {
				rt.Fatalf("deadline %v shows %d, a shorter one %d", d, shown, last)
			}
			last = shown
			if d == time.Hour && (!reflect.DeepEqual(ref.Units, all.Units) || ref.Use != all.Use) {
				rt.Fatalf("an hour differs from no deadline: %+v, %+v", ref.Use, all.Use)
			}
		}
	})
}
