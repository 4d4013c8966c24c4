package metrics

import (
	"bytes"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// sample is a series with every kind of row in it.
func sample() Series {
	s := Series{
		Tool: "vqeval", Version: "1.0", Reference: "a.mp4", Captured: "b, \"c\".pcapng",
		Settings: map[string]string{"align": "rtp"}, Options: Options{SSIM: Precise, MSSSIM: true},
		FrameRate: 30000. / 1001, Notes: []string{"ranges differ"},
	}
	for i, v := range []Verdict{OK, Damaged, Frozen, Late, Expired, Missing} {
		r := Row{Frame: i, PTS: time.Duration(i) * time.Second * 1001 / 30000, Verdict: v, Shown: i - 1,
			Cause: Cause{HealedAt: -1}, DelayMS: -1}
		r.Score = Score{Planes: 3, SSE: [3]uint64{uint64(i) * 7, 0, uint64(i)}, SSIM: [3]float64{1 - float64(i)/7, 1, -.25}, MSSSIM: .5}
		r.Score.finish([3]int{300, 75, 75}, 255)
		if v == Damaged {
			r.Cause, r.DelayMS = Cause{LostPackets: 3, Where: "link queue", HealedAt: 4}, 41.25
		}
		s.Rows = append(s.Rows, r)
	}
	return s
}

type format struct {
	name  string
	write func(io.Writer, Series) error
	read  func(io.Reader) (Series, error)
}

func exactFormats() []format {
	return []format{{"csv", WriteCSV, ReadCSV}, {"json", WriteJSON, ReadJSON}, {"parquet", WriteParquet, ReadParquet}}
}

// What is written reads back the same, to the last bit.
func TestRoundTrip(t *testing.T) {
	grey := sample()
	grey.Options = Options{LumaOnly: true}
	for i := range grey.Rows {
		sc := &grey.Rows[i].Score
		*sc = Score{Planes: 1, SSE: [3]uint64{5}, SSIM: [3]float64{1. / 3}}
		sc.finish([3]int{64}, 1023)
	}
	for _, f := range exactFormats() {
		for name, want := range map[string]Series{"yuv": sample(), "grey": grey, "empty": {}} {
			var b bytes.Buffer
			if err := f.write(&b, want); err != nil {
				t.Fatalf("%s %s: %v", f.name, name, err)
			}
			for reader, read := range map[string]func(io.Reader) (Series, error){"own": f.read, "any": Read} {
				got, err := read(bytes.NewReader(b.Bytes()))
				if err != nil {
					t.Errorf("%s %s: %s reader: %v", f.name, name, reader, err)
					continue
				}
				expected := want
				if f.name == "csv" { // holds the frames alone
					expected = Series{Options: Options{SSIM: want.Options.SSIM, MSSSIM: want.Options.MSSSIM}, Rows: want.Rows}
				}
				if diff := cmp.Diff(expected, got); diff != "" {
					t.Errorf("%s %s: %s reader: -want +got\n%s", f.name, name, reader, diff)
				}
			}
		}
	}
}

func TestCSVHeader(t *testing.T) {
	var b strings.Builder
	if err := WriteCSV(&b, sample()); err != nil {
		t.Fatal(err)
	}
	const want = "frame,pts_s,verdict,shown_frame,mse_y,mse_u,mse_v,psnr_y,psnr_u,psnr_v,psnr_yuv,ssim_y,ssim_u,ssim_v,ssim_yuv," +
		"mse_yuv,ms_ssim,sse_y,sse_u,sse_v,identical,delay_ms,lost_packets,lost_where,healed_at_frame,ssim_dialect\n" +
		"0,0,ok,,0,0,0,100,100,100,100,1,1,-0.25,0.7916666666666666,0,0.5,0,0,0,true,,0,,,precise\n"
	if got := b.String(); !strings.HasPrefix(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got[:min(len(got), len(want))], want)
	}
}

// A number that is not finite is an error on every way out.
func TestNotFinite(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		s := sample()
		s.Rows[2].Score.SSIM[1] = bad
		for name, write := range map[string]func(io.Writer, Series) error{
			"csv": WriteCSV, "json": WriteJSON, "parquet": WriteParquet, "libvmaf": WriteLibvmaf, "psnr": WriteFFmpegPSNR, "ssim": WriteFFmpegSSIM,
		} {
			if err := write(io.Discard, s); err == nil || !strings.Contains(err.Error(), "frame 2: ssim_u is") {
				t.Errorf("%s of %v: error is %v", name, bad, err)
			}
		}
	}
}

// Lines of ffmpeg 5.1, one of them of identical frames:
// ffmpeg -i a -i b -lavfi "[0][1]psnr=stats_file=-" -f null -
func TestNoInfiniteDelay(t *testing.T) {
	for _, ms := range []float64{math.Inf(1), math.Inf(-1), math.NaN()} {
		s := sample()
		s.Rows[1].DelayMS = ms
		if err := WriteCSV(io.Discard, s); err == nil {
			t.Errorf("a delay of %v ms is written", ms)
		}
	}
}

