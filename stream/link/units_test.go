package link

import (
	"encoding"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestParseUnits(t *testing.T) {
	rate := func(s string) (any, error) { return ParseRate(s) }
	size := func(s string) (any, error) { return ParseSize(s) }
	share := func(s string) (any, error) { return ParseFraction(s) }
	duration := func(s string) (any, error) { return ParseDuration(s) }
	tests := []struct {
		parse func(string) (any, error)
		text  string
		want  any
	}{
		{rate, "5mbit", 5 * Mbps}, {rate, "500kbit", 500 * Kbps}, {rate, "5M", 5 * Mbps}, {rate, "64k", 64 * Kbps},
		{rate, "1.5 Mbit/s", 1500 * Kbps}, {rate, "2Gbps", 2 * Gbps}, {rate, "4.35mbit", 4350 * Kbps},
		{rate, "9600", Rate(9600)}, {rate, "0", Rate(0)}, {rate, "1200bit", Rate(1200)},
		{size, "1500", Size(1500)}, {size, "64KiB", 64 * KiB}, {size, "100kB", 100 * KB}, {size, "1.5MiB", 1536 * KiB}, {size, "1GiB", Size(maxSize)},
		{share, "1%", Fraction(.01)}, {share, "0.01", Fraction(.01)}, {share, "0.2%", Fraction(.002)}, {share, "100%", Fraction(1)}, {share, "1", Fraction(1)},
		{duration, "20ms", 20 * time.Millisecond}, {duration, "0", time.Duration(0)}, {duration, "1.5s", 1500 * time.Millisecond},
	}
	for _, tt := range tests {
		if got, err := tt.parse(tt.text); err != nil || got != tt.want {
			t.Errorf("%q: got %v, %v, want %v", tt.text, got, err, tt.want)
		}
	}
}

func TestParseUnitsErrors(t *testing.T) {
	tests := []struct {
		into encoding.TextUnmarshaler
		text string
		want string // part of the error
	}{
		{new(Rate), "", "bad rate"}, {new(Rate), "-5mbit", "bad rate"}, {new(Rate), "infmbit", "bad rate"}, {new(Rate), "5mb", "bad rate"},
		{new(Rate), "1.2.3m", "bad rate"}, {new(Rate), "1e9", "bad rate"}, {new(Rate), "2000gbit", "above 1 Tbit/s"},
		{new(Size), "64k", "bad size"}, {new(Size), "-1", "bad size"}, {new(Size), "2GiB", "above 1 GiB"}, {new(Size), "many", "bad size"},
		{new(Fraction), "5", "percentages end in %"}, {new(Fraction), "101%", "above 1"}, {new(Fraction), "NaN", "bad share"}, {new(Fraction), "-1%", "bad share"},
		{new(Duration), "20", "with its unit"}, {new(Duration), "-1ms", "negative"}, {new(Duration), "", "bad duration"},
	}
	for _, tt := range tests {
		if err := tt.into.UnmarshalText([]byte(tt.text)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%T %q: got error %v, want one with %q", tt.into, tt.text, err, tt.want)
		}
	}
}

func TestUnitsWriteWhatTheyRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		roundTrip(t, Rate(rapid.Int64Range(0, int64(maxRate)).Draw(t, "rate")), new(Rate))
		roundTrip(t, Size(rapid.IntRange(0, maxSize).Draw(t, "size")), new(Size))
		roundTrip(t, Fraction(rapid.Float64Range(0, 1).Draw(t, "share")), new(Fraction))
		roundTrip(t, Fraction(float64(rapid.IntRange(0, 1000).Draw(t, "permille"))/1000), new(Fraction))
		roundTrip(t, Duration(rapid.Int64Range(0, int64(time.Hour)).Draw(t, "duration")), new(Duration))
	})
}

// roundTrip writes v as text and reads that into got.
func roundTrip[T encoding.TextMarshaler, P interface {
	*T
	encoding.TextUnmarshaler
}](t *rapid.T, v T, got P) {
	text, err := v.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	if err := got.UnmarshalText(text); err != nil || any(*got) != any(v) {
		t.Errorf("%T %v is written %q and read %v, %v", v, v, text, *got, err)
	}
}

func TestRateString(t *testing.T) {
	for rate, want := range map[Rate]string{
		5 * Mbps: "5 Mbit/s", 384 * Kbps: "384 kbit/s", 4500 * Kbps: "4.5 Mbit/s", 2 * Gbps: "2 Gbit/s", 0: "0 bit/s",
	} {
		if got := rate.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestAirtime(t *testing.T) {
	tests := []struct {
		rate Rate
		size int
		want time.Duration
	}{
		{Mbps, 1250, 10 * time.Millisecond},
		{3 * Mbps, 1, 2667}, // 8/3 µs, rounded up
		{0, 1500, 0},
		{Mbps, 0, 0},
		{1, maxSize, 8 * maxSize * time.Second},
	}
	for _, tt := range tests {
		if got := tt.rate.Airtime(tt.size); got != tt.want {
			t.Errorf("%v, %d bytes: got %v, want %v", tt.rate, tt.size, got, tt.want)
		}
	}
}
