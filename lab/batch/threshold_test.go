package batch

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

// scored is a row with the given numbers and no others.
func scored(name string, numbers map[string]float64) Row {
	r := Row{Item: Item{Name: name, Reference: "r.mp4", Captured: name + ".mp4"}, Dialect: "ffmpeg", Align: "pts", Pooled: "all"}
	for _, n := range numberNames {
		v, ok := numbers[n]
		if !ok {
			v = math.NaN()
		}
		r.Numbers = append(r.Numbers, v)
	}
	return r
}

func TestParseThreshold(t *testing.T) {
	for text, want := range map[string]Threshold{
		"psnr_y=35":      {"psnr_y_mean", 35},
		"ssim_y=.95":     {"ssim_y_mean", .95},
		"ms_ssim=1e-1":   {"ms_ssim_mean", .1},
		" psnr_y = 35 ":  {"psnr_y_mean", 35},
		"psnr_y_mean=30": {"psnr_y_mean", 30},
		"psnr_y_min=30":  {"psnr_y_min", 30},
		"ssim_yuv=0.9":   {"ssim_yuv_mean", .9},
		"psnr_u_total=3": {"psnr_u_total", 3},
		"ok=300":         {"ok", 300},
	} {
		if got, err := ParseThreshold(text); err != nil || got != want {
			t.Errorf("%q: got %v, %v, want %v", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"":             "want METRIC=VALUE",
		"psnr_y":       "want METRIC=VALUE",
		"psnr_y=":      `"" is not a number`,
		"psnr_y=high":  `"high" is not a number`,
		"psnr_y=nan":   "is not a number",
		"psnr_y=inf":   "is not a number",
		"vmaf=90":      `unknown metric "vmaf": want one of`,
		"frozen=3":     "less is better there",
		"mse_y=3":      "less is better there",
		"=3":           "unknown metric",
		"psnr_y=1=2":   "is not a number",
		"reference=10": "unknown metric",
	} {
		if got, err := ParseThreshold(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, %v, want an error with %q", text, got, err, want)
		}
	}
}

func TestMisses(t *testing.T) {
	limits := []Threshold{{"psnr_y_mean", 35}, {"ssim_y_mean", .95}}
	for name, c := range map[string]struct {
		row  Row
		want []string
	}{
		"reached to the digit": {scored("a", map[string]float64{"psnr_y_mean": 35, "ssim_y_mean": .95}), nil},
		"one":                  {scored("a", map[string]float64{"psnr_y_mean": 34.999, "ssim_y_mean": 1}), []string{"psnr_y_mean is 34.999, less than 35"}},
		"both":                 {scored("a", map[string]float64{"psnr_y_mean": 1, "ssim_y_mean": 0}), []string{"psnr_y_mean is 1, less than 35", "ssim_y_mean is 0, less than 0.95"}},
		"not measured":         {scored("a", map[string]float64{"psnr_y_mean": 40}), []string{"ssim_y_mean was not measured"}},
		"not scored":           {Row{Err: "broken"}, nil},
	} {
		if got := Misses(c.row, limits); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
	if err := limits[0].Miss(scored("a", nil)); !errors.Is(err, ErrNoSuchNumber) {
		t.Errorf("got %v, want ErrNoSuchNumber", err)
	}
}

func TestWorst(t *testing.T) {
	row := func(name string, psnr float64) Row { return scored(name, map[string]float64{"psnr_y_mean": psnr}) }
	rows := []Row{row("a", 40), {Item: Item{Name: "x"}, Err: "broken"}, row("b", 20), row("c", math.NaN()), row("d", 20), {Item: Item{Name: "y"}, Err: "broken"}}
	for n, want := range map[int]string{0: "x y", 2: "c b x y", 3: "c b d x y", 9: "c b d a x y"} {
		var got []string
		for _, r := range Worst(rows, n) {
			got = append(got, r.Item.Name)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("worst %d: got %q, want %q", n, got, want)
		}
	}
}