// A file of ours whose columns were taken away has no zeros in their place.
func TestColumnsTakenAway(t *testing.T) {
	s, err := ReadCSV(strings.NewReader("frame,mse_y,sse_y,psnr_y\n0,2,200,45\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got := slices.Sorted(maps.Keys(s.Pool(Filter{}))); !slices.Equal(got, []string{"mse_y", "psnr_y"}) {
		t.Errorf("pooled %v, want mse_y and psnr_y", got)
	}
}

func TestReadFFmpeg(t *testing.T) {
	psnr, err := Read(strings.NewReader("n:1 mse_avg:0.00 mse_y:0.00 mse_u:0.00 mse_v:0.00 psnr_avg:inf psnr_y:inf psnr_u:inf psnr_v:inf \n" +
		"n:2 mse_avg:2.50 mse_y:3.25 mse_u:1.00 mse_v:1.00 psnr_avg:44.15 psnr_y:43.01 psnr_u:48.13 psnr_v:48.13 \n"))
	if err != nil {
		t.Fatal(err)
	}
	if r := psnr.Rows[1]; r.Frame != 1 || r.Score.MSE != [3]float64{3.25, 1, 1} || r.Score.PSNRYUV != 44.15 || r.Verdict != Damaged {
		t.Errorf("row is %+v", r)
	}
	if r := psnr.Rows[0]; r.Score.PSNR != [3]float64{100, 100, 100} || !r.Score.Identical || r.Verdict != OK {
		t.Errorf("row is %+v", r)
	}
	if _, ok := psnr.Pool(Filter{})["ssim_y"]; ok {
		t.Error("a psnr file pools SSIM")
	}
	ssim, err := Read(strings.NewReader("n:1 Y:0.987654 U:0.900000 V:1.000000 All:0.975000 (16.020600)\n"))
	if err != nil {
		t.Fatal(err)
	}
	if sc := ssim.Rows[0].Score; sc.SSIM != [3]float64{.987654, .9, 1} || sc.SSIMYUV != .975 {
		t.Errorf("score is %+v", sc)
	}
}

func TestFFmpegLines(t *testing.T) {
	s := sample()
	s.Rows = s.Rows[:2]
	var psnr, ssim strings.Builder
	if err := WriteFFmpegPSNR(&psnr, s); err != nil {
		t.Fatal(err)
	}
	if err := WriteFFmpegSSIM(&ssim, s); err != nil {
		t.Fatal(err)
	}
	// 10 log10(255²/(8/450)) = 65.63, 255²/(7/300) = 64.45, 255²/(1/75) = 66.88 dB
	const wantPSNR = "n:1 mse_avg:0.00 mse_y:0.00 mse_u:0.00 mse_v:0.00 psnr_avg:100.00 psnr_y:100.00 psnr_u:100.00 psnr_v:100.00 \n" +
		"n:2 mse_avg:0.02 mse_y:0.02 mse_u:0.00 mse_v:0.01 psnr_avg:65.63 psnr_y:64.45 psnr_u:100.00 psnr_v:66.88 \n"
	const wantSSIM = "n:1 Y:1.000000 U:1.000000 V:-0.250000 All:0.791667 (6.812412)\n" +
		"n:2 Y:0.857143 U:1.000000 V:-0.250000 All:0.696429 (5.177391)\n"
	if diff := cmp.Diff(wantPSNR, psnr.String()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(wantSSIM, ssim.String()); diff != "" {
		t.Error(diff)
	}
}

func TestLibvmaf(t *testing.T) {
	want := sample()
	var b bytes.Buffer
	if err := WriteLibvmaf(&b, want); err != nil {
		t.Fatal(err)
	}
	got, err := Read(&b)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range got.Rows {
		w := want.Rows[i].Score
		w.SSE, w.Identical = [3]uint64{}, false
		if r.Score != w {
			t.Errorf("frame %d: %+v, want %+v", i, r.Score, w)
		}
	}
	foreign := `{"version":"2.3.1","frames":[{"frameNum":0,"metrics":{"vmaf":97.4,"psnr_y":41.5,"float_ssim":0.98,"integer_adm2":1}}]}`
	got, err = Read(strings.NewReader(foreign))
	if err != nil {
		t.Fatal(err)
	}
	if v, ok := got.value(got.Rows[0], "ssim_y"); !ok || v != .98 {
		t.Errorf("ssim_y is %v, %v", v, ok)
	}
	if diff := cmp.Diff([]string{"metrics passed over: integer_adm2, vmaf"}, got.Notes); diff != "" {
		t.Error(diff)
	}
	if p := got.Pool(Filter{}); len(p) != 2 {
		t.Errorf("pooled metrics are %v, want psnr_y and ssim_y", p)
	}
}
