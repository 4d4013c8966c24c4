package metrics

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// libvmafNames are the names under which libvmaf's JSON has our metrics; the
// first of each is the one written.
var libvmafNames = [...][]string{
	{"mse_y"}, {"mse_cb"}, {"mse_cr"},
	{"psnr_y", "psnr"}, {"psnr_cb"}, {"psnr_cr"}, {"psnr_yuv"},
	{"ssim_y", "float_ssim", "ssim"}, {"ssim_cb"}, {"ssim_cr"}, {"ssim_yuv"},
	{"mse_yuv"},
	{"ms_ssim", "float_ms_ssim"},
}

type libvmafFrame struct {
	Number  int                `json:"frameNum"`
	Metrics map[string]float64 `json:"metrics"`
}

type libvmafPool struct {
	Min      float64 `json:"min"`
	Max      float64 `json:"max"`
	Mean     float64 `json:"mean"`
	Harmonic float64 `json:"harmonic_mean"`
}

type libvmaf struct {
	Version string                 `json:"version"`
	FPS     float64                `json:"fps"`
	Frames  []libvmafFrame         `json:"frames"`
	Pooled  map[string]libvmafPool `json:"pooled_metrics"`
	Other   map[string]float64     `json:"aggregate_metrics"`
}

// WriteLibvmaf writes the shape of libvmaf's JSON log. Luma SSIM is called
// ssim_y there, not float_ssim, which is libvmaf's own dialect.
func WriteLibvmaf(w io.Writer, s Series) error {
	d := libvmaf{Version: s.Version, Frames: []libvmafFrame{}, Pooled: map[string]libvmafPool{}, Other: map[string]float64{}}
	for i := range s.Rows {
		rec, err := s.record(i)
		if err != nil {
			return err
		}
		f := libvmafFrame{Number: s.Rows[i].Frame, Metrics: map[string]float64{}}
		for m, v := range rec.metrics() {
			if *v != nil {
				f.Metrics[libvmafNames[m][0]] = **v
			}
		}
		d.Frames = append(d.Frames, f)
	}
	for name, st := range s.Pool(Filter{}) {
		m := slices.Index(Metrics(), name)
		d.Pooled[libvmafNames[m][0]] = libvmafPool{Min: st.Min, Max: st.Max, Mean: st.Mean, Harmonic: st.Harmonic}
	}
	e := json.NewEncoder(w)
	e.SetIndent("", " ")
	return e.Encode(d)
}

// ReadLibvmaf reads libvmaf's JSON log. A note names the metrics that this
// package does not know, VMAF among them; their values are passed over.
func ReadLibvmaf(r io.Reader) (Series, error) {
	b, err := io.ReadAll(r)
	if err != nil {
		return Series{}, fmt.Errorf("libvmaf: %w", err)
	}
	var d libvmaf
	if err := unmarshal(b, &d); err != nil {
		return Series{}, fmt.Errorf("libvmaf: %w", err)
	}
	if len(d.Frames) == 0 {
		return Series{}, errors.New("libvmaf: no frames")
	}
	s := Series{Tool: "libvmaf", Version: d.Version}
	seen, unknown := map[string]bool{}, map[string]bool{}
	for i, f := range d.Frames {
		if f.Number < 0 {
			return Series{}, fmt.Errorf("libvmaf: frame %d of the file has the number %d", i, f.Number)
		}
		row := newRow(f.Number)
		for _, key := range sortedKeys(f.Metrics) {
			name := libvmafMetric(key)
			if name == "" {
				unknown[key] = true
				continue
			}
			row.Score.set(name, f.Metrics[key])
			seen[name] = true
		}
		s.Rows = append(s.Rows, row)
	}
	s.learn(seen, false)
	if len(unknown) > 0 {
		s.Notes = []string{"metrics passed over: " + strings.Join(sortedKeys(unknown), ", ")}
	}
	return s, nil
}

// libvmafMetric is our name of a metric of libvmaf's, "" if there is none.
func libvmafMetric(key string) string {
	for m, names := range libvmafNames {
		if slices.Contains(names, key) {
			return metricTable[m].name
		}
	}
	return ""
}
