package lab

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/vqeval/vqeval/stream/link"
)

// FuzzParseManifest takes any bytes as the manifest of a result folder: one that is
// accepted survives being written and read again, and can be compared.
func FuzzParseManifest(f *testing.F) {
	m := Manifest{Tool: "vqeval", Version: "1", Clips: []ClipID{{Name: "builtin:small", SHA256: "00", Bytes: 1}},
		Experiment: Experiment{Links: []Link{{Profile: "lan", Set: "loss=1%"}}}}
	text, err := json.Marshal(m)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add(text[:len(text)/2])
	f.Add([]byte(`{"tool":"another"}`))
	f.Add([]byte(`{"tool":"vqeval","created":"yesterday"}`))
	f.Add([]byte(`{"tool":"vqeval","experiment":{"seeds":[1,1e30],"deadlines":["none",200]},"runs":null}`))
	f.Add([]byte(`{"tool":"vqeval","experiment":{"links":["lan",{"profile":"lan","down":"rate=-1"}]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := ParseManifest(text)
		if err != nil {
			return
		}
		once, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		again, err := ParseManifest(once)
		if err != nil {
			t.Fatalf("%s: %v", once, err)
		}
		if twice, err := json.Marshal(again); err != nil || !bytes.Equal(once, twice) {
			t.Errorf("%s became %s, %v", once, twice, err)
		}
		if what := m.differs(again); what != "" {
			t.Errorf("%s differs from itself in %s", once, what)
		}
	})
}

// FuzzLinkYAML takes any text as a link of an experiment file, and as a direction
// of a profile: what is accepted is in range, and is its own text again.
func FuzzLinkYAML(f *testing.F) {
	for _, text := range []string{
		"lan", "rtc-weak", "{profile: lan, set: 'rate=2mbit,loss=1%'}", "profile: lan\ndown: rate=1mbit,queue=unlimited\nup: delay=20ms\n",
		"rate: 5mbit\ndelay: 20ms\n", "{seed: 18446744073709551615, mtu: 1500}", "rate=5mbit,delay=20ms", "{loss: 0.1, ge: 0.01/0.25}",
		"rate: [1]\n", "{rate: 1e30, jitter: -1ms}", "&a [*a]", "{loss: .nan}", "{loss: .inf}", "trace: x\nrate: 1mbit\n", "null", "rate: null",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var l Link
		if yaml.Unmarshal(text, &l) == nil {
			if p, err := l.Resolve(); err == nil {
				if err := p.Check(); err != nil {
					t.Errorf("resolved to what is out of range: %v", err)
				}
			}
		}
		var d link.Direction
		if yaml.Unmarshal(text, &d) != nil {
			return
		}
		if err := d.Check(); err != nil {
			t.Errorf("accepted what is out of range: %v", err)
		}
		again, err := link.ParseDirection(d.String())
		if err != nil || again.String() != d.String() {
			t.Errorf("%q became %q, %v", d, again, err)
		}
	})
}

// FuzzLinkEvents takes any bytes as the record of a link.
func FuzzLinkEvents(f *testing.F) {
	const head = "at_ms,direction,size,verdict,deliver_ms,queue_bytes,rtp_seq\n"
	f.Add([]byte(head + "0.5,down,1200,delivered,20.25,0,7\n1,up,60,lost,,0,\n"))
	f.Add([]byte(head + "NaN,down,1e9,queue,Inf,-1,99999999999999999999\n"))
	f.Add([]byte("at_ms,direction,size\n1,down,5\n"))
	f.Add([]byte(head + "1,down\n"))
	f.Add([]byte(head + "\"\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		events, err := parseLinkEvents(bytes.NewReader(text))
		if err != nil {
			return
		}
		if lines := bytes.Count(text, []byte("\n")); len(events) > lines {
			t.Errorf("%d events of %d lines", len(events), lines)
		}
	})
}
