// Package lab runs experiments: a grid of clips, transports, links and seeds,
// each cell sent and received in a worker process, then decoded and scored.
//
// What a run leaves behind is files: the recording, its booking, the scores.
// Work that was interrupted goes on where it stopped.
package lab

import (
	"bytes"
	"errors"
	"fmt"
	"time"

	"github.com/goccy/go-yaml"

	"github.com/vqeval/vqeval/decode/align"
	"github.com/vqeval/vqeval/metrics"
	"github.com/vqeval/vqeval/stream/rtph264"
)

// An Experiment is the plan: every clip over every transport over every link
// with every seed. Its zero fields mean the defaults of DefaultExperiment.
type Experiment struct {
	Name       string      `json:"name,omitempty" yaml:"name"`
	About      string      `json:"about,omitempty" yaml:"about"`           // what question it answers, for people
	Clips      []string    `json:"clips" yaml:"clips"`                     // files, or builtin:fullhd, builtin:small
	Transports []Transport `json:"transports" yaml:"transports"`           //
	Links      []Link      `json:"links" yaml:"links"`                     //
	Sweep      Sweep       `json:"sweep,omitzero" yaml:"sweep"`            // varies every link
	Seeds      Seeds       `json:"seeds" yaml:"seeds"`                     // a count n means 1..n
	Deadlines  []Deadline  `json:"deadlines" yaml:"deadlines"`             // playout delays to score at; none = everything counts
	Late       string      `json:"late,omitempty" yaml:"late"`             // what late packets are good for: ref or drop
	Bulk       Bulk        `json:"bulk,omitzero" yaml:"bulk"`              // traffic without a clip, instead of the clips
	Frame      int         `json:"frame" yaml:"frame"`                     // the frame shown side by side
	Pace       float64     `json:"pace,omitempty" yaml:"pace"`             // share of the frame interval that a frame's UDP packets are spread over
	MaxPacket  int         `json:"max_packet,omitempty" yaml:"max_packet"` // RTP packet, bytes
	Real       bool        `json:"real,omitempty" yaml:"real"`             // sockets and the wall clock instead of virtual time
	QLog       bool        `json:"qlog,omitempty" yaml:"qlog"`             // a qlog file for each QUIC run
	Score      Scoring     `json:"score,omitzero" yaml:"score"`            //

	Expect []Expectation `json:"expect,omitempty" yaml:"expect"` // what the results should show
}

// Scoring says how received pictures are measured.
type Scoring struct {
	SSIM      metrics.Dialect `json:"ssim" yaml:"ssim"`
	MSSSIM    bool            `json:"ms_ssim,omitempty" yaml:"ms_ssim"`
	BrokenNAL rtph264.Policy  `json:"broken_nal" yaml:"broken_nal"`
	Align     align.Method    `json:"align" yaml:"align"`
	LumaOnly  bool            `json:"luma_only,omitempty" yaml:"luma_only"`

	DeliveryOnly bool `json:"delivery_only,omitempty" yaml:"delivery_only"` // what arrived and when; nothing is decoded
}

func (s Scoring) options() metrics.Options {
	return metrics.Options{SSIM: s.SSIM, MSSSIM: s.MSSSIM, LumaOnly: s.LumaOnly}
}

// DefaultExperiment is the source study's: the FullHD clip over UDP and QUIC
// through 5 Mbit/s.
func DefaultExperiment() Experiment {
	return Experiment{
		Name:       "fullhd",
		Clips:      []string{"builtin:fullhd"},
		Transports: []Transport{{Mode: "udp"}, {Mode: "quic"}},
		Links:      []Link{{Profile: "fullhd-5mbit"}},
		Seeds:      Seeds{1},
		Deadlines:  []Deadline{0},
		Frame:      36,
		Pace:       .5,
		Late:       "ref",
	}
}

