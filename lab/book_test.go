package lab

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/vqeval/vqeval/stream"
	"github.com/vqeval/vqeval/stream/transport"
)

// What a host drops is booked where it was dropped, but no more than is missing:
// QUIC sends again.
func TestBookHostLosses(t *testing.T) {
	e := narrow(t, "udp", "quic", "quic-dgram")
	r := mustRun(t, e, Options{})
	for _, v := range []struct {
		run                      string
		kernel, overflow, packet int64 // dropped by the kernel, by QUIC on arrival, of its datagrams
		want                     func(missing int) stream.Booking
	}{
		{"udp-seed1", 1e6, 0, 0, func(m int) stream.Booking { return stream.Booking{LostKernel: m} }},
		{"udp-seed1", 2, 0, 0, func(m int) stream.Booking { return stream.Booking{LostKernel: 2, LostTransport: m - 2} }},
		{"quic-seed1", 7, 5, 0, func(int) stream.Booking { return stream.Booking{} }},
		{"quic-dgram-seed1", 0, 0, 0, func(m int) stream.Booking { return stream.Booking{LostTransport: m} }},
		{"quic-dgram-seed1", 2, 1, 1, func(m int) stream.Booking {
			return stream.Booking{LostQUICQueue: 2, LostKernel: 2, LostTransport: m - 4}
		}},
		{"quic-dgram-seed1", 1e6, 1e6, 1, func(m int) stream.Booking { return stream.Booking{LostQUICQueue: m} }},
	} {
		dir := filepath.Join(t.TempDir(), v.run)
		if err := os.CopyFS(dir, os.DirFS(r.Path("runs", v.run))); err != nil {
			t.Fatal(err)
		}
		o := outcomes(t, r)[v.run]
		o.Receiver.KernelDrops, o.Receiver.QUIC.PacketsOverflow, o.Receiver.DatagramQueueDrops = v.kernel, v.overflow, v.packet
		work := &run{spec: Spec{Transport: Transport{Mode: o.Spec.Transport.Mode}}, packets: o.Booking.Sent, files: &recording{dir: dir}}
		got, err := work.book(o)
		want := v.want(o.Booking.Sent - o.Booking.Unsent - o.Booking.Received)
		want.Sent, want.Unsent, want.Received = o.Booking.Sent, o.Booking.Unsent, o.Booking.Received
		if err != nil || got != want || o.Spec.Transport.Mode == string(transport.QUICDatagram) && got.Sent == got.Received {
			t.Errorf("%s: %+v, %v; want %+v", v.run, got, err, want)
		}
	}
}
