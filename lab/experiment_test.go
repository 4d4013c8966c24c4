package lab

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestParseExperiment(t *testing.T) {
	e, err := ParseExperiment([]byte(`
name: demo
clips: [builtin:small]
transports: [udp, {name: streams, mode: quic-au}]
links: [lan, {name: slow, profile: rtc-mild, set: "rate=2mbit,loss=1%", up: "delay=7ms"}]
sweep: {rate: [1mbit, 2mbit]}
seeds: 3
deadlines: [none, 500ms]
score: {ssim: precise, broken_nal: drop}
`))
	if err != nil {
		t.Fatal(err)
	}
	if e.Frame != 36 || e.Pace != .5 || e.Late != "ref" {
		t.Errorf("defaults got lost: %+v", e)
	}
	if diff := cmp.Diff(Seeds{1, 2, 3}, e.Seeds); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]Deadline{0, Deadline(500 * time.Millisecond)}, e.Deadlines); diff != "" {
		t.Error(diff)
	}
	if got := e.Transports[1].Label() + e.Transports[1].Mode + e.Transports[0].Label(); got != "streamsquic-auudp" {
		t.Errorf("transports %+v", e.Transports)
	}
	p, err := e.Links[1].Resolve()
	if err != nil || p.Name != "slow" || p.Down.Rate != 2e6 || time.Duration(p.Up.Delay) != 7*time.Millisecond {
		t.Errorf("link slow is %+v, %v", p, err)
	}
	specs, err := e.Plan()
	if err != nil {
		t.Fatal(err)
	}
	if len(specs) != 2*2*2*3 || specs[0].Name != "udp-lan-rate1mbit-seed1" || specs[len(specs)-1].Name != "streams-slow-rate2mbit-seed3" {
		t.Errorf("%d runs, %s ... %s", len(specs), specs[0].Name, specs[len(specs)-1].Name)
	}
}

func TestParseExperimentErrors(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"unknown key", "clips: [builtin:small]\ntransport: [udp]\n", "> "},
		{"unknown key says the line", "clips: [builtin:small]\ntransport: [udp]\n", "2 | transport"},
		{"unknown key deep inside", "transports:\n  - {mode: udp, speed: 3}\n", "speed"},
		{"unknown key of a link says the line", "links:\n  - lan\n  - {profile: lan, colour: red}\n", "3 |   - {profile: lan, colour: red}"},
		{"bad seeds say the line", "frame: 3\nseeds: many\n", "2 | seeds: many"},
		{"bad seeds", "seeds: many\n", "seeds"},
		{"no seeds", "seeds: 0\n", "seeds"},
		{"bad deadline", "deadlines: [soon]\n", "soon"},
		{"unknown transport", "transports: [pigeon]\n", "pigeon"},
		{"transport of the kernel", "transports: [tcp]\n", "tcp"},
		{"twice the same name", "transports: [udp, udp]\n", "udp"},
		{"unknown profile", "links: [moon]\n", "moon"},
		{"bad change of a link", "links: [{set: rate}]\n", "key=value"},
		{"pace", "pace: 2\n", "pace"},
		{"late", "late: sometimes\n", "late"},
		{"frame", "frame: -1\n", "frame"},
		{"packet size", "max_packet: 5\n", "max_packet"},
		{"empty list", "clips: []\n", "clips"},
		{"a name no folder can have", "transports: [{mode: udp, name: a/b}]\n", "a/b"},
		{"sweep of nonsense", "sweep: {rate: [fast]}\n", "fast"},
		{"no YAML", "\t{", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e, err := ParseExperiment([]byte(tt.text))
			if err == nil {
				t.Fatalf("got %+v, want an error with %q", e, tt.want)
			}
			if !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %q, want it to contain %q", err, tt.want)
			}
		})
	}
}

func FuzzParseExperiment(f *testing.F) {
	f.Add([]byte("clips: [a]\nseeds: [1, 2]\nlinks: [{profile: lan}]\n"))
	f.Add([]byte("sweep: {loss: [1%]}\ndeadlines: [none]\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		e, err := ParseExperiment(text)
		if err != nil {
			return
		}
		// An experiment that was accepted survives its way through a manifest.
		b, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		var again Experiment
		if err := json.Unmarshal(b, &again); err != nil {
			t.Fatalf("%s: %v", b, err)
		}
		c, err := json.Marshal(again)
		if err != nil || string(b) != string(c) {
			t.Errorf("%s became %s, %v", b, c, err)
		}
	})
}

// Names of runs mention what differs, and nothing else.
func TestRunNames(t *testing.T) {
	tests := []struct {
		name, text, first string
		n                 int
	}{
		{"one of each", "clips: [builtin:small]\ntransports: [udp]", "udp-seed1", 1},
		{"two clips", "clips: [builtin:small, builtin:fullhd]\ntransports: [udp]", "small-udp-seed1", 2},
		{"two links", "clips: [builtin:small]\ntransports: [quic]\nlinks: [lan, rtc-weak]", "quic-lan-seed1", 2},
		{"two sweeps", "clips: [builtin:small]\ntransports: [quic]\nsweep: {loss: [0.1%, 1%], delay: [5ms]}\nseeds: [9]", "quic-fullhd-5mbit-delay5ms-loss0.1p-seed9", 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e, err := ParseExperiment([]byte(tt.text))
			if err != nil {
				t.Fatal(err)
			}
			specs, err := e.Plan()
			if err != nil || len(specs) != tt.n || specs[0].Name != tt.first {
				t.Errorf("got %d runs, first %+v, %v; want %d, %q", len(specs), specs, err, tt.n, tt.first)
			}
		})
	}
	e := DefaultExperiment()
	e.Links = []Link{{Name: "a b"}, {Name: "a_b"}}
	if _, err := e.Plan(); err == nil {
		t.Error("two runs share a folder and nobody says so")
	}
}

func TestManifestDiffers(t *testing.T) {
	base := func() Experiment {
		e := DefaultExperiment()
		e.Clips = []string{"builtin:small"}
		return e
	}
	tests := []struct {
		name   string
		change func(*Experiment)
		want   string
	}{
		{"nothing", func(*Experiment) {}, ""},
		{"words for people", func(e *Experiment) { e.About = "else" }, ""},
		{"clip", func(e *Experiment) { e.Clips = []string{"builtin:fullhd"} }, "the clip"},
		{"transports", func(e *Experiment) { e.Transports = e.Transports[:1] }, "the list of transports"},
		{"link", func(e *Experiment) { e.Links[0].Set = "rate=1mbit" }, "the link"},
		{"sweep", func(e *Experiment) { e.Sweep.Loss = []string{"1%"} }, "the link"},
		{"seeds", func(e *Experiment) { e.Seeds = SeedRange(2) }, "the list of seeds"},
		{"deadlines", func(e *Experiment) { e.Deadlines = []Deadline{5} }, "the list of deadlines"},
		{"scoring", func(e *Experiment) { e.Score.MSSSIM = true }, "the way of scoring"},
		{"pace", func(e *Experiment) { e.Pace = 1 }, "the experiment"},
	}
	m, err := NewManifest(base(), "v1", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := base()
			tt.change(&e)
			o, err := NewManifest(e, "v1", nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			text, err := json.Marshal(o)
			if err != nil {
				t.Fatal(err)
			}
			read, err := ParseManifest(text)
			if err != nil {
				t.Fatal(err)
			}
			if got := m.differs(read); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
