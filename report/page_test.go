package report

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/vqeval/vqeval/metrics"
)

// typicalPage is a report as a whole experiment fills it: n transports, their
// frames, packets, queues, deadlines.
func typicalPage(t testing.TB, transports, frames int) Page {
	t.Helper()
	names := []string{"UDP", "QUIC", "rQUIC", "TCP", "TLS"}[:transports]
	hit := map[string]float64{"UDP": .05, "rQUIC": .008}
	p := Page{Title: "QUIC against UDP at 5 Mbit/s", Subtitle: "fullhd.mp4, 1920×1080, 25 frames/s, 15 s; link fullhd-5mbit; 10 seeds", Frame: 36}
	for i, n := range names {
		p.Curves = append(p.Curves, run(n, frames, hit[n], uint64(7+i)))
	}
	for i, c := range p.Curves {
		p.Summary = append(p.Summary, cellOf(c))
		p.Packets = append(p.Packets, laneOf(c, uint64(i)))
	}
	for _, f := range PickFrames(p.Curves, 36, 4) {
		ref := scene(yuv420(), 320, 180, float64(f)/900)
		panels := make([]Panel, 0, transports)
		for _, c := range p.Curves {
			row := c.Rows[f]
			got := ref
			if !row.Score.Identical {
				got = broken(ref, .2+.6*row.Score.SSIM[0])
			}
			panels = append(panels, Panel{Name: c.Name, Picture: got, Verdict: row.Verdict, Score: row.Score})
		}
		v, err := NewFrameView(f, ref, panels, ViewOptions{})
		if err != nil {
			t.Fatal(err)
		}
		p.Frames = append(p.Frames, v)
	}
	p.Timelines = connection()
	for _, m := range []Metric{SSIM, PSNR} {
		c := LatencyChart{Metric: m, Curves: deadlines()}
		if m == PSNR {
			for _, k := range c.Curves {
				for i := range k.Points {
					q := &k.Points[i]
					q.Mean, q.Low, q.High = 60*q.Mean, 60*q.Low, 60*q.High
				}
			}
		}
		p.Latency = append(p.Latency, c)
	}
	p.Sweeps = []SweepChart{losses()}
	p.Tables = []Table{{Title: "Paired differences on the same seeds", Head: []string{"pair", "SSIM", "PSNR, dB"},
		Rows: [][]string{{"QUIC − UDP", "+0.2571 [+0.2410, +0.2733]", "+58.20 [+55.1, +61.3]"}, {"TCP − QUIC", "~", "~"}}, Note: "~: noise explains the difference."}}
	p.Notes = []string{"No interval for TLS: one seed only."}
	p.Settings = []Field{{"vqeval", "0.4.0 (go1.26.8, linux/amd64)"}, {"clip", "fullhd.mp4 sha256:8f98922969"}, {"link", "rate=5mbit,queue=64KiB,delay=20ms"}, {"SSIM", "ffmpeg dialect"}}
	p.Files = []File{{Name: "udp-seed1.csv", Type: "text/csv", Data: []byte("frame,ssim_y\n0,1\n")}, {Name: "manifest.json", Type: "application/json", Data: []byte("{}\n")}}
	return p
}

func cellOf(c Curve) Cell {
	s := metrics.Series{Rows: c.Rows}
	pooled := s.Pool(metrics.Filter{})
	in := func(name string, spread float64) Interval {
		m := pooled[name].Mean
		if m == 1 || m == 100 || m == 0 {
			return Interval{Mean: m}
		}
		return Interval{Mean: m, Low: m * (1 - spread), High: m * (1 + spread)}
	}
	return Cell{Transport: c.Name, Seeds: 10, Counts: s.Counts(), SSIM: in("ssim_y", .03), PSNR: in("psnr_y", .04), MSE: in("mse_y", .1),
		DelayP50: 61 * time.Millisecond, DelayP95: 420 * time.Millisecond, GoodputMbps: 4.71, PacketsSent: 9214, PacketsLost: int64(s.Counts()["damaged"]) * 8}
}

// laneOf sends 24 packets a frame, four times as many for key frames, and loses
// some of those that the damage needs.
func laneOf(c Curve, seed uint64) Lane {
	rng := rand.New(rand.NewPCG(seed, 3))
	l := Lane{Name: c.Name}
	for _, r := range c.Rows {
		n := 24
		if r.Frame%25 == 0 {
			n = 96
		}
		for i := range n {
			e := PacketEvent{At: r.PTS + time.Duration(i)*20*time.Millisecond/time.Duration(n)}
			if r.Verdict != metrics.OK && rng.Float64() < .4 {
				e.Place = "link queue"
				if rng.Float64() < .1 {
					e.Place = "random loss"
				}
			}
			l.Events = append(l.Events, e)
		}
	}
	return l
}

func TestHTML(t *testing.T) {
	var b, again bytes.Buffer
	p := typicalPage(t, 3, 375)
	for _, w := range []*bytes.Buffer{&b, &again} {
		if err := HTML(w, p); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(b.Bytes(), again.Bytes()) {
		t.Error("two pages of the same data differ")
	}
	for _, bad := range []string{"http://", "ZgotmplZ", "unsafe-inline", "<img src=\"http"} {
		if bytes.Contains(bytes.ReplaceAll(b.Bytes(), []byte("http://www.w3.org/2000/svg"), nil), []byte(bad)) {
			t.Errorf("page contains %q", bad)
		}
	}
	if dir := os.Getenv("REPORT_PICTURES"); dir != "" {
		write(t, filepath.Join(dir, "report.html"), b.Bytes())
	}
	t.Logf("%d bytes", b.Len())
}

func TestThin(t *testing.T) {
	v := make([]float64, 10000)
	for i := range v {
		v[i] = math.Sin(float64(i) / 500)
	}
	v[7777] = 9
	keep := thin(v, 600)
	if len(keep) > 700 || keep[0] != 0 || keep[len(keep)-1] != len(v)-1 {
		t.Errorf("kept %d from %d to %d", len(keep), keep[0], keep[len(keep)-1])
	}
	peak := false
	for i, k := range keep {
		peak = peak || k == 7777
		if i > 0 && keep[i-1] >= k {
			t.Fatalf("index %d after %d", k, keep[i-1])
		}
	}
	if !peak {
		t.Error("the peak was lost")
	}
}

func TestPickFrames(t *testing.T) {
	curves := typical("rQUIC")
	got := PickFrames(curves, 36, 8)
	if len(got) != 8 {
		t.Fatalf("got %v, want 8 frames", got)
	}
	has := false
	for i, f := range got {
		has = has || f == 36
		if i > 0 && f-got[i-1] < 12 {
			t.Errorf("frames %d and %d are too close", got[i-1], f)
		}
	}
	if !has {
		t.Errorf("got %v without frame 36", got)
	}
	if got := PickFrames([]Curve{run("QUIC", 50, 0, 1)}, 36, 8); fmt.Sprint(got) != "[36]" {
		t.Errorf("of a perfect run: got %v, want frame 36 alone", got)
	}
}