// ParseExperiment reads an experiment file (YAML). What it does not mention
// keeps its default; a key it should not mention is an error that shows the
// line.
func ParseExperiment(text []byte) (e Experiment, err error) {
	defer func() { // the library panics on some broken files
		if p := recover(); p != nil {
			e, err = Experiment{}, fmt.Errorf("not YAML: %v", p)
		}
	}()
	e = DefaultExperiment()
	e.Name = ""
	dec := yaml.NewDecoder(bytes.NewReader(text), yaml.Strict(), yaml.DisallowUnknownField())
	if err := dec.Decode(&e); err != nil {
		return Experiment{}, errors.New(yaml.FormatError(err, false, true))
	}
	if err := e.Check(); err != nil {
		return Experiment{}, err
	}
	return e, nil
}

// Check reports the first thing about e that cannot be run.
func (e Experiment) Check() error {
	switch {
	case len(e.Clips) == 0:
		return errors.New("clips: the list is empty")
	case len(e.Transports) == 0:
		return errors.New("transports: the list is empty")
	case len(e.Links) == 0:
		return errors.New("links: the list is empty")
	case len(e.Seeds) == 0:
		return errors.New("seeds: the list is empty")
	case len(e.Deadlines) == 0:
		return errors.New("deadlines: the list is empty; none means that everything counts")
	case e.Frame < 0:
		return fmt.Errorf("frame: %d is below 0", e.Frame)
	case e.Pace < 0 || e.Pace > 1:
		return fmt.Errorf("pace: %g is not in [0, 1]", e.Pace)
	case e.MaxPacket != 0 && (e.MaxPacket < 64 || e.MaxPacket > 65000):
		return fmt.Errorf("max_packet: %d is not in [64, 65000] bytes", e.MaxPacket)
	case e.Late != "" && e.Late != "ref" && e.Late != "drop":
		return fmt.Errorf("late: %q is neither ref nor drop", e.Late)
	}
	names := map[string]bool{}
	for _, t := range e.Transports {
		if err := t.check(); err != nil {
			return fmt.Errorf("transports: %w", err)
		}
		if names[t.Label()] {
			return fmt.Errorf("transports: two are called %q; give one of them a name", t.Label())
		}
		names[t.Label()] = true
	}
	if err := e.Bulk.check(e.Transports); err != nil {
		return err
	}
	for _, l := range e.Sweep.expand(e.Links) {
		if _, err := l.Resolve(); err != nil {
			return fmt.Errorf("links: %w", err)
		}
	}
	for i, x := range e.Expect {
		if err := x.check(e); err != nil {
			return fmt.Errorf("expect %d: %w", i+1, err)
		}
	}
	return nil
}

// Seeds lists the seeds of an experiment. In YAML and JSON a plain number n
// stands for 1..n.
type Seeds []uint64

// SeedRange returns 1..n.
func SeedRange(n int) Seeds {
	s := make(Seeds, n)
	for i := range s {
		s[i] = uint64(i + 1)
	}
	return s
}

// UnmarshalYAML reads a count or a list.
func (s *Seeds) UnmarshalYAML(unmarshal func(any) error) error {
	var n int
	if err := unmarshal(&n); err == nil {
		if n < 1 || n > 10000 {
			return fmt.Errorf("seeds: %d is not in 1..10000", n)
		}
		*s = SeedRange(n)
		return nil
	}
	var list []uint64
	if err := unmarshal(&list); err != nil {
		return fmt.Errorf("seeds: want a count or a list of numbers: %w", err)
	}
	*s = list
	return nil
}

// A Deadline is a playout delay; 0 means none. As text: none, or a duration.
type Deadline time.Duration

func (d Deadline) String() string {
	if d == 0 {
		return "none"
	}
	return time.Duration(d).String()
}

// MarshalText writes none or a duration such as 500ms.
func (d Deadline) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads none or a duration above 0.
func (d *Deadline) UnmarshalText(text []byte) error {
	if string(text) == "none" {
		*d = 0
		return nil
	}
	v, err := time.ParseDuration(string(text))
	if err != nil || v <= 0 {
		return fmt.Errorf("bad deadline %q: want none or a duration such as 500ms", text)
	}
	*d = Deadline(v)
	return nil
}
