package score

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vqeval/vqeval/decode"
	"github.com/vqeval/vqeval/metrics"
	"github.com/vqeval/vqeval/stream"
	"github.com/vqeval/vqeval/stream/h264"
	"github.com/vqeval/vqeval/stream/rtph264"
)

const never = -1

// TestRecording loses access units 4 and 10 (a key picture) and the second packet
// of access unit 23.
func TestRecording(t *testing.T) {
	ref := reference(t, t.TempDir())
	path := record(t, ref, rtph264.Packetizer{MaxPacket: 110, SSRC: 1}, func(unit, packet int) time.Duration {
		if unit == 4 || unit == 10 || unit == 23 && packet == 1 {
			return never
		}
		return time.Duration(unit%3) * 10 * time.Millisecond
	})
	outcomes, err := ScoreGroup(context.Background(), Reference{Path: ref}, []Capture{{Path: path}}, Options{})
	if err != nil || outcomes[0].Err != nil {
		t.Fatal(err, outcomes[0].Err)
	}
	s := outcomes[0].Series
	v := verdicts(s)
	if v[:4] != "oooo" || v[4] != 'f' || strings.Trim(v[5:10], "d") != "" || v[10] == 'o' || v[20:23] != "ooo" || strings.Trim(v[23:], "d") != "" {
		t.Errorf("got %s, want oooofddddd, then damage to 19, ooo and damage to the end", v)
	}
	for i, want := range map[int]int{4: 20, 9: 20, 19: 20, 23: -1} {
		if got := s.Rows[i].Cause.HealedAt; got != want {
			t.Errorf("frame %d: healed at %d, want %d", i, got, want)
		}
	}
	if got := s.Rows[23].Cause.LostPackets; got != 1 {
		t.Errorf("frame 23: %d packets lost, want 1", got)
	}
	if got := s.Rows[4].Cause.LostPackets; got < 1 || s.Rows[4].DelayMS != -1 || s.Rows[4].Shown < 0 {
		t.Errorf("frame 4: got %+v, want lost packets, no delay, and the frame before shown", s.Rows[4])
	}
	total := 0
	for _, r := range s.Rows {
		total += r.Cause.LostPackets
	}
	if total != outcomes[0].Stats.Lost {
		t.Errorf("the frames lost %d packets, the recording %d", total, outcomes[0].Stats.Lost)
	}
	if got := s.Rows[5].DelayMS; got != 20 {
		t.Errorf("frame 5: got a delay of %v ms, want 20", got)
	}
	if s.Settings["aligned_by"] != "rtp" || s.Settings["broken_nal"] != "keep-prefix" {
		t.Errorf("got settings %v", s.Settings)
	}
}

