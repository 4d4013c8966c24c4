package capture

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// written is a capture of n packets, one every 40 ms and 7 ns.
func written(t testing.TB, n int, o WriterOptions) ([]byte, []Record) {
	t.Helper()
	var buf bytes.Buffer
	w, err := NewWriter(&buf, o)
	if err != nil {
		t.Fatal(err)
	}
	var recs []Record
	for i := range n {
		r := Record{At: start().Add(time.Duration(i) * 40_000_007), Packet: rtpPacket(7, uint16(i), uint32(3600*i)), Src: endpoint(o.Src), Dst: endpoint(o.Dst)}
		r.Packet = append(r.Packet, make([]byte, i%5)...) // odd and even sizes
		if err := w.Write(r.At, r.Packet); err != nil {
			t.Fatal(err)
		}
		recs = append(recs, r)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes(), recs
}

func TestWriteRead(t *testing.T) {
	tests := []struct {
		name string
		o    WriterOptions
	}{
		{"defaults", WriterOptions{App: "vqeval 1.0", Comment: "udp, seed 1"}},
		{"ipv4", WriterOptions{Src: addr("10.0.0.1:1234"), Dst: addr("10.0.0.2:4242")}},
		{"ipv6", WriterOptions{Src: addr("[2001:db8::1]:1234"), Dst: addr("[2001:db8::2]:4242")}},
		{"mapped", WriterOptions{Src: addr("[::ffff:10.0.0.1]:1234"), Dst: addr("10.0.0.2:4242")}},
		{"zone", WriterOptions{Src: addr("[fe80::1%eth0]:1234"), Dst: addr("[fe80::2%eth0]:4242")}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			file, want := written(t, 100, tt.o)
			got, _, err := readAll(file)
			if err != io.EOF || len(got) != len(want) {
				t.Fatalf("got %d records, %v; want %d", len(got), err, len(want))
			}
			for i := range want {
				checkRecord(t, got[i], want[i])
			}
			r, err := Open(bytes.NewReader(file))
			if err != nil {
				t.Fatal(err)
			}
			if app, comment := r.Made(); app != tt.o.App || comment != tt.o.Comment {
				t.Errorf("made by %q, %q; want %q, %q", app, comment, tt.o.App, tt.o.Comment)
			}
		})
	}
}

func TestWriterErrors(t *testing.T) {
	if _, err := NewWriter(io.Discard, WriterOptions{Dst: addr("[::1]:5004")}); err == nil {
		t.Error("two address families: no error")
	}
	w, err := NewWriter(io.Discard, WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(start(), make([]byte, 65508)); err == nil { // 65535 - 20 - 8 = 65507
		t.Error("65508 bytes: no error")
	}
	if err := w.Write(start(), make([]byte, 65507)); err != nil {
		t.Errorf("65507 bytes: %v", err)
	}
	w, err = NewWriter(&limited{left: 300}, WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for range 10 {
		err = errors.Join(err, w.Write(start(), make([]byte, 100)))
	}
	if err := errors.Join(err, w.Close()); !errors.Is(err, errDisk) {
		t.Errorf("full disk: got %v, want %v", err, errDisk)
	}
}

type limited struct{ left int }

func (l *limited) Write(p []byte) (int, error) {
	if l.left -= len(p); l.left < 0 {
		return 0, errDisk
	}
	return len(p), nil
}

// Cut anywhere, a capture gives all packets that are whole, and says so.
func TestTruncated(t *testing.T) {
	file, want := written(t, 5, WriterOptions{App: "vqeval"})
	opened := 0
	for size := range len(file) {
		r, err := Open(bytes.NewReader(file[:size]))
		if err != nil {
			continue // inside the header
		}
		opened++
		n := 0
		for {
			rec, err := r.Next()
			if err == nil {
				checkRecord(t, rec, want[n])
				n++
				continue
			}
			if err != io.EOF && !errors.Is(err, ErrTruncated) {
				t.Fatalf("cut at %d: %v", size, err)
			}
			break
		}
		if n == len(want) {
			t.Errorf("cut at %d of %d: %d packets", size, len(file), n)
		}
	}
	if opened < 5*50 {
		t.Errorf("only %d of %d lengths could be opened", opened, len(file))
	}
}

// What a killed process leaves: never more than a second is missing, and the
// file ends behind a whole packet.
func TestFlush(t *testing.T) {
	var buf bytes.Buffer
	w, err := NewWriter(&buf, WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	packet := make([]byte, 1199)
	for i := range 3000 {
		at := start().Add(time.Duration(i) * 5 * time.Millisecond)
		if err := w.Write(at, packet); err != nil {
			t.Fatal(err)
		}
		if i%100 != 0 {
			continue
		}
		recs, _, err := readAll(buf.Bytes())
		if err != io.EOF {
			t.Fatalf("after packet %d: %v", i, err)
		}
		if missing := i + 1 - len(recs); missing > 201 {
			t.Fatalf("after packet %d: %d missing, want at most a second of 200", i, missing)
		}
	}
}

// TestTshark asks another reader: tshark -r FILE -d udp.port==5004,rtp
// -o udp.check_checksum:TRUE -o ip.check_checksum:TRUE -T fields -e ….
func TestTshark(t *testing.T) {
	tshark, err := exec.LookPath("tshark")
	if err != nil {
		t.Skip("tshark is not installed")
	}
	for _, o := range []WriterOptions{{}, {Src: addr("[2001:db8::1]:5004"), Dst: addr("[2001:db8::2]:5004")}} {
		file, recs := written(t, 20, o)
		name := filepath.Join(t.TempDir(), "x.pcapng")
		if err := os.WriteFile(name, file, 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(tshark, "-r", name, "-d", "udp.port==5004,rtp", "-o", "udp.check_checksum:TRUE", "-o", "ip.check_checksum:TRUE",
			"-Y", "rtp && udp.checksum.status==1 && (ipv6 || ip.checksum.status==1)", "-T", "fields", "-e", "rtp.seq").Output()
		if err != nil {
			t.Fatal(err)
		}
		if got := len(strings.Fields(string(out))); got != len(recs) {
			t.Errorf("tshark sees %d RTP packets with good checksums, want %d", got, len(recs))
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	w, err := NewWriter(io.Discard, WriterOptions{})
	if err != nil {
		b.Fatal(err)
	}
	packet := make([]byte, 1199)
	b.SetBytes(int64(len(packet)))
	b.ReportAllocs()
	for b.Loop() {
		if err := w.Write(start(), packet); err != nil {
			b.Fatal(err)
		}
	}
}
