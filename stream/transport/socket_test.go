package transport

import (
	"errors"
	"net"
	"runtime"
	"strings"
	"testing"
	"time"
)

const udpTable = `   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops
  422: 0100007F:9C41 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 81234 2 0000000000000000 0
  423: 0100007F:9C42 00000000:0000 07 00000000:00034B00 00:00000000 00000000     0        0 81235 2 0000000000000000 137
  424: 0100007F:9C43 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 81236 2 0000000000000000 x
  425: short
`

func TestParseDrops(t *testing.T) {
	for inode, want := range map[uint64]int64{81234: 0, 81235: 137} {
		if got, err := parseDrops(strings.NewReader(udpTable), inode); got != want || err != nil {
			t.Errorf("inode %d: got %d, %v, want %d", inode, got, err, want)
		}
	}
	if _, err := parseDrops(strings.NewReader(udpTable), 1); !errors.Is(err, ErrNoDropCounter) {
		t.Errorf("unknown inode: %v", err)
	}
	if _, err := parseDrops(strings.NewReader(udpTable), 81236); err == nil {
		t.Error("drops that are no number: no error")
	}
}

// TestKernelDrops floods a socket with a small buffer that nobody reads.
func TestKernelDrops(t *testing.T) {
	conn, size, err := ListenUDP("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if runtime.GOOS == "linux" && size == 0 {
		t.Error("size of the receive buffer unknown")
	}
	before, err := KernelDrops(conn)
	if errors.Is(err, ErrNoDropCounter) {
		t.Skip("this kernel tells no drops")
	}
	if err != nil || before != 0 {
		t.Fatalf("fresh socket: %d drops, %v", before, err)
	}
	if err := conn.SetReadBuffer(4096); err != nil {
		t.Fatal(err)
	}
	from, err := net.Dial("udp", conn.LocalAddr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	for range 200 {
		from.Write(make([]byte, 1000))
	}
	var drops int64
	for range 100 { // the kernel delivers over loopback at once, as a rule
		if drops, err = KernelDrops(conn); err != nil || drops > 0 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if err != nil || drops == 0 || drops > 200 {
		t.Errorf("200 datagrams of 1000 bytes into 4 KiB: %d drops, %v", drops, err)
	}
}

// TestReportRefusals: a sender to a port without a listener learns of it, and
// goes on; the packets after a refusal are not lost to it.
func TestReportRefusals(t *testing.T) {
	gone, _, err := ListenUDP("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	to := gone.LocalAddr()
	gone.Close()
	for _, local := range []*net.UDPAddr{nil, {IP: net.IPv4(127, 0, 0, 1)}} {
		conn, err := net.ListenUDP("udp", local)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if !ReportRefusals(conn) {
			t.Skip("this system does not tell")
		}
		s, err := Dial(t.Context(), conn, to, Config{Mode: UDP})
		if err != nil {
			t.Fatal(err)
		}
		packet := append([]byte{0x80, 96}, make([]byte, 20)...)
		for i := 0; i < 100 && StatsOf(s).Refused == 0; i++ { // loopback answers at once, as a rule
			if err := s.Send(t.Context(), Unit{Packets: [][]byte{packet, packet}}); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Millisecond)
		}
		if StatsOf(s).Refused == 0 {
			t.Errorf("from %v: no refusal was reported", conn.LocalAddr())
		}
	}
}

func TestListenUDPErrors(t *testing.T) {
	conn, _, err := ListenUDP("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	for _, addr := range []string{conn.LocalAddr().String(), "127.0.0.1", "127.0.0.1:99999"} {
		if c, _, err := ListenUDP(addr); err == nil {
			c.Close()
			t.Errorf("%s: no error", addr)
		} else if !strings.Contains(err.Error(), addr) {
			t.Errorf("%s: error does not name it: %v", addr, err)
		}
	}
}
