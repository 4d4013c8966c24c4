package link

import (
	"net/netip"
	"time"
)

// The part of a Relay that is the same on every system. Its methods are called
// with r.mu held; they read no clock.

// client returns the client at addr, a new one if need be, whose outlet open
// makes; nil if there is no room for it.
func (r *Relay) client(addr netip.AddrPort, now time.Time, open func(*client) (outlet, error)) *client {
	if c := r.clients[addr]; c != nil {
		c.last = now
		return c
	}
	if r.over || len(r.clients) >= maxClients {
		r.stats.Turned++
		return nil
	}
	c := &client{last: now}
	out, err := open(c)
	if err != nil {
		r.stats.Turned++
		return nil
	}
	c.outlet = out
	r.clients[addr] = c
	r.stats.ClientsSeen++
	return c
}

// arrive puts a packet on the link and keeps data, which must not change.
func (r *Relay) arrive(at time.Time, up bool, c *client, data []byte) {
	path := r.down
	if up {
		path = r.up
	}
	c.last = at
	e := path.send(at, len(data))
	e.Up, e.Data = up, data
	r.watch.see(e)
	if e.Verdict == Delivered {
		r.launch(e.Deliver, parcel{up, c, data})
	}
	if !e.Duplicate.IsZero() {
		r.launch(e.Duplicate, parcel{up, c, data})
	}
}

func (r *Relay) launch(at time.Time, p parcel) {
	if r.held+len(p.data) > maxHeld {
		r.sent(p.up).Errors++
		return
	}
	r.flight.push(at, p)
	r.held += len(p.data)
	p.client.inFlight++
	r.sent(p.up).InFlight++
}

func (r *Relay) sent(up bool) *Forwarded {
	if up {
		return &r.stats.UpSent
	}
	return &r.stats.DownSent
}

// depart sends the earliest packet if it is due by now, and reports whether
// there was one.
func (r *Relay) depart(now time.Time) bool {
	p, at, ok := r.flight.pop(now)
	if !ok {
		return false
	}
	r.held -= len(p.data)
	p.client.inFlight--
	p.client.last = now
	r.late.add(now.Sub(at))
	send := p.client.outlet.forward
	if p.up {
		send = p.client.outlet.back
	}
	s := r.sent(p.up)
	s.InFlight--
	if send(p.data) != nil {
		s.Errors++
	} else {
		s.Packets++
	}
	return true
}

// sweep forgets the clients that have been silent for the idle time, four
// times in that time, and returns when it wants to be called again.
func (r *Relay) sweep(now time.Time) (next time.Time) {
	if now.Before(r.nextSweep) {
		return r.nextSweep
	}
	r.nextSweep = now.Add(max(r.idle/4, time.Millisecond))
	for addr, c := range r.clients {
		if c.inFlight == 0 && now.Sub(c.last) >= r.idle {
			r.forget(addr, c)
		}
	}
	return r.nextSweep
}

// disband forgets all clients at the end of Run and takes no more; their number
// stays in Stats.
func (r *Relay) disband() {
	r.over = true
	r.stats.Clients = len(r.clients)
	for addr, c := range r.clients {
		r.forget(addr, c)
	}
}

func (r *Relay) forget(addr netip.AddrPort, c *client) {
	delete(r.clients, addr)
	r.stats.KernelDrops += c.outlet.close()
}
