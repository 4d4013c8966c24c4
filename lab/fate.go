package lab

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/vqeval/vqeval/stream"
	"github.com/vqeval/vqeval/stream/link"
	"github.com/vqeval/vqeval/stream/transport"
)

// A place is where a packet can be lost.
type place uint8

// The places, in the order of a packet's way.
const (
	atSender place = iota // given up on purpose
	atQueue
	atRandom
	atMTU
	atKernel
	atQUICQueue
	atTransport
	tooLate
	places
)

// String returns the place as the cause column of a score file has it.
func (p place) String() string {
	return [places]string{"expired by sender", "link queue", "random loss", "MTU", "kernel buffer", "QUIC queue", "transport", "late"}[p]
}

// A fate is what became of one access unit, by the records of its sender, the
// link and the receiver. Times count from the sender's start.
type fate struct {
	pts            int64 // ticks of 90 kHz
	key, reference bool
	sent           int // packets
	lost           [places]int
	captured       time.Duration // when a camera would have taken it: see captureShift
	complete       time.Duration // when its last packet arrived; -1 = some never did
}

// total is how many of its packets the decoder did not get.
func (f fate) total() int {
	n := 0
	for _, k := range f.lost {
		n += k
	}
	return n
}

// where names the places that lost its packets.
func (f fate) where() string {
	var names []string
	for p, n := range f.lost {
		if n > 0 {
			names = append(names, place(p).String())
		}
	}
	return strings.Join(names, " and ")
}

// fates follows every access unit of a run, in decoding order. rec is nil if
// nothing arrived.
func fates(dir string, o Outcome, sent stream.Sent, rec *stream.Recording) ([]fate, error) {
	seen := map[int64]stream.AU{}
	last := map[int64]time.Time{}
	if rec != nil {
		a, err := rec.Assemble(stream.AssembleOptions{Expect: expect(sent)})
		if err != nil {
			return nil, err
		}
		for _, au := range a.AUs {
			seen[au.PTS] = au
			if au.Unit >= 0 {
				last[au.PTS] = a.Units[au.Unit].Last
			}
		}
	}
	var verdicts [][]link.Verdict
	var err error
	if o.Spec.Transport.Mode == string(transport.UDP) {
		if verdicts, err = linkVerdicts(dir, sent); err != nil {
			return nil, err
		}
	}
	gone, err := dropped(dir, sent)
	if err != nil {
		return nil, err
	}
	shift := captureShift(sent)
	out := make([]fate, len(sent.Units))
	for i, u := range sent.Units {
		f := fate{pts: u.PTS, key: u.Key, reference: u.Reference, sent: u.Packets, captured: ticks(u.PTS) + shift, complete: -1}
		missing := u.Packets - seen[u.PTS].Packets
		if verdicts != nil {
			missing -= f.book(verdicts[i])
		}
		if gone != nil {
			f.lost[atSender] = gone[i]
			missing -= gone[i]
		}
		f.lost[o.elsewhere()] += max(0, missing)
		if at, ok := last[u.PTS]; ok && f.total() == 0 {
			f.complete = at.Sub(sent.Start)
		}
		out[i] = f
	}
	return out, nil
}

// book enters the link's verdicts and returns how many packets it took.
func (f *fate) book(verdicts []link.Verdict) (taken int) {
	for _, v := range verdicts {
		switch v {
		case link.DroppedQueue:
			f.lost[atQueue]++
		case link.LostRandom:
			f.lost[atRandom]++
		case link.TooBig:
			f.lost[atMTU]++
		default:
			continue
		}
		taken++
	}
	return taken
}

// elsewhere is where packets were lost that the link is not known to have
// taken. Over QUIC the link sees QUIC's packets, not RTP's: there it is named
// only if it lost packets in one way alone and nobody else did.
func (o Outcome) elsewhere() place {
	kernel := o.Receiver.KernelDrops+o.Link.KernelDrops > 0
	inbox := o.Receiver.DatagramQueueDrops+o.Receiver.InboxDrops > 0
	d := o.Link.Down
	var ways []place
	if o.Spec.Transport.Mode != string(transport.UDP) {
		for p, lost := range map[place]bool{atQueue: d.QueueDrops > 0, atRandom: d.RandomLosses > 0, atMTU: d.TooBig > 0, atQUICQueue: inbox} {
			if lost {
				ways = append(ways, p)
			}
		}
	}
	if kernel {
		ways = append(ways, atKernel)
	}
	if len(ways) == 1 {
		return ways[0]
	}
	return atTransport
}

// captureShift is what to add to a presentation time to get the moment at which
// a camera would have taken the picture: the latest for which none is sent
// before it exists. It is 0 without B-frames, negative with them, and positive if
// the clip begins with pictures that are not shown.
func captureShift(s stream.Sent) time.Duration {
	var shift time.Duration
	for i, u := range s.Units {
		if by := u.Due - ticks(u.PTS); i == 0 || by < shift {
			shift = by
		}
	}
	return shift
}

// ticks converts 90 kHz.
func ticks(n int64) time.Duration {
	return time.Duration(n) * time.Second / 90000
}

// expect lists the presentation times of all access units that were sent.
func expect(s stream.Sent) []int64 {
	out := make([]int64, len(s.Units))
	for i, u := range s.Units {
		out[i] = u.PTS
	}
	return out
}

// readSent reads what the sender of a run did.
func readSent(dir string) (stream.Sent, error) {
	path := filepath.Join(dir, senderFile)
	text, err := os.ReadFile(path)
	if err != nil {
		return stream.Sent{}, err
	}
	var s stream.Sent
	if err := json.Unmarshal(text, &s); err != nil {
		return stream.Sent{}, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

// linkVerdicts returns what the link did to each packet of each access unit.
func linkVerdicts(dir string, s stream.Sent) ([][]link.Verdict, error) {
	f, err := os.Open(filepath.Join(dir, linkFile))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	events, err := parseLinkEvents(f)
	if err != nil {
		return nil, err
	}
	events = slices.DeleteFunc(events, func(e LinkEvent) bool { return e.Up || e.Seq < 0 })
	out := make([][]link.Verdict, len(s.Units))
	for i, u := range s.Units {
		for len(events) > 0 && len(out[i]) < u.Packets && uint16(events[0].Seq)-u.FirstSeq < uint16(u.Packets) {
			var v link.Verdict
			if err := v.UnmarshalText([]byte(events[0].Verdict)); err != nil {
				return nil, fmt.Errorf("%s: %w", linkFile, err)
			}
			out[i] = append(out[i], v)
			events = events[1:]
		}
	}
	if len(events) > 0 {
		return nil, fmt.Errorf("%s: packet %d belongs to no access unit of %s", linkFile, events[0].Seq, senderFile)
	}
	return out, nil
}
