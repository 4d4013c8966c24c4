package rtph264

import (
	"time"

	"github.com/vqeval/vqeval/stream/h264"
)

// A Unit is an access unit as it came out of the network: the NAL units of all
// packets with one RTP timestamp. Losses of whole access units show only as
// LostBefore and in the timestamps.
type Unit struct {
	// NALUs are what can be given to a decoder, in order. There is none if all
	// of them were broken, or if the policy is WaitIDR and it waits.
	NALUs     [][]byte
	Timestamp int64 // RTP ticks (90 kHz), unwrapped from the first packet on, continuous over restarts and leaps of the clock
	SSRC      uint32
	Epoch     int // restarts of the sender and leaps of its clock before it
	// FirstSeq and LastSeq are extended sequence numbers of the first and the
	// last packet that came; their low 16 bits are those in the packets.
	FirstSeq, LastSeq int64
	Packets           int       // packets that came in time, padding alone left out
	Lost              int       // packets missing that belong to this unit, or likely do (see Depacketizer)
	LostBefore        int       // packets missing before this unit that belong neither to it nor to the one before
	Truncated         int       // NAL units of which the head was kept
	Dropped           int       // NAL units of which something came and nothing was kept
	Bytes             int       // bytes of its RTP packets
	First, Last       time.Time // arrival of the earliest and of the latest packet
	Key               bool      // an IDR picture, whole or not
	Reference         bool      // other pictures may be predicted from it
	Reliable          bool      // the sender marked it so
	HasMark           bool      // its packets carry the header extensions of a Packetizer
	Complete          bool      // every packet came, as far as a receiver can know
}

// AccessUnit returns the unit for a decoder, with Timestamp as PTS and DTS.
func (u Unit) AccessUnit() h264.AccessUnit {
	return h264.AccessUnit{NALUs: u.NALUs, PTS: u.Timestamp, DTS: u.Timestamp}
}

// Stats counts what a Depacketizer met. Every datagram is one of Packets, Malformed
// or Foreign; Malformed also counts payloads of Packets. Those of a source still
// under suspicion are counted once it is judged.
type Stats struct {
	Packets      int   `json:"packets"` // of the stream, duplicates and late ones included
	Bytes        int64 `json:"bytes"`   // of Packets, RTP header included
	Lost         int   `json:"lost"`    // sequence numbers from the first to the last seen that never came
	Duplicates   int   `json:"duplicates"`
	Reordered    int   `json:"reordered"`    // came behind a later one, and in time
	Late         int   `json:"late"`         // came when the gap they belong to was given up; not lost
	Malformed    int   `json:"malformed"`    // datagrams that are no whole RTP packet, and payloads that break RFC 6184
	Unsupported  int   `json:"unsupported"`  // payloads of other packetization modes, and reserved ones
	Foreign      int   `json:"foreign"`      // datagrams of something else: RTCP, STUN, other payload type or source
	PaddingOnly  int   `json:"padding_only"` // packets without payload
	SSRCChanges  int   `json:"ssrc_changes"` // restarts of the sender
	ClockLeaps   int   `json:"clock_leaps"`  // timestamps that leapt while the sender went on
	Truncated    int   `json:"truncated_nalus"`
	DroppedNALUs int   `json:"dropped_nalus"`
	Units        int   `json:"units"`
	DamagedUnits int   `json:"damaged_units"` // units that are not complete
}
