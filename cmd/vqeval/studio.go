package main

import (
	"errors"
	"runtime"
	"sync"
)

// A studio draws several pictures at a time, one a processor: each needs much
// memory.
type studio struct {
	seats chan struct{}
	work  sync.WaitGroup
	mu    sync.Mutex
	errs  []error
}

func newStudio() *studio { return &studio{seats: make(chan struct{}, runtime.GOMAXPROCS(0))} }

// do carries draw out beside others, as soon as there is a seat.
func (s *studio) do(draw func() error) {
	s.seats <- struct{}{}
	s.work.Go(func() {
		defer func() { <-s.seats }()
		if err := draw(); err != nil {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.errs = append(s.errs, err)
		}
	})
}

// wait returns when all is drawn, with what failed.
func (s *studio) wait() error {
	s.work.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	return errors.Join(s.errs...)
}
