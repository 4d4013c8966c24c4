package report

import "time"

// Page is everything that the HTML report shows. Sections whose data is absent
// are left out. All times count from the start of the stream.
type Page struct {
	Title    string // "QUIC against UDP at 5 Mbit/s"
	Subtitle string // clip, link and seeds in one line
	Frame    int    // the frame shown first

	// Summary has one row for each transport x profile x deadline.
	Summary []Cell
	// Tables come after the summary: differences between transports, stalls,
	// losses by place, whatever the experiment measured.
	Tables []Table
	// Notes are warnings for the reader, shown beside the summary.
	Notes []string

	// Curves are the scores per frame, one run for each transport (of several
	// seeds, the one whose pictures are embedded). They have the same frames.
	Curves []Curve
	// Frames are the embedded pictures, in any order. When the reader asks for
	// another frame, the nearest of these is shown, and the page says so.
	// PickFrames chooses worthwhile ones.
	Frames []FrameView

	// Packets is what became of every packet, one lane for each transport.
	Packets []Lane
	// Timelines are quantities over time: the link's queue, a sender's window.
	Timelines []TimePanel
	// Latency is quality over the playout deadline, for as many metrics as are
	// known.
	Latency []LatencyChart
	// Sweeps are quantities over what the experiment varied.
	Sweeps []SweepChart

	// Settings is what is needed to make the report again: versions, clip and
	// its hash, link, seeds, dialects; in the order in which it is shown.
	Settings []Field
	// Files can be saved from the page: the scores as CSV, the manifest.
	Files []File
}

// Cell is a row of the summary: pooled scores of luma over all reference
// frames and all seeds of one transport under one profile and deadline.
type Cell struct {
	Transport string
	Profile   string        // of the link; "" = the same for all
	Deadline  time.Duration // playout deadline; 0 = none
	Seeds     int
	Counts    map[string]int // frames by verdict, as metrics.Series.Counts has it, summed over the seeds
	SSIM      Interval
	PSNR      Interval // mean of the frames' dB
	MSE       Interval

	// What follows is left out of the table where it is 0 in every row.
	DelayP50, DelayP95       time.Duration // from capture to complete arrival
	GoodputMbps              float64
	PacketsSent, PacketsLost int64
}

// Interval is a mean and its 95 % interval over the seeds. Low and High are
// equal to Mean, or both 0, where there is none (a single seed). A Mean that is NaN
// was not measured.
type Interval struct{ Mean, Low, High float64 }

// Table is any further table; cells are shown as they are. The first column is
// set to the left, the others to the right.
type Table struct {
	Title string
	Head  []string
	Rows  [][]string
	Note  string // below the table; may be empty
}

// Field is one setting.
type Field struct{ Name, Value string }

// File is data that the reader can save. It is kept compressed in the page.
type File struct {
	Name string // without a folder, such as "udp-seed1.csv"
	Type string // MIME type; "" = text/plain
	Data []byte
}

// Lane is what became of one transport's packets.
type Lane struct {
	Name   string
	Events []PacketEvent // in any order
}

// PacketEvent is the fate of one packet.
type PacketEvent struct {
	At    time.Duration // when it was sent
	Place string        // where it was lost, such as "link queue"; "" = it arrived
}

// LatencyChart is quality over the playout deadline in one metric.
type LatencyChart struct {
	Metric Metric
	Curves []LatencyCurve
}
