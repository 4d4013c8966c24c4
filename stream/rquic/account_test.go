package rquic

import (
	"errors"
	"reflect"
	"testing"
	"time"
)

// ended tells units and their end, and gives packets to an account.
func ended(t *testing.T, units []auEnd, packets ...uint16) *account {
	t.Helper()
	var a account
	for _, p := range packets[:len(packets)/2] {
		a.packet(p, now())
	}
	for _, u := range units {
		if err := a.unit(u, now()); err != nil {
			t.Fatal(err)
		}
	}
	for _, p := range packets[len(packets)/2:] {
		a.packet(p, now())
	}
	if err := a.finish(flowEnd{units: uint32(len(units))}, now()); err != nil {
		t.Fatal(err)
	}
	return &a
}

// units have packets 65530..65533, 65534..1, 2..4, 5..6, 7.
func units() []auEnd {
	return []auEnd{
		{index: 0, firstSeq: 65530, packets: 4, sent: 4, reliable: true},
		{index: 1, firstSeq: 65534, packets: 4, sent: 3, status: StatusCut},
		{index: 2, firstSeq: 2, packets: 3, status: StatusExpired},
		{index: 3, firstSeq: 5, packets: 2, status: StatusRandom},
		{index: 4, firstSeq: 7, packets: 1, sent: 1},
	}
}

func TestAccount(t *testing.T) {
	dropped := []Gap{{1, 1, 1, CauseCut}, {2, 2, 3, CauseExpired}, {3, 5, 2, CauseRandom}}
	for _, v := range []struct {
		name    string
		packets []uint16
		wait    time.Duration // after the last packet
		gaps    []Gap
	}{
		{"all", []uint16{65530, 65531, 65532, 65533, 65534, 65535, 0, 7}, ackGrace, dropped},
		{"any order, some twice", []uint16{7, 0, 65535, 7, 7, 65534, 65530, 65533, 65531, 65533, 65532, 65530}, ackGrace, dropped},
		{"datagrams lost", []uint16{65530, 65531, 65532, 65533, 65534, 0}, 3*time.Second + lateGrace,
			[]Gap{{1, 65535, 1, CauseNetwork}, dropped[0], dropped[1], dropped[2], {4, 7, 1, CauseNetwork}}},
		{"reliable ones missing", []uint16{65530, 65533, 65534, 65535, 0, 7}, repairGrace,
			append([]Gap{{0, 65531, 2, CauseReset}}, dropped...)},
	} {
		a := ended(t, units(), v.packets...)
		if got := a.due(time.Time{}, time.Second).Sub(now()); got != v.wait {
			t.Errorf("%s: ends after %v, want %v", v.name, got, v.wait)
		}
		if got := a.due(now().Add(time.Minute), time.Second).Sub(now()); v.wait > ackGrace && got != v.wait+time.Minute {
			t.Errorf("%s: ends after %v although nobody waited for a minute", v.name, got)
		}
		if got := a.gaps(); !reflect.DeepEqual(got, v.gaps) {
			t.Errorf("%s: gaps\ngot  %+v\nwant %+v", v.name, got, v.gaps)
		}
	}
}

func TestReports(t *testing.T) {
	a := ended(t, units(), 65530, 65531, 65532, 65533, 65534, 65534)
	a.losses([]seqRange{{65535, 2}, {65532, 9}}, now())
	a.losses([]seqRange{{300, 2}}, now())
	want := []Report{
		{Index: 0, FirstSeq: 65530, Reliable: true, Packets: 4, Sent: 4, Received: 4, Lost: 2},
		{Index: 1, FirstSeq: 65534, Status: StatusCut, Packets: 4, Sent: 3, Received: 1, Lost: 6},
		{Index: 2, FirstSeq: 2, Status: StatusExpired, Packets: 3, Lost: 3},
		{Index: 3, FirstSeq: 5, Status: StatusRandom, Packets: 2},
		{Index: 4, FirstSeq: 7, Packets: 1, Sent: 1},
	}
	if got := a.reports(); !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%+v, want\n%+v", got, want)
	}
	if len(a.have) != 1 {
		t.Errorf("%d packets kept of units that are not complete, want 1", len(a.have))
	}
}

func TestUnknownCause(t *testing.T) {
	var a account
	if err := a.unit(auEnd{packets: 2, sent: 2, reliable: true}, now()); err != nil {
		t.Fatal(err)
	}
	if got := a.gaps(); len(got) != 1 || got[0] != (Gap{0, 0, 2, CauseUnknown}) {
		t.Errorf("got %+v", got)
	}
}

func TestAccountRefuses(t *testing.T) {
	for name, bad := range map[string]func(a *account) error{
		"index left out":  func(a *account) error { return a.unit(auEnd{index: 2, firstSeq: 14, packets: 1}, now()) },
		"index again":     func(a *account) error { return a.unit(auEnd{index: 0, firstSeq: 14, packets: 1}, now()) },
		"packets overlap": func(a *account) error { return a.unit(auEnd{index: 1, firstSeq: 13, packets: 1}, now()) },
		"end too early":   func(a *account) error { return a.finish(flowEnd{units: 0}, now()) },
	} {
		var a account
		if err := a.unit(auEnd{firstSeq: 10, packets: 4}, now()); err != nil {
			t.Fatal(err)
		}
		if err := bad(&a); !errors.Is(err, errControl) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
