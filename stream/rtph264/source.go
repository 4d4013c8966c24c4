package rtph264

import (
	"bytes"
	"slices"
)

// A source follows the sequence numbers of one sender. Numbers are extended to
// 64 bits by taking the value nearest to the highest so far, however far back
// that is: a packet that was sent again may be hundreds behind.
type source struct {
	open     bool // a packet came
	ssrc     uint32
	first    int64  // lowest number of the range that Lost counts
	highest  int64  // highest number so far
	newest   uint32 // RTP timestamp of highest
	distinct int64  // numbers from first to highest that came
	seen     [1 << 16 / 64]uint64
	started  bool  // first is settled and packets are passed on
	next     int64 // the number to be passed on next, once started
	held     []packet
}

// startHold is the number of packets that are awaited before the first is
// passed on: the packets of a stream may come in the wrong order from its
// beginning on. A key frame in a stream of its own comes as late as any other.
const startHold = DefaultWindow

func newSource(p *packet, ext int64) source {
	return source{open: true, ssrc: p.ssrc, first: ext, highest: ext - 1, newest: p.timestamp}
}

// lost returns how many numbers never came.
func (s *source) lost() int {
	if !s.open {
		return 0
	}
	return int(s.highest - s.first + 1 - s.distinct)
}

func (s *source) extend(seq uint16) int64 {
	return s.highest + int64(int16(seq-uint16(s.highest)))
}

// Limits beyond which a packet of the same SSRC is suspected to come from a
// sender that began anew.
const (
	longJump = 3000      // sequence numbers: MAX_DROPOUT of RFC 3550, appendix A.1
	longTime = 300 * 9e4 // ticks
	backTime = -2 * 9e4  // ticks: further back than B pictures reach
	moment   = 9e4 / 2   // ticks in which nobody loses longJump packets: they would be 60 Mbit/s or more
)

// strange reports whether number and timestamp of a packet do not fit what came
// before: a number out of sequence with a timestamp minutes off, far ahead with a
// timestamp that went back or hardly on, known already or from before the first
// with one that went on, or far before the first there was.
func (s *source) strange(p *packet) bool {
	step := s.extend(p.seq) - s.highest
	ticks := int32(p.timestamp - s.newest)
	if step > longJump && ticks < moment {
		return true
	}
	ext := s.highest + step
	if step < -DefaultWindow && ticks > 0 && ticks < longTime && (ext < s.first || s.bit(ext)) {
		return true // not the late one that fills a gap
	}
	if step < 0 && ext < s.first-longJump {
		return true
	}
	return (step <= 0 || step > longJump) && (ticks > longTime || ticks < -longTime)
}

// A fate is what becomes of a packet on arrival.
type fate uint8

const (
	fresh     fate = iota // the highest number so far
	reordered             // behind a higher one, but awaited
	late                  // its gap was given up
	duplicate
)

// note books the arrival of a packet and gives it its extended number.
func (s *source) note(p *packet) fate {
	p.ext = s.extend(p.seq)
	if p.ext <= s.highest && s.bit(p.ext) {
		return duplicate
	}
	how := fresh
	switch {
	case p.ext > s.highest:
		for e := s.highest + 1; e < p.ext; e++ {
			s.clear(e)
		}
		s.highest, s.newest = p.ext, p.timestamp
	case s.started && p.ext < s.next:
		how = late
	default:
		how = reordered
	}
	s.set(p.ext)
	if !s.started {
		s.first = min(s.first, p.ext)
	}
	if p.ext >= s.first {
		s.distinct++
	}
	return how
}

func (s *source) bit(e int64) bool { return s.seen[uint16(e)/64]>>(uint16(e)%64)&1 == 1 }
func (s *source) set(e int64)      { s.seen[uint16(e)/64] |= 1 << (uint16(e) % 64) }
func (s *source) clear(e int64)    { s.seen[uint16(e)/64] &^= 1 << (uint16(e) % 64) }

// hold keeps a copy of a packet until those before it have come.
func (s *source) hold(p *packet) {
	q := *p
	q.payload = bytes.Clone(p.payload)
	at := len(s.held)
	for at > 0 && s.held[at-1].ext > q.ext {
		at--
	}
	s.held = slices.Insert(s.held, at, q)
}

// release passes on in order what is held, through take, with the number of
// packets lost before each. A gap is given up when window packets wait behind
// it, or at once if last is set.
func (s *source) release(window int, last bool, take func(p *packet, lost int)) {
	if !s.started {
		if len(s.held) == 0 || !last && len(s.held) < min(window, startHold) {
			return
		}
		s.started, s.next = true, s.held[0].ext
	}
	done := 0
	for done < len(s.held) {
		p := &s.held[done]
		if p.ext > s.next && !last && len(s.held)-done < window {
			break
		}
		take(p, int(p.ext-s.next))
		s.next = p.ext + 1
		done++
	}
	s.held = slices.Delete(s.held, 0, done)
}
