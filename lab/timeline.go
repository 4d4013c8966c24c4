package lab

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
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
	Deliver time.Duration // when it leaves the far end; -1 = never
	Queue   int           // bytes in the bottleneck, this packet included if it was accepted
	Seq     int           // RTP sequence number over UDP; -1 = none is to be seen
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

// linkColumns is how many columns of a link's record are read.
const linkColumns = 7

func parseLinkEvents(r io.Reader) ([]LinkEvent, error) {
	in := csv.NewReader(r)
	in.ReuseRecord = true
	head, err := in.Read()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", linkFile, err)
	}
	if len(head) < linkColumns {
		return nil, fmt.Errorf("%s: %d columns, want %d or more", linkFile, len(head), linkColumns)
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
		e, err := parseLinkEvent(rec)
		if err != nil {
			return nil, fmt.Errorf("%s: packet %d: %w", linkFile, len(out), err)
		}
		out = append(out, e)
	}
}

func parseLinkEvent(rec []string) (LinkEvent, error) {
	e := LinkEvent{Up: rec[1] == "up", Verdict: rec[3], Deliver: -1, Seq: -1}
	at, err1 := strconv.ParseFloat(rec[0], 64)
	size, err2 := strconv.Atoi(rec[2])
	queue, err3 := strconv.Atoi(rec[5])
	e.At, e.Size, e.Queue = millis(at), size, queue
	var err4, err5 error
	if rec[4] != "" {
		var t float64
		t, err4 = strconv.ParseFloat(rec[4], 64)
		e.Deliver = millis(t)
	}
	if rec[6] != "" {
		e.Seq, err5 = strconv.Atoi(rec[6])
	}
	return e, errors.Join(err1, err2, err3, err4, err5)
}

// millis converts milliseconds with their fraction.
func millis(v float64) time.Duration {
	return time.Duration(math.Round(v * float64(time.Millisecond)))
}
