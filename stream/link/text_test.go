package link

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// full is a Direction with everything set.
func full() Direction {
	const ms = time.Millisecond
	return Direction{
		Rate: 5 * Mbps, Queue: 64 << 10, Overhead: 42, Delay: 20 * ms, Jitter: 5 * ms, JitterCorrelation: .5,
		Loss: .01, GE: GilbertElliott{P: .01, R: .25, LossGood: .001, LossBad: .9},
		Reorder: Extra{.02, 10 * ms}, Duplicate: Extra{.03, ms}, MTU: 1500, Seed: 1<<64 - 1,
	}
}

const fullText = "rate=5mbit,queue=64KiB,overhead=42,delay=20ms,jitter=5ms/0.5,loss=1%,ge=1%/25%/0.1%/90%," +
	"reorder=2%/10ms,duplicate=3%/1ms,mtu=1500,seed=18446744073709551615"

func TestParseDirection(t *testing.T) {
	const ms = time.Millisecond
	tests := []struct {
		text string
		want Direction
	}{
		{"", Direction{}},
		{fullText, full()},
		{" delay = 20ms , rate = 5 Mbit/s ,", Direction{Rate: 5 * Mbps, Delay: 20 * ms}},
		{"rate=5mbit,queue=64KiB,delay=20ms,jitter=5ms,loss=1%,ge=0.01/0.25", Direction{
			Rate: 5 * Mbps, Queue: 64 << 10, Delay: 20 * ms, Jitter: 5 * ms, Loss: .01, GE: GilbertElliott{P: .01, R: .25}}},
		{"overhead=0,queue=unlimited,jitter=1ms/0", Direction{Overhead: None, Queue: None, Jitter: ms, JitterCorrelation: None}},
		{"overhead=28,jitter=1ms/0.999,ge=1/1/0/1", Direction{Jitter: ms, GE: GilbertElliott{P: 1, R: 1}}},
		{"duplicate=1%", Direction{Duplicate: Extra{Chance: .01}}},
		{"rate=0", Direction{}},
	}
	for _, tt := range tests {
		got, err := ParseDirection(tt.text)
		if err != nil || got != tt.want {
			t.Errorf("%q: got %+v, %v, want %+v", tt.text, got, err, tt.want)
		}
	}
}

func TestParseDirectionErrors(t *testing.T) {
	tests := []struct{ text, want string }{
		{"speed=5", `no key "speed": there are rate, trace, queue,`},
		{"rate", "want key=value"},
		{"rate=1mbit,rate=2mbit", "rate is given twice"},
		{"rate=fast", "rate: bad rate"},
		{"rate=10", "1 kbit/s to 1 Tbit/s"},
		{"rate=1mbit,trace=x", "exclude each other"},
		{"queue=0", "0 is no buffer"},
		{"queue=64k", "queue: bad size"},
		{"overhead=1MiB", "overhead: 1048576 is outside"},
		{"delay=20", "delay: bad duration"},
		{"delay=2h", "delay: 2h0m0s is outside 0 to 1h"},
		{"jitter=1ms/1", "correlation 1 is outside"},
		{"jitter=1ms/x", "jitter: bad share"},
		{"loss=2", "loss: share"},
		{"ge=0.1", `"0.1" has 1 values between slashes, want one of [2 4]`},
		{"ge=0.1/2/0/1", "ge: share"},
		{"ge=0.1/0.2/0/0", "must lose something"},
		{"ge=0.1/0", "both chances"},
		{"reorder=1%", "needs a delay"},
		{"reorder=1%/fast", "reorder: bad duration"},
		{"duplicate=1%/2h", "duplicate: 2h0m0s"},
		{"mtu=big", "mtu: bad size"},
		{"seed=-1", "seed: "},
		{"trace=", "name is empty"},
	}
	for _, tt := range tests {
		got, err := ParseDirection(tt.text)
		if err == nil || !strings.Contains(err.Error(), tt.want) || got != (Direction{}) {
			t.Errorf("%q: got %+v, error %v, want one with %q", tt.text, got, err, tt.want)
		}
	}
}

func TestDirectionString(t *testing.T) {
	if got := full().String(); got != fullText {
		t.Errorf("got  %s\nwant %s", got, fullText)
	}
	if got := (Direction{GE: GilbertElliott{P: .5, R: .5, LossGood: .25}}).String(); got != "ge=50%/50%/25%/100%" {
		t.Errorf("got %s", got)
	}
}

func TestDirectionWritesWhatItReads(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDirection(t)
		got, err := ParseDirection(d.String())
		if err != nil || got != d {
			t.Errorf("%+v is written %q and read %+v, %v", d, d.String(), got, err)
		}
	})
}

