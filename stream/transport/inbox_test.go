package transport

import "testing"

// TestInboxFull: a datagram for which there is no room is dropped and counted;
// a packet of a stream waits, until nobody will ever take it.
func TestInboxFull(t *testing.T) {
	e := &Engine{inbox: make(chan arrival, 1), tokens: make(chan struct{}, 1), halt: make(chan struct{})}
	for range 3 {
		e.putDatagram([]byte{0x80})
	}
	if st := e.count.snapshot(nil); st.PacketsReceived != 1 || st.InboxDrops != 2 {
		t.Errorf("statistics %+v", st)
	}
	put := make(chan bool)
	go func() { put <- e.putStream([]byte{0x80}, 2) }()
	if a := <-e.inbox; a.carrier != CarrierDatagram {
		t.Errorf("carrier %d", a.carrier)
	}
	if !<-put {
		t.Error("the packet of a stream did not enter")
	}
	go func() { put <- e.putStream([]byte{0x80}, 2) }()
	close(e.halt)
	if <-put {
		t.Error("a packet entered after the halt")
	}
}
