package lab

import "testing"

// The same experiment over sockets and the wall clock. Times are the
// machine's; only the packets are looked at.
func TestRealTime(t *testing.T) {
	if testing.Short() {
		t.Skip("takes the clip's length for each transport")
	}
	t.Parallel()
	e := narrow(t, "udp", "quic")
	e.Clips = []string{shortClip(t, 30)}
	e.Real = true
	r := mustRun(t, e, Options{})
	for name, o := range outcomes(t, r) {
		if err := o.Booking.Check(); err != nil || o.Booking.Sent == 0 || o.Booking.Received == 0 {
			t.Errorf("%s: %+v: %v", name, o.Booking, err)
		}
		if o.Clock != "real" {
			t.Errorf("%s: clock %q", name, o.Clock)
		}
	}
	for _, row := range r.Rows {
		if row.Transport == "quic" && row.OK != row.Frames {
			t.Errorf("quic lost nothing, and %d of %d frames are as sent", row.OK, row.Frames)
		}
	}
}
