package link

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestSchedule(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s schedule[int]
		t0 := time.Unix(0, 0)
		times := rapid.SliceOfN(rapid.IntRange(0, 20), 0, 100).Draw(t, "times")
		for i, at := range times {
			s.push(t0.Add(time.Duration(at)), i)
		}
		order := make([]int, len(times))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int { return times[a] - times[b] })
		for _, want := range order {
			if _, _, early := s.pop(s.next().Add(-1)); early {
				t.Fatal("popped before its time")
			}
			if got, at, ok := s.pop(s.next()); !ok || got != want || at.Sub(t0) != time.Duration(times[want]) {
				t.Fatalf("got %d at %v, want %d", got, at, want)
			}
		}
		if _, _, ok := s.pop(t0.Add(time.Hour)); ok || !s.next().IsZero() || s.len() != 0 {
			t.Error("the schedule is not empty")
		}
	})
}
