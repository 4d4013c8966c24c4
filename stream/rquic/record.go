package rquic

import (
	"encoding/csv"
	"io"
	"strconv"
	"time"
)

// A Decision is what a Sender did with one access unit. Times count from the
// end of the handshake.
type Decision struct {
	Index     int           `json:"index"` // order of sending, from 0
	Timestamp uint32        `json:"rtp_timestamp"`
	FirstSeq  uint16        `json:"first_seq"`
	Reliable  bool          `json:"reliable"` // in the end: see Auto
	Status    Status        `json:"status"`
	Packets   int           `json:"packets"`     // made
	Sent      int           `json:"sent"`        // handed to QUIC, the first ones; the others were dropped on purpose or are unsent
	Acked     int           `json:"acked"`       // datagrams that arrived, as far as is known
	Lost      int           `json:"lost"`        // datagrams that QUIC declared lost and did not find since
	Bytes     int           `json:"bytes"`       // of all packets, with RoQ's framing
	Captured  time.Duration `json:"captured_ns"` // its age counts from here
	Taken     time.Duration `json:"taken_ns"`    // its turn came
	Done      time.Duration `json:"done_ns"`     // QUIC had taken its last packet, or it was dropped
}

// A Sample is the state of a Sender at one moment.
type Sample struct {
	At          time.Duration `json:"at_ns"` // from the end of the handshake
	Window      float64       `json:"window_packets"`
	Limit       float64       `json:"limit_packets"` // MaxCwnd; 0 with Reno
	SRTT        time.Duration `json:"srtt_ns"`
	RTT         time.Duration `json:"rtt_ns"`
	MinRTT      time.Duration `json:"min_rtt_ns"`
	Diff        float64       `json:"diff_packets"` // DIFF; 0 with Reno
	E           float64       `json:"e"`            // 0 with Reno
	Loss        float64       `json:"loss"`         // moving average of the loss rate, 0 to 1; 0 with Reno
	InFlight    int           `json:"in_flight_bytes"`
	Queued      int           `json:"queued_datagrams"` // inside QUIC and not in a packet
	Waiting     int           `json:"waiting_units"`
	WaitingSize int           `json:"waiting_bytes"`
	LostStream  int64         `json:"lost_stream_bytes"` // that wait to be sent again
	Repeated    int64         `json:"retransmitted_bytes"`
	Spurious    int64         `json:"spurious_datagrams"` // declared lost, and then acknowledged
}

// WriteTrace writes samples as CSV with a header.
func WriteTrace(w io.Writer, samples []Sample) error {
	out := csv.NewWriter(w)
	out.Write([]string{"at_ms", "window_packets", "limit_packets", "srtt_ms", "rtt_ms", "min_rtt_ms", "diff_packets", "e", "loss",
		"in_flight_bytes", "queued_datagrams", "waiting_units", "waiting_bytes", "lost_stream_bytes", "retransmitted_bytes", "spurious_datagrams"})
	for _, s := range samples {
		out.Write([]string{
			millis(s.At), fixed(s.Window), fixed(s.Limit), millis(s.SRTT), millis(s.RTT), millis(s.MinRTT), fixed(s.Diff), fixed(s.E), fixed(s.Loss),
			strconv.Itoa(s.InFlight), strconv.Itoa(s.Queued), strconv.Itoa(s.Waiting), strconv.Itoa(s.WaitingSize),
			strconv.FormatInt(s.LostStream, 10), strconv.FormatInt(s.Repeated, 10), strconv.FormatInt(s.Spurious, 10),
		})
	}
	out.Flush()
	return out.Error()
}

// WriteDecisions writes decisions as CSV with a header.
func WriteDecisions(w io.Writer, decisions []Decision) error {
	out := csv.NewWriter(w)
	out.Write([]string{"index", "rtp_timestamp", "first_seq", "reliable", "status", "packets", "sent", "acked", "lost", "bytes",
		"captured_ms", "taken_ms", "done_ms"})
	for _, d := range decisions {
		out.Write([]string{
			strconv.Itoa(d.Index), strconv.FormatUint(uint64(d.Timestamp), 10), strconv.Itoa(int(d.FirstSeq)), strconv.FormatBool(d.Reliable),
			d.Status.String(), strconv.Itoa(d.Packets), strconv.Itoa(d.Sent), strconv.Itoa(d.Acked), strconv.Itoa(d.Lost), strconv.Itoa(d.Bytes),
			millis(d.Captured), millis(d.Taken), millis(d.Done),
		})
	}
	out.Flush()
	return out.Error()
}

// millis writes d in milliseconds to the nanosecond.
func millis(d time.Duration) string { return strconv.FormatFloat(ms(d), 'f', 6, 64) }
func fixed(v float64) string        { return strconv.FormatFloat(v, 'f', 6, 64) }
