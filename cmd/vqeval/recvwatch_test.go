package main

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestWatch: each silence after a packet is told once, the time before the
// first packet never.
func TestWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var told []time.Duration
		start := time.Now()
		w := newWatch(func(time.Duration) { told = append(told, time.Since(start)) })
		time.Sleep(time.Minute)
		for range 20 {
			w.packet()
			time.Sleep(time.Second)
		}
		time.Sleep(time.Minute)
		w.packet()
		time.Sleep(2 * time.Second)
		w.end()
		if want := 60*time.Second + 19*time.Second + silentAfter; len(told) != 1 || told[0] != want {
			t.Errorf("told at %v, want once, at %v", told, want)
		}
	})
}
