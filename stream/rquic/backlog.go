package rquic

import (
	"context"
	"encoding/binary"
	"sync"
	"time"

	"github.com/vqeval/vqeval/stream/transport"
)

// A job is one unit on its way, framed for a stream or for datagrams.
type job struct {
	index    int
	reliable bool
	repeat   bool // reliable after all, if the sender keeps up
	captured time.Time
	frame    []byte // of a stream: flow id, then the packets' records; else each packet behind a flow id
	ends     []int  // where each packet's part of frame ends
	sizes    []int  // of the packets, bytes
	seqs     []uint16
	ssrc     uint32
}

// newJob copies u, whose packets are RTP, into the form in which it goes out.
func newJob(u transport.Unit, flow uint64) job {
	n := len(u.Packets)
	j := job{reliable: u.Reliable, repeat: u.Repeat && !u.Reliable, ends: make([]int, 0, n), sizes: make([]int, 0, n), seqs: make([]uint16, 0, n)}
	j.ssrc = binary.BigEndian.Uint32(u.Packets[0][8:])
	size := 8
	for _, p := range u.Packets {
		size += len(p) + 8
	}
	j.frame = make([]byte, 0, size)
	if u.Reliable {
		j.frame = transport.AppendFlow(j.frame, flow)
	}
	for _, p := range u.Packets {
		if u.Reliable {
			j.frame = transport.AppendRecord(j.frame, p)
		} else {
			j.frame = append(transport.AppendFlow(j.frame, flow), p...)
		}
		j.ends = append(j.ends, len(j.frame))
		j.sizes = append(j.sizes, len(p))
		j.seqs = append(j.seqs, binary.BigEndian.Uint16(p[2:]))
	}
	return j
}

// part returns datagram i.
func (j job) part(i int) []byte {
	if i == 0 {
		return j.frame[:j.ends[0]]
	}
	return j.frame[j.ends[i-1]:j.ends[i]]
}

// onStream returns j, framed for datagrams, in the form for a stream.
func (j job) onStream(flow uint64) job {
	head := transport.AppendFlow(nil, flow)
	frame := append(make([]byte, 0, len(j.frame)+8+2*len(j.ends)), head...)
	ends := make([]int, len(j.ends))
	for i := range j.ends {
		frame = transport.AppendRecord(frame, j.part(i)[len(head):])
		ends[i] = len(frame)
	}
	j.frame, j.ends, j.reliable = frame, ends, true
	return j
}

// whole says how many packets lie whole within the first n bytes of frame.
func (j job) whole(n int) (packets int) {
	for packets < len(j.ends) && j.ends[packets] <= n {
		packets++
	}
	return packets
}

// bytes returns the size of the first n packets.
func (j job) bytes(n int) (sum int64) {
	for _, size := range j.sizes[:n] {
		sum += int64(size)
	}
	return sum
}

// A backlog is the queue between Send and the scheduler. When limit bytes wait
// in it, Send blocks; nothing is dropped here. A unit larger than the limit
// passes when it is alone.
type backlog struct {
	limit int
	ready chan struct{} // cap 1: there is a job, or there will be no more
	room  chan struct{} // cap 1: a job was taken

	mu    sync.Mutex
	jobs  []job
	bytes int
	ended bool
}

func newBacklog(limit int) *backlog {
	return &backlog{limit: limit, ready: make(chan struct{}, 1), room: make(chan struct{}, 1)}
}

// wait returns when n bytes have room, when ctx ends with its error, or when stop closes.
func (b *backlog) wait(ctx context.Context, n int, stop <-chan struct{}) error {
	for {
		b.mu.Lock()
		fits := b.bytes == 0 || b.bytes+n <= b.limit
		b.mu.Unlock()
		if fits {
			return nil
		}
		select {
		case <-b.room:
		case <-stop:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// push appends j. Only one goroutine may push, after it has waited.
func (b *backlog) push(j job) {
	b.mu.Lock()
	b.jobs = append(b.jobs, j)
	b.bytes += len(j.frame)
	b.mu.Unlock()
	signal(b.ready)
}

// end says that nothing will be pushed any more.
func (b *backlog) end() {
	b.mu.Lock()
	b.ended = true
	b.mu.Unlock()
	signal(b.ready)
}

// pop waits for the next job; ok is false at the end and when stop closes.
func (b *backlog) pop(stop <-chan struct{}) (j job, ok bool) {
	for {
		b.mu.Lock()
		if len(b.jobs) > 0 {
			j, b.jobs = b.jobs[0], b.jobs[1:]
			b.bytes -= len(j.frame)
			b.mu.Unlock()
			signal(b.room)
			return j, true
		}
		ended := b.ended
		b.mu.Unlock()
		if ended {
			return job{}, false
		}
		select {
		case <-b.ready:
		case <-stop:
			return job{}, false
		}
	}
}

// size returns how many units and bytes wait.
func (b *backlog) size() (units, bytes int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.jobs), b.bytes
}
