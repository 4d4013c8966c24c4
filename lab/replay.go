package lab

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/vqeval/vqeval/stream"
	"github.com/vqeval/vqeval/stream/capture"
	"github.com/vqeval/vqeval/stream/h264"
	"github.com/vqeval/vqeval/stream/transport"
)

// A Replayed says how close a run came to the one that it repeats.
type Replayed struct {
	Run           string  `json:"run"`
	Mode          string  `json:"mode"`
	Must          bool    `json:"must"`                       // nothing but a mistake lets it differ: UDP in virtual time
	Exact         bool    `json:"exact"`                      // the received bitstreams are equal
	SHA256        string  `json:"h264_sha256"`                // of the received bitstream
	Before        string  `json:"h264_sha256_before"`         // empty: the first run left none
	Frames        int     `json:"frames"`                     // access units sent
	Same          int     `json:"frames_same"`                // received alike, or lost alike
	Packets       int     `json:"packets"`                    // received
	PacketsBefore int     `json:"packets_before"`             //
	WorstMS       float64 `json:"largest_time_difference_ms"` // of an access unit's complete arrival
	Err           string  `json:"error,omitempty"`
}

// Replay carries out the experiment of a manifest again, in the folder dir, and
// compares what was received with what lies beside the manifest. Nothing is
// scored; Run in dir does that.
func Replay(ctx context.Context, manifest, dir string, o Options) ([]Replayed, error) {
	m, err := ReadManifest(manifest)
	if err != nil {
		return nil, err
	}
	if err := m.find(); err != nil {
		return nil, err
	}
	home := filepath.Dir(manifest)
	if same(home, dir) {
		return nil, fmt.Errorf("%s holds the experiment that is to be repeated; hint: choose another --out", dir)
	}
	j, err := begin(m.Experiment, dir, o)
	if err != nil {
		return nil, err
	}
	defer j.folder.Close()
	if what := m.differs(j.results.Manifest); what != "" && what != "the version of vqeval" {
		return nil, fmt.Errorf("%s of the manifest is not what this machine has", what)
	}
	if err := j.send(ctx); err != nil {
		return nil, err
	}
	var out []Replayed
	for _, s := range j.specs {
		r, err := compareRuns(filepath.Join(home, "runs", s.Name), s)
		if err != nil {
			r.Err = err.Error()
		}
		out = append(out, r)
	}
	return out, nil
}

// find makes sure that the clips are there under the names that the experiment
// gives them, or under those they had when the manifest was written.
func (m *Manifest) find() error {
	for i, c := range m.Clips {
		id, err := identifyClip(c.Name)
		if errors.Is(err, fs.ErrNotExist) && c.Path != "" && c.Path != c.Name {
			if id, err = identifyClip(c.Path); err == nil {
				m.Experiment.Clips[i] = c.Path
			}
		}
		if err != nil {
			return err
		}
		if id.SHA256 != c.SHA256 {
			return fmt.Errorf("clip %s: it is not the one of the manifest: sha256 %s, want %s", c.Name, id.SHA256, c.SHA256)
		}
	}
	return nil
}

// same reports whether two paths are one folder.
func same(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// compareRuns compares the run of s with that in the folder before.
func compareRuns(before string, s Spec) (Replayed, error) {
	r := Replayed{Run: s.Name, Mode: s.Transport.Mode, Must: s.Transport.Mode == string(transport.UDP) && !s.Real}
	var err error
	if r.SHA256, err = hashFile(filepath.Join(s.dir, annexBFile)); err != nil {
		return r, fmt.Errorf("it did not end: %w", err)
	}
	if r.Before, err = hashFile(filepath.Join(before, annexBFile)); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return r, nil // a manifest alone: nothing to compare with
		}
		return r, err
	}
	r.Exact = r.SHA256 == r.Before
	now, err := arrivals(s.dir)
	if err != nil {
		return r, err
	}
	then, err := arrivals(before)
	if err != nil {
		return r, err
	}
	r.Packets, r.PacketsBefore, r.Frames = now.packets, then.packets, len(now.units)
	for pts, u := range now.units {
		v, ok := then.units[pts]
		if ok && bytes.Equal(u.data, v.data) {
			r.Same++
		}
		if ok && u.at >= 0 && v.at >= 0 {
			r.WorstMS = max(r.WorstMS, ms((u.at - v.at).Abs()))
		}
	}
	return r, nil
}

// An arrival is what came of one access unit, and when the last of it did, from
// the sender's start; -1 = nothing came.
type arrival struct {
	data []byte
	at   time.Duration
}

type received struct {
	units   map[int64]arrival // by presentation time
	packets int
}

// arrivals reads what a run received.
func arrivals(dir string) (received, error) {
	sent, err := readSent(dir)
	if err != nil {
		return received{}, err
	}
	r := received{units: map[int64]arrival{}}
	for _, u := range sent.Units {
		r.units[u.PTS] = arrival{at: -1}
	}
	rec, err := loadRecording(dir)
	if errors.Is(err, capture.ErrNoStream) {
		return r, nil
	}
	if err != nil {
		return r, err
	}
	a, err := rec.Assemble(stream.AssembleOptions{})
	if err != nil {
		return r, err
	}
	for _, u := range a.Units {
		r.units[u.Timestamp] = arrival{data: h264.AppendAnnexB(nil, u.NALUs...), at: u.Last.Sub(sent.Start)}
	}
	s := rec.Stats()
	r.packets = s.Packets - s.Duplicates
	return r, nil
}

func hashFile(path string) (string, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:]), nil
}
