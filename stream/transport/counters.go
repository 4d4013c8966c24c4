package transport

import "sync"

// counters is Stats behind a lock.
type counters struct {
	mu sync.Mutex
	s  Stats
}

func (c *counters) update(f func(*Stats)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f(&c.s)
}

func (c *counters) sent(packets int, bytes int64) {
	c.update(func(s *Stats) { s.PacketsSent += int64(packets); s.BytesSent += bytes })
}

func (c *counters) received(packet []byte) {
	c.update(func(s *Stats) { s.PacketsReceived++; s.BytesReceived += int64(len(packet)) })
}

// snapshot returns the counts, with the kernel's if drops is not nil.
func (c *counters) snapshot(drops func() int64) Stats {
	c.mu.Lock()
	s := c.s
	c.mu.Unlock()
	if drops != nil {
		s.KernelDrops = drops()
	}
	return s
}
