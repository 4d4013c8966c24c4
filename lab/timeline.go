package lab

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// A LinkEvent is one packet of a run at the link, as link.csv has it.
type LinkEvent struct {
	At      time.Duration // from the first packet
	Up      bool          // on the way back
	Size    int           // bytes without overhead
	Verdict string        // as link.Verdict spells it
	Queue   int           // bytes in the bottleneck, this packet included if it was accepted
}

// LinkEvents reads what crossed the link of a run, in order of time.
func LinkEvents(r Results, run string) ([]LinkEvent, error) {
	f, err := os.Open(filepath.Join(r.Dir, "runs", run, linkFile))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return parseLinkEvents(f)
}

func parseLinkEvents(r io.Reader) ([]LinkEvent, error) {
	in := csv.NewReader(r)
	in.ReuseRecord = true
	if _, err := in.Read(); err != nil {
		return nil, fmt.Errorf("%s: %w", linkFile, err)
	}
	var out []LinkEvent
	for {
		rec, err := in.Read()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", linkFile, err)
		}
		at, err1 := strconv.ParseFloat(rec[0], 64)
		size, err2 := strconv.Atoi(rec[2])
		queue, err3 := strconv.Atoi(rec[5])
		if err := errors.Join(err1, err2, err3); err != nil {
			return nil, fmt.Errorf("%s: packet %d: %w", linkFile, len(out), err)
		}
		out = append(out, LinkEvent{At: time.Duration(at * float64(time.Millisecond)), Up: rec[1] == "up", Size: size, Verdict: rec[3], Queue: queue})
	}
}
