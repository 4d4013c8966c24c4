package report

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"image/color"
	"math"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/vqeval/vqeval/metrics"
)

// pageData is what the scripts of the page read, as JSON.
type pageData struct {
	Frame    int             `json:"frame"`
	Frames   []int           `json:"frames"`  // numbers, ascending
	Seconds  []num           `json:"seconds"` // presentation time of each
	Curves   []curveData     `json:"curves"`
	Order    []int           `json:"order"` // of painting, the last on top
	Equal    []string        `json:"equal"`
	Verdicts []verdictData   `json:"verdicts"`
	Views    []viewData      `json:"views"`
	Images   []string        `json:"images"` // data: URLs, each once
	Scales   map[string]any  `json:"scales"`
	Packets  packetData      `json:"packets"`
	Panels   []timePanelData `json:"panels"`
	Latency  []latencyData   `json:"latency"`
	Sweeps   []sweepData     `json:"sweeps"`
	Files    []fileData      `json:"files"`
}

type curveData struct {
	Name     string  `json:"name"`
	Color    string  `json:"color"`
	Dark     string  `json:"dark"` // on a dark ground
	SSIM     []num   `json:"ssim"`
	MSE      []num   `json:"mse"`
	PSNR     []num   `json:"psnr"`
	Verdicts []int   `json:"verdicts"` // -1 = no such frame
	Causes   [][]any `json:"causes"`   // frame, packets lost, place, frame that heals (-1 = none)
}

type verdictData struct {
	Name  string `json:"name"`
	Color string `json:"color"`
}

type viewData struct {
	Frame  int        `json:"frame"`
	Width  int        `json:"width"`
	Height int        `json:"height"`
	Gain   int        `json:"gain"`
	Image  int        `json:"image"` // index into Images
	Shots  []shotData `json:"shots"`
}

type shotData struct {
	Name       string `json:"name"`
	Picture    int    `json:"picture"`
	Difference int    `json:"difference"`
	SSIM       int    `json:"ssim"`
}

type fileData struct {
	Name string `json:"name"`
	Type string `json:"type"`
	Size int    `json:"size"`
	Gzip string `json:"gzip"` // base64
}

// num is a number with six significant digits; what is not finite is null.
type num float64

// MarshalJSON writes it as short as it can.
func (n num) MarshalJSON() ([]byte, error) {
	v := float64(n)
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return []byte("null"), nil
	}
	return strconv.AppendFloat(nil, v, 'g', 6, 64), nil
}

// dark is a transport's colour on a dark ground.
func dark(c color.RGBA) color.RGBA { return mix(c, rgb(0xffffff), .28) }

// data gathers what the scripts need.
func (p Page) data() (pageData, error) {
	d := pageData{Frame: p.Frame, Order: paintOrder(p.Curves), Equal: equalCurves(p.Curves), Panels: timePanels(p.Timelines)}
	d.Scales = map[string]any{"difference": anchors(heat()), "ssim": anchors(damage())}
	for _, v := range verdicts() {
		d.Verdicts = append(d.Verdicts, verdictData{verdictName(v), hexColor(verdictColor(v))})
	}
	d.addCurves(p.Curves)
	d.addViews(p.Frames)
	d.Packets = binPackets(p.Packets)
	for _, c := range p.Latency {
		d.Latency = append(d.Latency, newLatencyData(c))
	}
	for _, c := range p.Sweeps {
		x, err := newSweepData(c)
		if err != nil {
			return d, err
		}
		d.Sweeps = append(d.Sweeps, x)
	}
	for _, f := range p.Files {
		z, err := compress(f.Data)
		if err != nil {
			return d, err
		}
		if f.Type == "" {
			f.Type = "text/plain"
		}
		d.Files = append(d.Files, fileData{Name: f.Name, Type: f.Type, Size: len(f.Data), Gzip: z})
	}
	return d, nil
}

func compress(b []byte) (string, error) {
	var z bytes.Buffer
	w, err := gzip.NewWriterLevel(&z, gzip.BestCompression)
	if err != nil {
		return "", err
	}
	if _, err := w.Write(b); err != nil {
		return "", err
	}
	if err := w.Close(); err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(z.Bytes()), nil
}

// anchors samples a scale for a CSS gradient.
func anchors(r *ramp) []string {
	var out []string
	for i := 0; i < 256; i += 15 {
		out = append(out, hexColor(r[i]))
	}
	return out
}

// addCurves puts all curves on the union of their frames.
func (d *pageData) addCurves(curves []Curve) {
	at := map[int]time.Duration{}
	for _, c := range curves {
		for _, r := range c.Rows {
			at[r.Frame] = max(at[r.Frame], r.PTS) // scores of other programs have no times
			d.Frames = append(d.Frames, r.Frame)
		}
	}
	slices.Sort(d.Frames)
	d.Frames = slices.Compact(d.Frames)
	for _, f := range d.Frames {
		d.Seconds = append(d.Seconds, num(at[f].Seconds()))
	}
	for i, c := range palette(names(curves)) {
		d.Curves = append(d.Curves, d.curve(curves[i], c))
	}
}

func (d *pageData) curve(c Curve, col color.RGBA) curveData {
	out := curveData{Name: c.Name, Color: hexColor(col), Dark: hexColor(dark(col)), Causes: [][]any{}}
	rows := map[int]metrics.Row{}
	for _, r := range c.Rows {
		rows[r.Frame] = r
	}
	for _, f := range d.Frames {
		r, ok := rows[f]
		if !ok {
			nan := num(math.NaN())
			out.SSIM, out.MSE, out.PSNR, out.Verdicts = append(out.SSIM, nan), append(out.MSE, nan), append(out.PSNR, nan), append(out.Verdicts, -1)
			continue
		}
		out.SSIM = append(out.SSIM, num(SSIM.of(r.Score)))
		out.MSE = append(out.MSE, num(MSE.of(r.Score)))
		out.PSNR = append(out.PSNR, num(PSNR.of(r.Score)))
		out.Verdicts = append(out.Verdicts, int(r.Verdict))
		if r.Cause.LostPackets > 0 || r.Cause.Where != "" {
			out.Causes = append(out.Causes, []any{f, r.Cause.LostPackets, r.Cause.Where, r.Cause.HealedAt})
		}
	}
	return out
}

// addViews embeds every distinct picture once: a frame that arrived whole is
// the reference's own.
func (d *pageData) addViews(views []FrameView) {
	index := map[string]int{}
	put := func(b []byte) int {
		if len(b) == 0 {
			return -1
		}
		i, known := index[string(b)]
		if !known {
			i = len(d.Images)
			index[string(b)] = i
			d.Images = append(d.Images, "data:"+http.DetectContentType(b)+";base64,"+base64.StdEncoding.EncodeToString(b))
		}
		return i
	}
	for _, v := range views {
		x := viewData{Frame: v.Frame, Width: v.Width, Height: v.Height, Gain: v.Gain, Image: put(v.Reference)}
		for _, s := range v.Shots {
			x.Shots = append(x.Shots, shotData{Name: s.Transport, Picture: put(s.Picture), Difference: put(s.Difference), SSIM: put(s.SSIM)})
		}
		d.Views = append(d.Views, x)
	}
	slices.SortFunc(d.Views, func(a, b viewData) int { return a.Frame - b.Frame })
}