// TestDeadlines scores one recording for several deadlines at once. Access unit 7
// comes 100 ms after its time, 22 is given up by the sender.
func TestDeadlines(t *testing.T) {
	ref := reference(t, t.TempDir())
	path := record(t, ref, rtph264.Packetizer{SSRC: 1}, func(unit, _ int) time.Duration {
		switch unit {
		case 7:
			return 100 * time.Millisecond
		case 22:
			return never
		}
		return 0
	})
	expired := []int64{22 * 3600}
	r := load(t, path)
	all := strings.Repeat("o", clipFrames)
	captures := []Capture{
		{Path: path, Expired: expired},
		{Path: path, Expired: expired, Deadline: 99 * time.Millisecond},
		{Path: path, Expired: expired, Deadline: 70 * time.Millisecond, Late: stream.LateRef},
		{Path: path, Expired: expired, Deadline: 99 * time.Millisecond, Late: stream.LateDrop, Recording: r},
		{Path: path, Expired: expired, Deadline: 100 * time.Millisecond, Recording: r},
	}
	want := []string{
		all[:22] + "eddddddd",
		all[:7] + "l" + all[8:22] + "eddddddd",
		all[:7] + "l" + all[8:22] + "eddddddd",
		all[:7] + "ldd" + all[10:22] + "eddddddd",
		all[:22] + "eddddddd",
	}
	outcomes, err := ScoreGroup(context.Background(), Reference{Path: ref}, captures, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for k, o := range outcomes {
		if o.Err != nil {
			t.Fatal(o.Err)
		}
		if got := verdicts(o.Series); got != want[k] {
			t.Errorf("%v, late %q: got %s\nwant %s", captures[k].Deadline, captures[k].Late, got, want[k])
		}
		if late := o.Series.Rows[7]; late.DelayMS != 100 || late.Verdict == metrics.Late && late.Shown != 6 {
			t.Errorf("%v: frame 7: %+v, want a delay of 100 ms, and frame 6 shown if it is late", captures[k].Deadline, late)
		}
	}
	if s := outcomes[3].Series.Settings; s["deadline_ms"] != "99" || s["late"] != "drop" {
		t.Errorf("got settings %v", s)
	}
}

// TestRecordingWithoutStart: a foreign sender's clock starts anywhere, so that
// only the pictures tell what was lost in front.
func TestRecordingWithoutStart(t *testing.T) {
	ref := reference(t, t.TempDir())
	path := record(t, ref, rtph264.Packetizer{SSRC: 1, NoExtensions: true, FirstTimestamp: 1 << 31}, func(unit, _ int) time.Duration {
		if unit < 10 {
			return never
		}
		return 0
	})
	s := mustScore(t, ref, path, Options{})
	if got, want := verdicts(s), strings.Repeat("m", 10)+strings.Repeat("o", 20); got != want {
		t.Errorf("got  %s, notes %q\nwant %s", got, s.Notes, want)
	}
}

// TestNothingDecodes: packets without any parameter sets are an honest zero.
func TestNothingDecodes(t *testing.T) {
	ref := reference(t, t.TempDir())
	path := record(t, ref, rtph264.Packetizer{SSRC: 1}, func(_, packet int) time.Duration {
		if packet == 0 { // STAP-A in the key pictures, all there is in the others
			return never
		}
		return 0
	})
	s := mustScore(t, ref, path, Options{})
	if got, want := verdicts(s), strings.Repeat("m", clipFrames); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if text := strings.Join(s.Notes, ";"); !strings.Contains(text, "0 of 30 frames") || !strings.Contains(text, "--sdp FILE") {
		t.Errorf("got notes %q", s.Notes)
	}
}

// TestBareStream loses access units of a stream without times. The damaged
// pictures that follow look like those before them.
func TestBareStream(t *testing.T) {
	ref := reference(t, t.TempDir())
	for _, gone := range [][]int{{}, {3}, {0}, {10}, {9, 19, 29}, {13, 14, 15, 16}} {
		path := bare(t, ref, "gone.h264", func(i int, u h264.AccessUnit) (h264.AccessUnit, bool) {
			return u, !slices.Contains(gone, i)
		})
		s := mustScore(t, ref, path, Options{})
		damaged := false
		for i, r := range s.Rows {
			if slices.Contains(gone, i) {
				damaged = true
				if r.Verdict.Shown() {
					t.Errorf("without %v: frame %d is %v", gone, i, r.Verdict)
				}
				continue
			}
			damaged = damaged && i%10 != 0
			if !damaged && r.Verdict != metrics.OK || damaged && r.Verdict == metrics.OK {
				t.Errorf("without %v: frame %d is %v, damage expected: %v", gone, i, r.Verdict, damaged)
			}
		}
		if s.Settings["aligned_by"] != "coded" {
			t.Errorf("without %v: aligned by %s", gone, s.Settings["aligned_by"])
		}
	}
}

// TestRemuxed: a stream that lost a key picture and the picture before, put into a
// container as if nothing were missing. Its times are wrong from there on.
func TestRemuxed(t *testing.T) {
	ref := reference(t, t.TempDir())
	path := bare(t, ref, "gone.h264", func(i int, u h264.AccessUnit) (h264.AccessUnit, bool) {
		return u, i != 19 && i != 20
	})
	mkv := filepath.Join(filepath.Dir(ref), "gone.mkv")
	ffmpeg(t, "-r", "25", "-i", path, "-c", "copy", mkv)
	a, b := mustScore(t, ref, path, Options{}), mustScore(t, ref, mkv, Options{})
	if verdicts(a) != verdicts(b) || verdicts(a)[:20] != strings.Repeat("o", 19)+"f" || b.Settings["aligned_by"] != "coded" {
		t.Errorf("bare: %s\nmkv:  %s by %s", verdicts(a), verdicts(b), b.Settings["aligned_by"])
	}
}

// TestCutSlice: half of a picture's data is there, which makes damage but does not
// move anything; and a run gives what the run before gave.
func TestCutSlice(t *testing.T) {
	ref := reference(t, t.TempDir())
	path := bare(t, ref, "cut.h264", func(i int, u h264.AccessUnit) (h264.AccessUnit, bool) {
		if i == 14 {
			last := len(u.NALUs) - 1
			u.NALUs[last] = u.NALUs[last][:len(u.NALUs[last])/2]
		}
		return u, true
	})
	s := mustScore(t, ref, path, Options{})
	if got, want := verdicts(s), strings.Repeat("o", 14)+"dddddd"+strings.Repeat("o", 10); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for i, r := range mustScore(t, ref, path, Options{}).Rows {
		if r != s.Rows[i] {
			t.Errorf("frame %d: got %+v, then %+v", i, s.Rows[i], r)
		}
	}
	if s.Rows[15].Cause.HealedAt != 20 {
		t.Errorf("got healed at %d, want 20", s.Rows[15].Cause.HealedAt)
	}
	if _, err := decode.ReadUnits(context.Background(), path); err != nil {
		t.Error(err)
	}
}
