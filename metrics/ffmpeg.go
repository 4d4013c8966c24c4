package metrics

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// WriteFFmpegPSNR writes the lines of the stats_file of ffmpeg's psnr filter,
// numbered from 1. Where ffmpeg writes inf, for identical planes, this writes
// 100.00, the ceiling.
func WriteFFmpegPSNR(w io.Writer, s Series) error {
	out := bufio.NewWriter(w)
	for i := range s.Rows {
		r := &s.Rows[i]
		if _, err := s.record(i); err != nil {
			return err
		}
		fmt.Fprintf(out, "n:%d mse_avg:%.2f ", r.Frame+1, r.Score.MSEYUV)
		for p := range r.Score.Planes {
			fmt.Fprintf(out, "mse_%c:%.2f ", "yuv"[p], r.Score.MSE[p])
		}
		fmt.Fprintf(out, "psnr_avg:%.2f ", r.Score.PSNRYUV)
		for p := range r.Score.Planes {
			fmt.Fprintf(out, "psnr_%c:%.2f ", "yuv"[p], r.Score.PSNR[p])
		}
		fmt.Fprintln(out)
	}
	return out.Flush()
}

// WriteFFmpegSSIM writes the lines of the stats_file of ffmpeg's ssim filter,
// numbered from 1. The decibels in brackets, -10 log10(1 - SSIM), end at 100
// where ffmpeg writes inf.
func WriteFFmpegSSIM(w io.Writer, s Series) error {
	out := bufio.NewWriter(w)
	for i := range s.Rows {
		r := &s.Rows[i]
		if _, err := s.record(i); err != nil {
			return err
		}
		fmt.Fprintf(out, "n:%d ", r.Frame+1)
		for p := range r.Score.Planes {
			fmt.Fprintf(out, "%c:%.6f ", "YUV"[p], r.Score.SSIM[p])
		}
		db := min(MaxPSNR, -10*math.Log10(max(1-r.Score.SSIMYUV, 1e-10)))
		fmt.Fprintf(out, "All:%.6f (%.6f)\n", r.Score.SSIMYUV, db)
	}
	return out.Flush()
}

// ReadFFmpegPSNR reads a stats_file of ffmpeg's psnr filter; inf reads as 100
// dB, and for the average as an identical frame. The mean squared errors have the two digits that ffmpeg prints, and the
// frames are numbered from 0.
func ReadFFmpegPSNR(r io.Reader) (Series, error) {
	return readStats(r, map[string]string{
		"mse_avg": "mse_yuv", "mse_y": "mse_y", "mse_u": "mse_u", "mse_v": "mse_v",
		"psnr_avg": "psnr_yuv", "psnr_y": "psnr_y", "psnr_u": "psnr_u", "psnr_v": "psnr_v",
	})
}

// ReadFFmpegSSIM reads a stats_file of ffmpeg's ssim filter.
func ReadFFmpegSSIM(r io.Reader) (Series, error) {
	return readStats(r, map[string]string{"Y": "ssim_y", "U": "ssim_u", "V": "ssim_v", "All": "ssim_yuv"})
}

// readStats reads lines of key:value of which keys names those that count.
func readStats(r io.Reader, keys map[string]string) (Series, error) {
	s := Series{Tool: "ffmpeg"}
	seen := map[string]bool{}
	in := bufio.NewScanner(r)
	line := 0
	for in.Scan() {
		line++
		if strings.TrimSpace(in.Text()) == "" || strings.HasPrefix(in.Text(), "psnr_log_version") || strings.HasPrefix(in.Text(), "fields") {
			continue
		}
		row, err := parseStats(in.Text(), keys, seen)
		if err != nil {
			return Series{}, fmt.Errorf("ffmpeg stats: line %d: %w", line, err)
		}
		s.Rows = append(s.Rows, row)
	}
	if err := in.Err(); err != nil {
		return Series{}, fmt.Errorf("ffmpeg stats: line %d: %w", line+1, err)
	}
	if len(s.Rows) == 0 {
		return Series{}, errors.New("ffmpeg stats: no frames")
	}
	s.learn(seen, false)
	return s, nil
}

// parseStats reads one line and notes the metrics that it has in seen.
func parseStats(text string, keys map[string]string, seen map[string]bool) (Row, error) {
	row := newRow(-1)
	for field := range strings.FieldsSeq(text) {
		key, value, ok := strings.Cut(field, ":")
		if !ok {
			continue // the decibels in brackets
		}
		if key == "n" {
			n, err := strconv.Atoi(value)
			if err != nil || n < 1 {
				return row, fmt.Errorf("%q is not a frame number from 1", value)
			}
			row.Frame, row.Shown = n-1, n-1
			continue
		}
		name, known := keys[key]
		if !known {
			continue
		}
		if value == "inf" {
			value = "100"
			if key == "psnr_avg" {
				row.Score.Identical, row.Verdict = true, OK
			}
		}
		x, err := parseFloat(value)
		if err != nil {
			return row, fmt.Errorf("%s: %w", key, err)
		}
		row.Score.set(name, x)
		seen[name] = true
	}
	if row.Frame < 0 || row.Score.Planes == 0 {
		return row, errors.New("no frame number or no value")
	}
	return row, nil
}

// newRow is a row of a foreign file: nothing known but its number.
func newRow(frame int) Row {
	return Row{Frame: frame, Shown: frame, Verdict: Damaged, Cause: Cause{HealedAt: -1}, DelayMS: -1}
}

// set sets a metric by its name.
func (s *Score) set(name string, x float64) {
	for _, m := range metricTable {
		if m.name == name {
			*m.field(s) = x
			s.Planes = max(s.Planes, m.planes)
		}
	}
}
