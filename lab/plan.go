package lab

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/vqeval/vqeval/samples"
	"github.com/vqeval/vqeval/stream/link"
)

// A Spec is one run: plain data that says everything a worker process needs.
type Spec struct {
	Name      string       `json:"name"`      // the run's folder below runs/
	Clip      string       `json:"clip"`      // as the experiment names it
	Transport Transport    `json:"transport"` //
	Link      link.Profile `json:"link"`      //
	Seed      uint64       `json:"seed"`      //
	Pace      float64      `json:"pace"`      // share of a frame interval
	MaxPacket int          `json:"max_packet,omitempty"`
	Bulk      Bulk         `json:"bulk,omitzero"` // no clip
	Real      bool         `json:"real,omitempty"`
	QLog      bool         `json:"qlog,omitempty"`

	path string // the clip's file
	dir  string // where the run's files go
}

// Plan expands e into its runs. Names are short: they mention a clip or a link
// only where there are several.
func (e Experiment) Plan() ([]Spec, error) {
	links := e.Sweep.expand(e.Links)
	var specs []Spec
	for _, clip := range e.clips() {
		path, err := ClipPath(clip)
		if err != nil {
			return nil, err
		}
		for _, l := range links {
			profile, err := l.Load()
			if err != nil {
				return nil, fmt.Errorf("link %s: %w", l.Label(), err)
			}
			for _, seed := range e.Seeds {
				for _, t := range e.Transports {
					specs = append(specs, Spec{
						Name: e.runName(clip, links, l, t, seed), Clip: clip, path: path,
						Transport: t, Link: profile, Seed: seed, Pace: e.Pace,
						MaxPacket: e.MaxPacket, Bulk: e.Bulk, Real: e.Real, QLog: e.QLog,
					})
				}
			}
		}
	}
	return specs, distinct(specs)
}

// clips lists what is sent, bulkClip for traffic without a clip.
func (e Experiment) clips() []string {
	if e.Bulk.On() {
		return []string{bulkClip}
	}
	return e.Clips
}

func (e Experiment) runName(clip string, links []Link, l Link, t Transport, seed uint64) string {
	var parts []string
	if len(e.clips()) > 1 {
		base := filepath.Base(strings.TrimPrefix(clip, samples.Prefix))
		parts = append(parts, folderSafe(strings.TrimSuffix(base, filepath.Ext(base))))
	}
	parts = append(parts, t.Label())
	if len(links) > 1 {
		parts = append(parts, folderSafe(l.Label()))
	}
	return strings.Join(append(parts, fmt.Sprintf("seed%d", seed)), "-")
}

func distinct(specs []Spec) error {
	seen := map[string]Spec{}
	for _, s := range specs {
		if other, ok := seen[s.Name]; ok {
			return fmt.Errorf("two runs would share the folder %q (clips %s and %s, links %s and %s); give links or clips distinct names",
				s.Name, other.Clip, s.Clip, other.Link.Name, s.Link.Name)
		}
		seen[s.Name] = s
	}
	return nil
}

// ClipPath returns the file of a clip that is named as a file or as
// builtin:fullhd or builtin:small, which it unpacks; that of bulk traffic is
// empty.
func ClipPath(clip string) (string, error) {
	if clip == bulkClip {
		return "", nil
	}
	name, ok := strings.CutPrefix(clip, samples.Prefix)
	if !ok {
		if _, err := os.Stat(clip); err != nil {
			return "", fmt.Errorf("clip: %w%s", err, clipHint(clip))
		}
		return clip, nil
	}
	for _, c := range []samples.Clip{samples.FullHD, samples.Small} {
		if name+".mp4" == string(c) {
			return c.Unpack("")
		}
	}
	return "", fmt.Errorf("clip: no built-in clip is called %q; there are builtin:fullhd and builtin:small", name)
}

// clipHint says how the clips of lab/ are made.
func clipHint(clip string) string {
	if filepath.Base(filepath.Dir(clip)) != "clips" {
		return ""
	}
	return "; hint: make lab-clips makes the clips of the files in lab/"
}

// FirstLink is the name of the link that comes first in the plan.
func (e Experiment) FirstLink() string { return e.Sweep.expand(e.Links)[0].Label() }
