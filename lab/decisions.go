package lab

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/vqeval/vqeval/stream"
	"github.com/vqeval/vqeval/stream/rquic"
)

// dropped returns how many packets of each access unit an rQUIC sender did not
// send on purpose, nil for other senders.
func dropped(dir string, s stream.Sent) ([]int, error) {
	rows, err := readColumns(filepath.Join(dir, decisionsFile), "packets", "sent")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	out := make([]int, len(s.Units))
	k := 0
	for i, u := range s.Units {
		if u.Packets == 0 {
			continue // never handed over
		}
		if k == len(rows) {
			return nil, fmt.Errorf("%s: it ends after %d access units", decisionsFile, k)
		}
		out[i] = int(rows[k][0] - rows[k][1])
		k++
	}
	return out, nil
}

// readColumns reads numbers from the named columns of a CSV file.
func readColumns(path string, names ...string) ([][]float64, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	in := csv.NewReader(f)
	head, err := in.Read()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	at := make([]int, len(names))
	for i, n := range names {
		if at[i] = slices.Index(head, n); at[i] < 0 {
			return nil, fmt.Errorf("%s: it has no column %s", path, n)
		}
	}
	var out [][]float64
	for {
		rec, err := in.Read()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		row := make([]float64, len(at))
		for i, c := range at {
			if row[i], err = strconv.ParseFloat(rec[c], 64); err != nil {
				return nil, fmt.Errorf("%s: line %d: %w", path, len(out)+2, err)
			}
		}
		out = append(out, row)
	}
}

// SenderTrace returns how the rQUIC sender of a run saw the path, every 100 ms;
// fs.ErrNotExist for other senders. Only some of the fields are filled: times,
// window, round trips, DIFF and e.
func SenderTrace(r Results, run string) ([]rquic.Sample, error) {
	rows, err := readColumns(r.Path("runs", run, traceFile), "at_ms", "window_packets", "srtt_ms", "min_rtt_ms", "diff_packets", "e", "loss")
	if err != nil {
		return nil, err
	}
	out := make([]rquic.Sample, len(rows))
	for i, v := range rows {
		out[i] = rquic.Sample{At: millis(v[0]), Window: v[1], SRTT: millis(v[2]), MinRTT: millis(v[3]), Diff: v[4], E: v[5], Loss: v[6]}
	}
	return out, nil
}

// expired lists the presentation times of the access units of which the sender
// sent nothing, on purpose.
func expired(all []fate) []int64 {
	var out []int64
	for _, f := range all {
		if f.sent > 0 && f.lost[atSender] == f.sent {
			out = append(out, f.pts)
		}
	}
	return out
}
