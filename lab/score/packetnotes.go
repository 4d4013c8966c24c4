package score

import (
	"errors"
	"fmt"
	"slices"

	"github.com/vqeval/vqeval/stream"
	"github.com/vqeval/vqeval/stream/capture"
	"github.com/vqeval/vqeval/stream/h264"
)

// packetNotes says what happened to the packets.
func packetNotes(r *stream.Recording, a stream.Assembled) (notes []string) {
	s := r.Stats()
	if s.Lost > 0 {
		notes = append(notes, fmt.Sprintf("%d of %d packets are not in the recording", s.Lost, s.Lost+s.Packets-s.Duplicates))
	}
	if a.Use.Late > 0 {
		notes = append(notes, fmt.Sprintf("%s came too late to be of use", packets(a.Use.Late)))
	}
	if s.SSRCChanges > 0 {
		notes = append(notes, "the sender began anew"+times(s.SSRCChanges))
	}
	if s.ClockLeaps > 0 {
		notes = append(notes, "the sender's clock leapt"+times(s.ClockLeaps)+"; the frames behind follow those before")
	}
	if s.Malformed > 0 {
		notes = append(notes, packets(s.Malformed)+" malformed")
	}
	if s.Unsupported > 0 {
		notes = append(notes, packets(s.Unsupported)+" of an unsupported kind")
	}
	if n := r.Counts.Cut; n > 0 {
		notes = append(notes, packets(n)+" in the file cut short by its snap length, and left out; tcpdump -s 0 records them whole")
	}
	if n := r.Counts.Incomplete; n > 0 {
		notes = append(notes, packets(n)+" in the file left out, for want of IP fragments")
	}
	if s.Foreign > 0 {
		notes = append(notes, fmt.Sprintf("%d datagrams on the port belong to something else", s.Foreign))
	}
	if errors.Is(a.Damage, capture.ErrTruncated) {
		notes = append(notes, "the recording was cut off: "+a.Damage.Error())
	}
	return notes
}

// paramNotes says what cannot be decoded for want of parameter sets.
func paramNotes(units []h264.AccessUnit) []string {
	switch n := slices.IndexFunc(units, h264.AccessUnit.HasParams); {
	case n < 0:
		return []string{"the recording has no parameter sets (SPS and PPS), without which nothing can be decoded; --sdp FILE brings them"}
	case n > 0:
		return []string{fmt.Sprintf("the first parameter sets come with access unit %d; what comes before it cannot be decoded, unless --sdp FILE brings some", n)}
	}
	return nil
}

func packets(n int) string {
	if n == 1 {
		return "1 packet"
	}
	return fmt.Sprintf("%d packets", n)
}

func times(n int) string {
	if n == 1 {
		return ""
	}
	return fmt.Sprintf(", %d times", n)
}
