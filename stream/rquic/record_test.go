package rquic

import (
	"errors"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/vqeval/vqeval/stream/transport"
)

func TestWriteTrace(t *testing.T) {
	var b strings.Builder
	err := WriteTrace(&b, []Sample{{
		At: 100*time.Millisecond + 13, Window: 32.5, Limit: 300, SRTT: 40 * time.Millisecond, RTT: 41 * time.Millisecond, MinRTT: 39 * time.Millisecond,
		Diff: 1.25, E: .8, Loss: .01, InFlight: 1280, Queued: 3, Waiting: 2, WaitingSize: 5000, LostStream: 7, Repeated: 99, Spurious: 1,
	}, {}})
	const want = `at_ms,window_packets,limit_packets,srtt_ms,rtt_ms,min_rtt_ms,diff_packets,e,loss,in_flight_bytes,queued_datagrams,waiting_units,waiting_bytes,lost_stream_bytes,retransmitted_bytes,spurious_datagrams
100.000013,32.500000,300.000000,40.000000,41.000000,39.000000,1.250000,0.800000,0.010000,1280,3,2,5000,7,99,1
0.000000,0.000000,0.000000,0.000000,0.000000,0.000000,0.000000,0.000000,0.000000,0,0,0,0,0,0,0
`
	if err != nil || b.String() != want {
		t.Errorf("%v\ngot\n%s\nwant\n%s", err, b.String(), want)
	}
}

func TestWriteDecisions(t *testing.T) {
	var b strings.Builder
	err := WriteDecisions(&b, []Decision{{
		Index: 3, Timestamp: 9000, FirstSeq: 65530, Reliable: true, Packets: 4, Sent: 4, Acked: 3, Lost: 1, Bytes: 4800,
		Captured: time.Millisecond, Taken: 2 * time.Millisecond, Done: 3 * time.Millisecond,
	}, {Status: StatusCut}})
	const want = `index,rtp_timestamp,first_seq,reliable,status,packets,sent,acked,lost,bytes,captured_ms,taken_ms,done_ms
3,9000,65530,true,sent,4,4,3,1,4800,1.000000,2.000000,3.000000
0,0,0,false,cut,0,0,0,0,0,0.000000,0.000000,0.000000
`
	if err != nil || b.String() != want {
		t.Errorf("%v\ngot\n%s\nwant\n%s", err, b.String(), want)
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestWriteErrors(t *testing.T) {
	if err := WriteTrace(broken{}, nil); err == nil {
		t.Error("trace: no error")
	}
	if err := WriteDecisions(broken{}, nil); err == nil {
		t.Error("decisions: no error")
	}
}

func TestWarning(t *testing.T) {
	for addr, warns := range map[string]bool{
		"127.0.0.1": false, "10.0.0.2": false, "192.168.1.1": false, "::1": false, "fe80::1": false, "169.254.0.1": false,
		"8.8.8.8": true, "2001:db8::1": true,
	} {
		to := &net.UDPAddr{IP: net.ParseIP(addr), Port: 5004}
		if got := Warning(to, Config{}); (got != "") != warns || warns && !strings.Contains(got, addr) {
			t.Errorf("%s: %q", addr, got)
		}
		if got := Warning(to, Config{CC: Reno}) + Warning(to, Config{LossRule: AlwaysLoss}); got != "" {
			t.Errorf("%s: %q", addr, got)
		}
	}
}

func TestFlow(t *testing.T) {
	for flow, want := range map[uint64]uint64{0: 1, 5: 5, transport.FlowZero: 0} {
		if got := (Config{Flow: flow}).flow(); got != want {
			t.Errorf("flow %d: got %d, want %d", flow, got, want)
		}
	}
}
