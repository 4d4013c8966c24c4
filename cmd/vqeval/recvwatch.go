package main

import (
	"sync"
	"time"
)

// silentAfter is how long nothing comes before recv says so.
const silentAfter = 5 * time.Second

// watch says once per silence that nothing comes any more: a QUIC sender that
// was killed is missed only after --gone.
type watch struct {
	say     func(silence time.Duration)
	packets chan struct{} // cap 1
	done    sync.WaitGroup
}

// newWatch begins to watch with the first packet; end must be called.
func newWatch(say func(silence time.Duration)) *watch {
	w := &watch{say: say, packets: make(chan struct{}, 1)}
	w.done.Go(w.run)
	return w
}

// packet notes that one has come. It never blocks.
func (w *watch) packet() {
	select {
	case w.packets <- struct{}{}:
	default: // the one before has not been seen yet
	}
}

func (w *watch) end() {
	close(w.packets)
	w.done.Wait()
}

func (w *watch) run() {
	timer := time.NewTimer(silentAfter)
	timer.Stop()
	defer timer.Stop()
	for {
		select {
		case _, ok := <-w.packets:
			if !ok {
				return
			}
			timer.Reset(silentAfter)
		case <-timer.C:
			w.say(silentAfter)
		}
	}
}
