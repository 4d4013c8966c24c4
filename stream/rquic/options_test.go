package rquic

import (
	"encoding"
	"strings"
	"testing"
)

func TestNames(t *testing.T) {
	type named interface {
		encoding.TextMarshaler
		String() string
	}
	for _, v := range []struct {
		value named
		read  encoding.TextUnmarshaler
		want  string
	}{
		{AdaptiveCubic, new(Congestion), "acubic"}, {Cubic, new(Congestion), "cubic"}, {Reno, new(Congestion), "reno"},
		{FixedE, new(ERule), "fixed"}, {PrintedE, new(ERule), "printed"},
		{AdaptiveLoss, new(LossRule), "adaptive"}, {AlwaysLoss, new(LossRule), "always"},
		{Auto, new(Policy), "auto"}, {NothingKept, new(Policy), "none"}, {KeyFramesKept, new(Policy), "idr"},
		{ReferencesKept, new(Policy), "ref"}, {AllKept, new(Policy), "all"},
		{StatusSent, new(Status), "sent"}, {StatusExpired, new(Status), "expired"}, {StatusRandom, new(Status), "random"},
		{StatusCut, new(Status), "cut"}, {StatusUnsent, new(Status), "unsent"},
		{CauseUnknown, new(Cause), "unknown"}, {CauseNetwork, new(Cause), "network"}, {CauseReset, new(Cause), "reset"},
	} {
		text, err := v.value.MarshalText()
		if err != nil || string(text) != v.want {
			t.Errorf("%v is written %s, %v; want %s", v.value, text, err, v.want)
		}
		if err := v.read.UnmarshalText(text); err != nil || v.read.(named).String() != v.want {
			t.Errorf("%s is read as %v, %v", text, v.read, err)
		}
		if err := v.read.UnmarshalText([]byte("bbr")); err == nil || !strings.Contains(err.Error(), "there are ") || v.read.(named).String() != v.want {
			t.Errorf("bbr: error %v, value %v", err, v.read)
		}
	}
	if got := Policy(77).String(); got != "unknown(77)" {
		t.Errorf("got %s", got)
	}
}

func TestPolicy(t *testing.T) {
	for _, v := range []struct {
		policy                 Policy
		key, reference, others bool
		wire                   byte
	}{
		{NothingKept, false, false, false, 0}, {KeyFramesKept, true, false, false, 1}, {ReferencesKept, true, true, false, 2},
		{AllKept, true, true, true, 3}, {Auto, true, false, false, 1},
	} {
		got := [3]bool{v.policy.Keeps(true, true), v.policy.Keeps(false, true), v.policy.Keeps(false, false)}
		if want := [3]bool{v.key, v.reference, v.others}; got != want || v.policy.wire() != v.wire {
			t.Errorf("%v keeps %v, want %v; on the wire %d, want %d", v.policy, got, want, v.policy.wire(), v.wire)
		}
		if v.policy.Repeats(true) != (v.policy == Auto) || v.policy.Repeats(false) {
			t.Errorf("%v repeats references: %v, others: %v", v.policy, v.policy.Repeats(true), v.policy.Repeats(false))
		}
	}
}