func TestDirectionJSON(t *testing.T) {
	for _, text := range []string{
		`"` + fullText + `"`,
		`{"rate":"5mbit","queue":65536,"overhead":42,"delay":"20ms","jitter":"5ms/0.5","loss":0.01,"ge":"1%/25%/0.1%/90%",
		  "reorder":"2%/10ms","duplicate":"3%/1ms","mtu":1500,"seed":18446744073709551615}`,
	} {
		var got Direction
		if err := json.Unmarshal([]byte(text), &got); err != nil || got != full() {
			t.Errorf("%s: got %+v, %v", text, got, err)
		}
	}
	written, err := json.Marshal(Profile{Name: "x", Down: full()})
	if want := `{"name":"x","down":"` + fullText + `","up":""}`; err != nil || string(written) != want {
		t.Errorf("got  %s, %v\nwant %s", written, err, want)
	}
	for text, want := range map[string]string{
		`{"rate":"x"}`: "bad rate", `{"sped":1}`: "no key", `7`: "want a text", `{"loss":[1]}`: "bad share",
	} {
		if err := json.Unmarshal([]byte(text), new(Direction)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got error %v, want one with %q", text, err, want)
		}
	}
}

// TestDirectionYAML stands in for a YAML decoder, whose numbers are float64.
func TestDirectionYAML(t *testing.T) {
	var d Direction
	err := d.UnmarshalYAML(func(v any) error {
		m, ok := v.(*map[string]any)
		if !ok {
			return errors.New("not a string")
		}
		*m = map[string]any{"rate": "5mbit", "loss": 0.00001, "mtu": uint64(1500)}
		return nil
	})
	if want := (Direction{Rate: 5 * Mbps, Loss: .00001, MTU: 1500}); err != nil || d != want {
		t.Errorf("got %+v, %v, want %+v", d, err, want)
	}
}

func FuzzParseDirection(f *testing.F) {
	for _, s := range []string{"", fullText, "trace=x", "jitter=1ms/0,ge=1/1/0/1", "rate=,,=", "loss=%"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		d, err := ParseDirection(s)
		if err != nil {
			return
		}
		trace := d.Trace
		again, err := ParseDirection(d.String())
		again.Trace = trace
		if err != nil || again != d {
			t.Errorf("%q: %+v is written %q and read %+v, %v", s, d, d, again, err)
		}
		NewPath(d).Send(time.Unix(0, 0), 1000)
	})
}

func TestParseTrace(t *testing.T) {
	trace, err := ParseTrace("x", strings.NewReader("0\r\n5\n5\n\n 10 \n"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]time.Duration{0, 5e6, 5e6, 10e6}, trace.at); diff != "" {
		t.Error(diff)
	}
	if trace.Rate() != 4800*Kbps || trace.Period() != 10*time.Millisecond { // 4 * 1500 bytes in 10 ms
		t.Errorf("rate %v, period %v", trace.Rate(), trace.Period())
	}
	for text, want := range map[string]string{
		"": "no line", "0\n": "no line", "5\n4\n": "line 2: 4 ms is earlier", "a\n": `line 1: "a"`, "-1": "line 1", "9999999999": "line 1", "1.5": "line 1",
		strings.Repeat("1", 1<<17): "token too long",
	} {
		if _, err := ParseTrace("x", strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: got error %v, want one with %q", text, err, want)
		}
	}
}

func TestLoadTrace(t *testing.T) {
	d, err := ParseDirection("trace=a.trace,delay=1ms")
	if err != nil || d.String() != "trace=a.trace,delay=1ms" || d.Trace.Loaded() {
		t.Fatalf("got %q, %v", d, err)
	}
	p := Profile{Down: d}
	err = p.LoadTraces(func(name string) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader("1\n")), nil
	})
	if err != nil || p.Down.Trace.Rate() != 12*Mbps {
		t.Errorf("got %v, %v, want 12 Mbit/s", p.Down.Trace.Rate(), err)
	}
	bad := errors.New("boom")
	for _, open := range []func(string) (io.ReadCloser, error){
		func(string) (io.ReadCloser, error) { return nil, bad },
		func(string) (io.ReadCloser, error) { return io.NopCloser(iotest.ErrReader(bad)), nil },
	} {
		if err := d.LoadTrace(open); !errors.Is(err, bad) || !strings.Contains(err.Error(), "a.trace") {
			t.Errorf("got error %v", err)
		}
	}
}

func TestNamed(t *testing.T) {
	for _, name := range Names() {
		p, err := Named(name)
		if err != nil || p.Name != name || p.Source == "" {
			t.Errorf("%s: got %+v, %v", name, p, err)
		}
		if err := p.Check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		written, _ := json.Marshal(p)
		var read Profile
		if err := json.Unmarshal(written, &read); err != nil || read != p {
			t.Errorf("%s is written %s and read %+v, %v", name, written, read, err)
		}
	}
	if p, err := Named(""); err != nil || p.Name != DefaultProfile {
		t.Errorf("got %v, %v", p, err)
	}
	_, err := Named("dsl")
	if want := `no link profile "dsl": there are lan, fullhd-5mbit, rtc-mild, rtc-weak, sat-adsl, sat-edge`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	broken := Profile{Up: Direction{Loss: 2}}
	if err := broken.Check(); err == nil || err.Error() != "up: loss: 2 is outside 0 to 1" {
		t.Errorf("got %v", err)
	}
}
