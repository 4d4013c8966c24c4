package lab

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/vqeval/vqeval/samples"
)

// A Manifest says what made a result folder, so that it can be made again.
type Manifest struct {
	Tool       string            `json:"tool"`
	Version    string            `json:"version"`
	Go         string            `json:"go"`
	Platform   string            `json:"platform"`
	Libraries  map[string]string `json:"libraries,omitempty"`
	Created    time.Time         `json:"created"`
	Command    []string          `json:"command,omitempty"`
	Experiment Experiment        `json:"experiment"`
	Clips      []ClipID          `json:"clips"`
	Traces     []TraceID         `json:"traces,omitempty"` // of links whose rate varies
	Runs       []Spec            `json:"runs"`
}

// A ClipID says exactly which clip was sent.
type ClipID struct {
	Name   string `json:"name"`
	Path   string `json:"path"`
	SHA256 string `json:"sha256"`
	Bytes  int64  `json:"bytes"`
}

// NewManifest describes e as this program would run it now.
func NewManifest(e Experiment, version string, libraries map[string]string, command []string) (Manifest, error) {
	specs, err := e.Plan()
	if err != nil {
		return Manifest{}, err
	}
	m := Manifest{Tool: "vqeval", Version: version, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
		Libraries: libraries, Created: time.Now().UTC().Round(time.Second), Command: command, Experiment: e, Runs: specs}
	if m.Traces, err = e.traces(); err != nil {
		return Manifest{}, err
	}
	for _, c := range e.clips() {
		if c == bulkClip {
			continue
		}
		id, err := identifyClip(c)
		if err != nil {
			return Manifest{}, err
		}
		m.Clips = append(m.Clips, id)
	}
	return m, nil
}

func identifyClip(name string) (ClipID, error) {
	path, err := ClipPath(name)
	if err != nil {
		return ClipID{}, err
	}
	f, err := os.Open(path)
	if err != nil {
		return ClipID{}, fmt.Errorf("clip: %w", err)
	}
	defer f.Close()
	h := sha256.New()
	n, err := io.Copy(h, f)
	if err != nil {
		return ClipID{}, fmt.Errorf("clip %s: %w", name, err)
	}
	if strings.HasPrefix(name, samples.Prefix) {
		path = "" // differs from machine to machine and says nothing
	} else if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	return ClipID{Name: name, Path: path, SHA256: hex.EncodeToString(h.Sum(nil)), Bytes: n}, nil
}

// ReadManifest reads a manifest.json.
func ReadManifest(path string) (Manifest, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return Manifest{}, fmt.Errorf("manifest: %w", err)
	}
	return ParseManifest(text)
}

// ParseManifest reads the text of a manifest.json.
func ParseManifest(text []byte) (Manifest, error) {
	var m Manifest
	dec := json.NewDecoder(bytes.NewReader(text))
	if err := dec.Decode(&m); err != nil {
		return Manifest{}, fmt.Errorf("manifest: %w", err)
	}
	if m.Tool != "vqeval" {
		return Manifest{}, errors.New("manifest: it was not made by vqeval")
	}
	return m, nil
}

// differs names the first thing in which o would give other results than m,
// or returns "".
func (m Manifest) differs(o Manifest) string {
	mine, theirs := m.parts(), o.parts()
	for i, p := range mine {
		if !bytes.Equal(p.text, theirs[i].text) {
			return p.name
		}
	}
	return ""
}

type part struct {
	name string
	text []byte
}

func (m Manifest) parts() []part {
	e := m.Experiment
	e.Name, e.About, e.Expect = "", "", nil // none changes a result
	e.Links = anonymous(e.Links)
	e.Clips = slices.Clone(e.Clips)
	for i, c := range e.Clips { // wherever they lie: their contents count
		e.Clips[i] = filepath.Base(c)
	}
	var hashes, traces []string
	for _, c := range m.Clips {
		hashes = append(hashes, c.SHA256)
	}
	for _, t := range m.Traces {
		traces = append(traces, t.SHA256)
	}
	var out []part
	for _, p := range []struct {
		name string
		v    any
	}{
		{"the version of vqeval", m.Version}, {"the clip", hashes}, {"the list of transports", e.Transports},
		{"the link", []any{e.Links, e.Sweep, traces}}, {"the list of seeds", e.Seeds}, {"the list of deadlines", []any{e.Deadlines, e.Late}},
		{"the way of scoring", e.Score}, {"the experiment", e},
	} {
		text, err := json.Marshal(p.v)
		if err != nil {
			text = []byte(err.Error())
		}
		out = append(out, part{p.name, text})
	}
	return out
}
