package rquic

import (
	"testing"
	"time"
)

// TestShortest: only full packets count, and of those only the ones that are
// acknowledged in order.
func TestShortest(t *testing.T) {
	const full = 1280
	type event struct {
		pn, ms int64
		size   float64 // 0: acknowledged
	}
	for _, c := range []struct {
		name   string
		events []event
		want   int64 // ms, 0: none
	}{
		{"nothing acknowledged", []event{{0, 0, full}}, 0},
		{"one", []event{{0, 0, full}, {0, 50, 0}}, 50},
		{"the smaller of two", []event{{0, 0, full}, {1, 10, full}, {0, 50, 0}, {1, 55, 0}}, 45},
		{"a short one is no sample", []event{{0, 0, full}, {1, 10, 80}, {1, 40, 0}, {0, 50, 0}}, 0},
		{"a short one between", []event{{0, 0, full}, {1, 10, 80}, {0, 50, 0}, {1, 41, 0}}, 50},
		{"as full as datagrams are", []event{{0, 0, 1227}, {0, 60, 0}}, 60},
		{"out of order", []event{{0, 0, full}, {1, 10, full}, {1, 70, 0}, {0, 71, 0}}, 60},
		{"lost before", []event{{0, 0, full}, {1, 10, full}, {2, 20, full}, {2, 70, 0}}, 50},
		{"twice", []event{{0, 0, full}, {0, 50, 0}, {0, 10, 0}}, 50},
	} {
		var s shortest
		for _, e := range c.events {
			at := time.Duration(e.ms) * time.Millisecond
			if e.size > 0 {
				s.sent(e.pn, at, e.size, full)
			} else {
				s.acked(e.pn, at)
			}
		}
		if want := time.Duration(c.want) * time.Millisecond; s.min != want {
			t.Errorf("%s: got %v, want %v", c.name, s.min, want)
		}
	}
}
