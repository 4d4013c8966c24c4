package lab

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"time"

	"github.com/vqeval/vqeval/stream"
)

// A Row is one line of summary.csv: one run, scored at one deadline. Numbers
// that do not exist, such as the delay of a frame that never came, are NaN and
// stand as an empty field.
type Row struct {
	Run       string
	Clip      string
	Transport string // its label
	Mode      string
	Profile   string
	RateMbps  float64 // of the link, media direction; NaN = unlimited
	Seed      uint64
	Deadline  Deadline

	Frames, OK, Damaged, Frozen, Late, Expired, Missing int

	MSEY, PSNRY, PSNRYTotal, SSIMY float64 // means over all reference frames; Total is the PSNR of the mean MSE
	Identical                      int     // frames equal to the reference in every sample

	Complete, OnTime    float64        // shares of the access units: all packets arrived, all of them before it was due
	DelayP50, DelayP95  float64        // ms from capture to complete arrival, over complete frames
	StartupMS           float64        // ms from the sender's first frame to the first complete key frame
	Freezes             int            // runs of frames that show an older picture
	FrozenMS, LongestMS float64        // their total and longest time
	GoodputMbps         float64        // RTP bytes delivered per second of media
	GoodputCV           float64        // coefficient of variation of 1-s goodput
	Stalls              int            // seconds with less than a tenth of the media rate
	Booking             stream.Booking // where its RTP packets went
	WirePackets         int64          // packets that entered the link, media direction
	WireBytes           int64          //
	BackPackets         int64          // packets that entered the link on the way back
	BackBytes           int64          //
	RetransmittedBytes  int64          // stream data that QUIC sent again
	WastedBytes         int64          // RTP bytes that arrived and were of no use: late, or of frames that were not shown
}

// column is one column of summary.csv.
type column struct {
	name  string
	text  func(Row) string
	words bool // not a number
}

// columns lists summary.csv's columns. Their order is part of the format.
func columns() []column {
	num := func(name string, f func(Row) float64) column {
		return column{name, func(r Row) string { return number(f(r)) }, false}
	}
	count := func(name string, f func(Row) int64) column {
		return column{name, func(r Row) string { return strconv.FormatInt(f(r), 10) }, false}
	}
	return []column{
		{"transport", func(r Row) string { return r.Transport }, true},
		{"mode", func(r Row) string { return r.Mode }, true},
		{"profile", func(r Row) string { return r.Profile }, true},
		num("rate_mbps", func(r Row) float64 { return r.RateMbps }),
		{"seed", func(r Row) string { return strconv.FormatUint(r.Seed, 10) }, false},
		{"deadline_ms", func(r Row) string { return r.deadlineMS() }, false},
		count("frames", func(r Row) int64 { return int64(r.Frames) }),
		count("ok", func(r Row) int64 { return int64(r.OK) }),
		count("damaged", func(r Row) int64 { return int64(r.Damaged) }),
		count("frozen", func(r Row) int64 { return int64(r.Frozen) }),
		count("late", func(r Row) int64 { return int64(r.Late) }),
		count("expired", func(r Row) int64 { return int64(r.Expired) }),
		count("missing", func(r Row) int64 { return int64(r.Missing) }),
		num("mse_y_mean", func(r Row) float64 { return r.MSEY }),
		num("psnr_y_mean", func(r Row) float64 { return r.PSNRY }),
		num("psnr_y_total", func(r Row) float64 { return r.PSNRYTotal }),
		num("ssim_y_mean", func(r Row) float64 { return r.SSIMY }),
		num("delay_ms_p50", func(r Row) float64 { return r.DelayP50 }),
		num("delay_ms_p95", func(r Row) float64 { return r.DelayP95 }),
		num("goodput_mbps", func(r Row) float64 { return r.GoodputMbps }),
		count("packets_sent", func(r Row) int64 { return int64(r.Booking.Sent) }),
		count("packets_lost", func(r Row) int64 { return int64(r.Booking.Lost() + r.Booking.Unsent) }),
		{"clip", func(r Row) string { return r.Clip }, true},
		{"run", func(r Row) string { return r.Run }, true},
		count("identical", func(r Row) int64 { return int64(r.Identical) }),
		num("startup_ms", func(r Row) float64 { return r.StartupMS }),
		count("freezes", func(r Row) int64 { return int64(r.Freezes) }),
		num("frozen_ms", func(r Row) float64 { return r.FrozenMS }),
		num("longest_freeze_ms", func(r Row) float64 { return r.LongestMS }),
		num("goodput_cv", func(r Row) float64 { return r.GoodputCV }),
		count("stalled_s", func(r Row) int64 { return int64(r.Stalls) }),
		count("wire_packets", func(r Row) int64 { return r.WirePackets }),
		count("wire_bytes", func(r Row) int64 { return r.WireBytes }),
		count("back_packets", func(r Row) int64 { return r.BackPackets }),
		count("retransmitted_bytes", func(r Row) int64 { return r.RetransmittedBytes }),
		count("wasted_bytes", func(r Row) int64 { return r.WastedBytes }),
		count("back_bytes", func(r Row) int64 { return r.BackBytes }),
		num("complete", func(r Row) float64 { return r.Complete }),
		num("on_time", func(r Row) float64 { return r.OnTime }),
		count("packets_received", func(r Row) int64 { return int64(r.Booking.Received) }),
		count("packets_unsent", func(r Row) int64 { return int64(r.Booking.Unsent) }),
		count("lost_queue", func(r Row) int64 { return int64(r.Booking.LostQueue) }),
		count("lost_random", func(r Row) int64 { return int64(r.Booking.LostRandom) }),
		count("lost_mtu", func(r Row) int64 { return int64(r.Booking.LostMTU) }),
		count("lost_kernel", func(r Row) int64 { return int64(r.Booking.LostKernel) }),
		count("lost_quic_queue", func(r Row) int64 { return int64(r.Booking.LostQUICQueue) }),
		count("lost_transport", func(r Row) int64 { return int64(r.Booking.LostTransport) }),
	}
}

func (r Row) deadlineMS() string {
	if r.Deadline == 0 {
		return ""
	}
	return number(ms(time.Duration(r.Deadline)))
}

// number writes the shortest form that reads back the same, nothing for NaN.
func number(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// WriteRows writes summary.csv.
func WriteRows(w io.Writer, rows []Row) error {
	out := csv.NewWriter(w)
	cols := columns()
	record := make([]string, len(cols))
	for i, c := range cols {
		record[i] = c.name
	}
	out.Write(record)
	for _, r := range rows {
		for i, c := range cols {
			record[i] = c.text(r)
		}
		out.Write(record)
	}
	out.Flush()
	if err := out.Error(); err != nil {
		return fmt.Errorf("summary: %w", err)
	}
	return nil
}

// MarshalJSON writes the columns of summary.csv under their names: numbers that
// do not exist are null.
func (r Row) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, c := range columns() {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(strconv.AppendQuote(b, c.name), ':')
		switch text := c.text(r); {
		case c.words:
			quoted, err := json.Marshal(text)
			if err != nil {
				return nil, err
			}
			b = append(b, quoted...)
		case text == "":
			b = append(b, "null"...)
		default:
			b = append(b, text...)
		}
	}
	return append(b, '}'), nil
}
