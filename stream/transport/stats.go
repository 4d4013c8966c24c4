package transport

import "time"

// Stats counts what one end of a transport did. Packets and bytes without
// another word are whole RTP packets, without the transport's own framing.
type Stats struct {
	Mode            Mode  `json:"mode"`
	UnitsSent       int64 `json:"units_sent"`       // units whose packets were all handed over
	PacketsSent     int64 `json:"packets_sent"`     // handed to the transport, whatever became of them
	BytesSent       int64 `json:"bytes_sent"`       //
	PacketsReceived int64 `json:"packets_received"` // arrived whole and well formed
	BytesReceived   int64 `json:"bytes_received"`   //
	Refused         int64 `json:"refused"`          // udp: writes that reported "connection refused" for an earlier packet
	EndMarks        int64 `json:"end_marks"`        // udp: goodbyes of the stream that were received

	// Losses inside this end, each at its own place.
	KernelDrops        int64 `json:"kernel_drops"`         // socket's receive buffer was full
	DatagramQueueDrops int64 `json:"datagram_queue_drops"` // QUIC's own receive queue of 128 was full
	InboxDrops         int64 `json:"inbox_drops"`          // nobody called Receive in time for a datagram
	DatagramSendDrops  int64 `json:"datagram_send_drops"`  // QUIC gave up a datagram that fitted no packet

	// Bad input.
	Malformed   int64 `json:"malformed"`    // RTP headers that contradict their packet, bad lengths
	UnknownFlow int64 `json:"unknown_flow"` // datagrams and streams of other RoQ flows
	Truncated   int64 `json:"truncated"`    // streams that ended inside a packet
	Resets      int64 `json:"resets"`       // streams that the far end reset

	QUIC QUICStats `json:"quic,omitzero"`
}

// QUICStats is what QUIC says about one connection, as seen from this end.
// Bytes are UDP payload, both streams and datagrams, retransmissions included.
type QUICStats struct {
	PacketsSent      int64 `json:"packets_sent"`
	PacketsReceived  int64 `json:"packets_received"`
	PacketsDiscarded int64 `json:"packets_discarded"` // arrived and not used: duplicates, and what came over a round trip late
	PacketsOverflow  int64 `json:"packets_overflow"`  // arrived and dropped: QUIC's queue of 256 of them was full
	PacketsLost      int64 `json:"packets_lost"`      // declared lost and not found since
	BytesSent        int64 `json:"bytes_sent"`
	BytesReceived    int64 `json:"bytes_received"`
	BytesLost        int64 `json:"bytes_lost"`

	StreamBytes        int64 `json:"stream_bytes"`        // stream data sent, repeats included
	RetransmittedBytes int64 `json:"retransmitted_bytes"` // stream data sent again
	Datagrams          int64 `json:"datagrams"`           // DATAGRAM frames sent

	MinRTT      float64 `json:"min_rtt_ms"`
	LatestRTT   float64 `json:"latest_rtt_ms"`
	SmoothedRTT float64 `json:"smoothed_rtt_ms"`
	RTTVar      float64 `json:"rtt_var_ms"`
	Window      int64   `json:"congestion_window_bytes"`
}

// StatsOf returns the statistics of a Sender or Receiver, the zero value if it
// keeps none. It may be called at any time, also after Close.
func StatsOf(end any) Stats {
	if s, ok := end.(interface{ Stats() Stats }); ok {
		return s.Stats()
	}
	return Stats{}
}

// MaxPacket returns the size in bytes of the largest RTP packet that s can
// carry, 0 if it does not say.
func MaxPacket(s Sender) int {
	if m, ok := s.(interface{ MaxPacket() int }); ok {
		return m.MaxPacket()
	}
	return 0
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
