package lab

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/vqeval/vqeval/stream/link"
)

// A TraceID says exactly which rate trace a link followed.
type TraceID struct {
	Path   string `json:"path"`
	SHA256 string `json:"sha256"`
}

const traceKey = "trace="

// mapTraces returns l with each file of a rate trace renamed.
func (l Link) mapTraces(rename func(name string) string) Link {
	for _, spec := range []*string{&l.Set, &l.Down, &l.Up} {
		pairs := strings.Split(*spec, ",")
		for i, p := range pairs {
			if name, ok := strings.CutPrefix(strings.TrimSpace(p), traceKey); ok && name != "" {
				pairs[i] = traceKey + rename(name)
			}
		}
		*spec = strings.Join(pairs, ",")
	}
	return l
}

// From returns l with the files of its rate traces, where they are relative,
// taken from the folder dir, as absolute paths: worker processes and replays
// find them wherever they start.
func (l Link) From(dir string) Link {
	return l.mapTraces(func(name string) string {
		if !filepath.IsAbs(name) {
			name = filepath.Join(dir, name)
		}
		if abs, err := filepath.Abs(name); err == nil {
			return abs
		}
		return name
	})
}

// From returns e with Link.From applied to each link, and with clips that lie in
// the folder dir taken from there.
func (e Experiment) From(dir string) Experiment {
	e.Clips = slices.Clone(e.Clips)
	for i, c := range e.Clips {
		beside := filepath.Join(dir, c)
		if _, err := os.Stat(beside); err == nil && !filepath.IsAbs(c) {
			e.Clips[i] = beside
		}
	}
	e.Links = slices.Clone(e.Links)
	for i, l := range e.Links {
		e.Links[i] = l.From(dir)
	}
	return e
}

// Load is Resolve, and reads the rate traces from their files.
func (l Link) Load() (link.Profile, error) {
	p, err := l.Resolve()
	if err != nil {
		return p, err
	}
	return p, p.LoadTraces(openFile)
}

func openFile(name string) (io.ReadCloser, error) { return os.Open(name) }

// traces identifies the rate traces of all links, each once.
func (e Experiment) traces() ([]TraceID, error) {
	var names []string
	for _, l := range e.Links {
		l.mapTraces(func(name string) string {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
			return name
		})
	}
	var out []TraceID
	for _, n := range names {
		text, err := os.ReadFile(n)
		if err != nil {
			return nil, fmt.Errorf("trace: %w", err)
		}
		sum := sha256.Sum256(text)
		out = append(out, TraceID{Path: n, SHA256: hex.EncodeToString(sum[:])})
	}
	return out, nil
}

// anonymous returns links with the folders of their rate traces taken away: two
// experiments whose traces have the same contents are the same.
func anonymous(links []Link) []Link {
	out := slices.Clone(links)
	for i, l := range out {
		out[i] = l.mapTraces(filepath.Base)
	}
	return out
}
