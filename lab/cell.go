package lab

import ()

// A Cell is what all seeds of one transport over one link came to, at one
// deadline.
type Cell struct {
	Clip      string              `json:"clip"`
	Transport string              `json:"transport"`
	Mode      string              `json:"mode"`
	Profile   string              `json:"profile"`
	RateMbps  float64             `json:"rate_mbps"` // 0 = unlimited
	Deadline  Deadline            `json:"deadline"`
	Seeds     int                 `json:"seeds"`
	Values    map[string]Interval `json:"values"` // by the column names of summary.csv
}

// measure is a number of a Row that is summarised over seeds.
type measure struct {
	name  string
	value func(Row) float64
}

func measures() []measure {
	share := func(f func(Row) int) func(Row) float64 { return func(r Row) float64 { return float64(f(r)) } }
	return []measure{
		{"ok", share(func(r Row) int { return r.OK })},
		{"damaged", share(func(r Row) int { return r.Damaged })},
		{"frozen", share(func(r Row) int { return r.Frozen })},
		{"late", share(func(r Row) int { return r.Late })},
		{"expired", share(func(r Row) int { return r.Expired })},
		{"missing", share(func(r Row) int { return r.Missing })},
		{"mse_y_mean", func(r Row) float64 { return r.MSEY }},
		{"psnr_y_mean", func(r Row) float64 { return r.PSNRY }},
		{"psnr_y_total", func(r Row) float64 { return r.PSNRYTotal }},
		{"ssim_y_mean", func(r Row) float64 { return r.SSIMY }},
		{"delay_ms_p50", func(r Row) float64 { return r.DelayP50 }},
		{"delay_ms_p95", func(r Row) float64 { return r.DelayP95 }},
		{"goodput_mbps", func(r Row) float64 { return r.GoodputMbps }},
		{"goodput_cv", func(r Row) float64 { return r.GoodputCV }},
		{"packets_sent", func(r Row) float64 { return float64(r.Booking.Sent) }},
		{"packets_lost", func(r Row) float64 { return float64(r.Booking.Lost() + r.Booking.Unsent) }},
		{"startup_ms", func(r Row) float64 { return r.StartupMS }},
		{"freezes", share(func(r Row) int { return r.Freezes })},
		{"frozen_ms", func(r Row) float64 { return r.FrozenMS }},
		{"longest_freeze_ms", func(r Row) float64 { return r.LongestMS }},
		{"stalled_s", share(func(r Row) int { return r.Stalls })},
		{"wire_packets", func(r Row) float64 { return float64(r.WirePackets) }},
		{"wire_bytes", func(r Row) float64 { return float64(r.WireBytes) }},
		{"retransmitted_bytes", func(r Row) float64 { return float64(r.RetransmittedBytes) }},
		{"wasted_bytes", func(r Row) float64 { return float64(r.WastedBytes) }},
		{"complete", func(r Row) float64 { return r.Complete }},
		{"on_time", func(r Row) float64 { return r.OnTime }},
		{"back_packets", func(r Row) float64 { return float64(r.BackPackets) }},
		{"back_bytes", func(r Row) float64 { return float64(r.BackBytes) }},
		{"packets_received", share(func(r Row) int { return r.Booking.Received })},
		{"packets_unsent", share(func(r Row) int { return r.Booking.Unsent })},
		{"lost_queue", share(func(r Row) int { return r.Booking.LostQueue })},
		{"lost_random", share(func(r Row) int { return r.Booking.LostRandom })},
		{"lost_mtu", share(func(r Row) int { return r.Booking.LostMTU })},
		{"lost_kernel", share(func(r Row) int { return r.Booking.LostKernel })},
		{"lost_quic_queue", share(func(r Row) int { return r.Booking.LostQUICQueue })},
		{"lost_transport", share(func(r Row) int { return r.Booking.LostTransport })},
	}
}

// cellKey says which rows belong together.
type cellKey struct {
	clip, profile string
	deadline      Deadline
	transport     string
}

func keyOf(r Row) cellKey { return cellKey{r.Clip, r.Profile, r.Deadline, r.Transport} }

// Cells summarises rows over seeds, in the order in which the cells first occur.
func Cells(rows []Row) []Cell {
	groups, order := grouped(rows)
	var cells []Cell
	for _, k := range order {
		g := groups[k]
		c := Cell{Clip: k.clip, Transport: k.transport, Mode: g[0].Mode, Profile: k.profile, RateMbps: zeroIfNone(g[0].RateMbps),
			Deadline: k.deadline, Seeds: len(g), Values: map[string]Interval{}}
		for _, m := range measures() {
			c.Values[m.name] = NewInterval(pick(g, m.value))
		}
		cells = append(cells, c)
	}
	return cells
}

func grouped(rows []Row) (groups map[cellKey][]Row, order []cellKey) {
	groups = map[cellKey][]Row{}
	for _, r := range rows {
		k := keyOf(r)
		if groups[k] == nil {
			order = append(order, k)
		}
		groups[k] = append(groups[k], r)
	}
	return groups, order
}

func pick(rows []Row, f func(Row) float64) []float64 {
	out := make([]float64, len(rows))
	for i, r := range rows {
		out[i] = f(r)
	}
	return out
}

func zeroIfNone(v float64) float64 {
	if v != v {
		return 0
	}
	return v
}
