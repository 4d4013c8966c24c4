package metrics

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// record is a Row as the files hold it: one flat table, the same names in CSV,
// JSON and Parquet. What a row does not have is absent, never a number.
type record struct {
	Frame       int64    `json:"frame" parquet:"frame"`
	PTS         float64  `json:"pts_s" parquet:"pts_s"`
	Verdict     string   `json:"verdict" parquet:"verdict,dict"`
	Shown       *int64   `json:"shown_frame,omitempty" parquet:"shown_frame,optional"`
	MSEY        *float64 `json:"mse_y,omitempty" parquet:"mse_y,optional"`
	MSEU        *float64 `json:"mse_u,omitempty" parquet:"mse_u,optional"`
	MSEV        *float64 `json:"mse_v,omitempty" parquet:"mse_v,optional"`
	PSNRY       *float64 `json:"psnr_y,omitempty" parquet:"psnr_y,optional"`
	PSNRU       *float64 `json:"psnr_u,omitempty" parquet:"psnr_u,optional"`
	PSNRV       *float64 `json:"psnr_v,omitempty" parquet:"psnr_v,optional"`
	PSNRYUV     *float64 `json:"psnr_yuv,omitempty" parquet:"psnr_yuv,optional"`
	SSIMY       *float64 `json:"ssim_y,omitempty" parquet:"ssim_y,optional"`
	SSIMU       *float64 `json:"ssim_u,omitempty" parquet:"ssim_u,optional"`
	SSIMV       *float64 `json:"ssim_v,omitempty" parquet:"ssim_v,optional"`
	SSIMYUV     *float64 `json:"ssim_yuv,omitempty" parquet:"ssim_yuv,optional"`
	MSEYUV      *float64 `json:"mse_yuv,omitempty" parquet:"mse_yuv,optional"`
	MSSSIM      *float64 `json:"ms_ssim,omitempty" parquet:"ms_ssim,optional"`
	SSEY        *int64   `json:"sse_y,omitempty" parquet:"sse_y,optional"`
	SSEU        *int64   `json:"sse_u,omitempty" parquet:"sse_u,optional"`
	SSEV        *int64   `json:"sse_v,omitempty" parquet:"sse_v,optional"`
	Identical   bool     `json:"identical" parquet:"identical"`
	DelayMS     *float64 `json:"delay_ms,omitempty" parquet:"delay_ms,optional"`
	LostPackets int64    `json:"lost_packets,omitempty" parquet:"lost_packets"`
	LostWhere   string   `json:"lost_where,omitempty" parquet:"lost_where,dict"`
	HealedAt    *int64   `json:"healed_at_frame,omitempty" parquet:"healed_at_frame,optional"`
	SSIMDialect string   `json:"ssim_dialect" parquet:"ssim_dialect,dict"`
}

// metrics returns the fields of the metrics, in the order of metricTable.
func (r *record) metrics() [len(metricTable)]**float64 {
	return [...]**float64{&r.MSEY, &r.MSEU, &r.MSEV, &r.PSNRY, &r.PSNRU, &r.PSNRV, &r.PSNRYUV,
		&r.SSIMY, &r.SSIMU, &r.SSIMV, &r.SSIMYUV, &r.MSEYUV, &r.MSSSIM}
}

func (r *record) sse() [3]**int64 { return [...]**int64{&r.SSEY, &r.SSEU, &r.SSEV} }

// record flattens row i. Numbers that are not finite are an error: no file
// may hold one.
func (s Series) record(i int) (record, error) {
	row := s.Rows[i]
	rec := record{
		Frame: int64(row.Frame), PTS: row.PTS.Seconds(), Verdict: row.Verdict.String(), Shown: index(row.Shown),
		Identical: row.Score.Identical, LostPackets: int64(row.Cause.LostPackets), LostWhere: row.Cause.Where,
		HealedAt: index(row.Cause.HealedAt), SSIMDialect: s.Options.SSIM.String(),
	}
	if math.IsNaN(row.DelayMS) || math.IsInf(row.DelayMS, 0) {
		return rec, fmt.Errorf("frame %d: delay_ms is %v", row.Frame, row.DelayMS)
	}
	if row.DelayMS >= 0 {
		rec.DelayMS = &row.DelayMS
	}
	sc := &row.Score
	fields := rec.metrics()
	for m, t := range metricTable {
		if sc.Planes >= t.planes && s.Has(t.name) {
			v := *t.field(sc)
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return rec, fmt.Errorf("frame %d: %s is %v", row.Frame, t.name, v)
			}
			*fields[m] = &v
		}
	}
	if s.Metrics == nil {
		for p, f := range rec.sse() {
			if p < sc.Planes {
				v := int64(sc.SSE[p])
				*f = &v
			}
		}
	}
	return rec, nil
}

func index(i int) *int64 {
	if i < 0 {
		return nil
	}
	v := int64(i)
	return &v
}

func unindex(p *int64) int {
	if p == nil {
		return -1
	}
	return int(*p)
}

// check refuses numbers that no row has.
func (r *record) check() error {
	if r.Frame < 0 {
		return fmt.Errorf("frame %d is below 0", r.Frame)
	}
	for p, f := range r.sse() {
		if *f != nil && **f < 0 {
			return fmt.Errorf("sse_%c is %d, below 0", "yuv"[p], **f)
		}
	}
	if r.LostPackets < 0 {
		return fmt.Errorf("lost_packets is %d, below 0", r.LostPackets)
	}
	return nil
}

// row unfolds a record.
func (r *record) row() (Row, error) {
	if err := r.check(); err != nil {
		return Row{}, err
	}
	row := Row{
		Frame: int(r.Frame), PTS: seconds(r.PTS), Shown: unindex(r.Shown), DelayMS: -1,
		Cause: Cause{LostPackets: int(r.LostPackets), Where: strings.ToValidUTF8(r.LostWhere, "\ufffd"), HealedAt: unindex(r.HealedAt)},
	}
	if err := row.Verdict.UnmarshalText([]byte(r.Verdict)); err != nil {
		return row, err
	}
	if r.DelayMS != nil {
		row.DelayMS = *r.DelayMS
	}
	row.Score.Identical = r.Identical
	for m, f := range r.metrics() {
		if *f == nil {
			continue
		}
		t := metricTable[m]
		if math.IsNaN(**f) || math.IsInf(**f, 0) {
			return row, fmt.Errorf("%s is not a finite number", t.name)
		}
		*t.field(&row.Score) = **f
		row.Score.Planes = max(row.Score.Planes, t.planes)
	}
	for p, f := range r.sse() {
		if *f != nil {
			row.Score.SSE[p] = uint64(**f)
		}
	}
	return row, nil
}

// seconds is the duration of s seconds to the nanosecond, capped to what a
// duration holds.
func seconds(s float64) time.Duration {
	ns := math.Round(s * 1e9)
	switch {
	case ns >= math.MaxInt64:
		return math.MaxInt64
	case ns <= math.MinInt64:
		return math.MinInt64
	case math.IsNaN(ns):
		return 0
	}
	return time.Duration(ns)
}

// collect makes a series of records and learns from them which metrics and
// dialect it has.
func (s *Series) collect(records []record) error {
	seen := map[string]bool{}
	var hasSSE bool
	for i := range records {
		r := &records[i]
		row, err := r.row()
		if err != nil {
			return fmt.Errorf("row %d: %w", i+1, err)
		}
		if r.SSIMDialect != "" {
			if err := s.Options.SSIM.UnmarshalText([]byte(r.SSIMDialect)); err != nil {
				return fmt.Errorf("row %d: %w", i+1, err)
			}
		}
		for m, f := range r.metrics() {
			if *f != nil {
				seen[metricTable[m].name] = true
			}
		}
		hasSSE = hasSSE || r.SSEY != nil
		s.Rows = append(s.Rows, row)
	}
	s.learn(seen, hasSSE)
	return nil
}

// learn sets Metrics unless the ones seen are those of a scorer of ours, which
// also gives sums of squared errors.
func (s *Series) learn(seen map[string]bool, sums bool) {
	s.Options.MSSSIM = seen["ms_ssim"]
	s.Metrics = nil
	if sums && scored(seen) || len(s.Rows) == 0 {
		return
	}
	s.Metrics = []string{}
	for _, m := range metricTable {
		if seen[m.name] {
			s.Metrics = append(s.Metrics, m.name)
		}
	}
}

// scored reports whether the metrics seen are all that a scorer gives, of luma
// alone or of three planes.
func scored(seen map[string]bool) bool {
	var have, lack [4]int // by planes needed
	for _, m := range metricTable {
		switch {
		case m.name == "ms_ssim":
		case seen[m.name]:
			have[m.planes]++
		default:
			lack[m.planes]++
		}
	}
	return lack[1] == 0 && (have[3] == 0 || lack[3] == 0)
}
