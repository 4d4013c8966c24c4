package link

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// A Rate is a data rate in bits per second; its units are decimal. As text it
// is "5mbit", "500kbit", "5M", "64k", "1.5 Mbit/s" or a plain number of bit/s.
type Rate int64

// Units of Rate, to be multiplied: 5 * Mbps.
const (
	Kbps Rate = 1e3
	Mbps Rate = 1e6
	Gbps Rate = 1e9
)

// maxRate is the largest Rate that text can hold: 1 Tbit/s.
const maxRate = 1000 * Gbps

// Airtime returns how long size bytes occupy a link of this rate, rounded up
// to a nanosecond. It is zero at the unlimited rate 0.
func (r Rate) Airtime(size int) time.Duration {
	if r <= 0 || size <= 0 {
		return 0
	}
	whole, rest := airtime(int64(size), 0, int64(r))
	if rest > 0 {
		whole++
	}
	return time.Duration(whole)
}

// String writes the rate for people: "5 Mbit/s", "384 kbit/s".
func (r Rate) String() string {
	unit, name := Rate(1), "bit/s"
	switch {
	case r >= Gbps:
		unit, name = Gbps, "Gbit/s"
	case r >= Mbps:
		unit, name = Mbps, "Mbit/s"
	case r >= Kbps:
		unit, name = Kbps, "kbit/s"
	}
	return strconv.FormatFloat(float64(r)/float64(unit), 'f', -1, 64) + " " + name
}

// MarshalText writes the rate as ParseRate reads it, exactly: "5mbit".
func (r Rate) MarshalText() ([]byte, error) {
	s := strings.ReplaceAll(strings.TrimSuffix(r.String(), "/s"), " ", "")
	return []byte(strings.ToLower(s)), nil
}

// UnmarshalText is ParseRate.
func (r *Rate) UnmarshalText(text []byte) (err error) {
	*r, err = ParseRate(string(text))
	return err
}

// ParseRate reads a Rate from 0 (unlimited) to 1 Tbit/s.
func ParseRate(s string) (Rate, error) {
	number, unit := splitUnit(strings.TrimSuffix(strings.ToLower(s), "/s"))
	v, err := strconv.ParseFloat(number, 64)
	scale, known := map[string]Rate{
		"": 1, "bit": 1, "bps": 1,
		"k": Kbps, "kbit": Kbps, "kbps": Kbps,
		"m": Mbps, "mbit": Mbps, "mbps": Mbps,
		"g": Gbps, "gbit": Gbps, "gbps": Gbps,
	}[unit]
	if err != nil || !known {
		return 0, fmt.Errorf("bad rate %q: want bit/s with a unit, such as 5mbit or 500kbit", s)
	}
	v = math.Round(v * float64(scale))
	if v > float64(maxRate) {
		return 0, fmt.Errorf("rate %q is above 1 Tbit/s", s)
	}
	return Rate(v), nil
}

// A Size is a number of bytes. As text it is "64KiB", "100kB", "1MiB" or a
// plain number; K without a unit is refused, since it means 1000 to some
// people and 1024 to others.
type Size int

// Units of Size.
const (
	KB  Size = 1000
	KiB Size = 1 << 10
	MB  Size = 1000 * KB
	MiB Size = 1 << 20
)

// maxSize is the largest Size that text can hold: 1 GiB.
const maxSize = 1 << 30

// MarshalText writes the size as ParseSize reads it, exactly: "64KiB".
func (s Size) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText is ParseSize.
func (s *Size) UnmarshalText(text []byte) (err error) {
	*s, err = ParseSize(string(text))
	return err
}

// String writes the size in the largest unit that divides it.
func (s Size) String() string {
	unit, name := Size(1), ""
	switch {
	case s == 0:
	case s%MiB == 0:
		unit, name = MiB, "MiB"
	case s%MB == 0:
		unit, name = MB, "MB"
	case s%KiB == 0:
		unit, name = KiB, "KiB"
	case s%KB == 0:
		unit, name = KB, "kB"
	}
	return strconv.Itoa(int(s/unit)) + name
}

// ParseSize reads a Size from 0 to 1 GiB. A fraction of a byte is rounded.
func ParseSize(s string) (Size, error) {
	number, unit := splitUnit(strings.ToLower(s))
	v, err := strconv.ParseFloat(number, 64)
	scale, known := map[string]Size{
		"": 1, "b": 1, "kb": KB, "kib": KiB, "mb": MB, "mib": MiB, "gb": 1000 * MB, "gib": 1024 * MiB,
	}[unit]
	if err != nil || !known {
		return 0, fmt.Errorf("bad size %q: want bytes, such as 1500, 64KiB or 100kB", s)
	}
	v = math.Round(v * float64(scale))
	if v > maxSize {
		return 0, fmt.Errorf("size %q is above 1 GiB", s)
	}
	return Size(v), nil
}

// A Fraction is a share or a chance in [0, 1]. As text it is "1%" or "0.01".
type Fraction float64

// String writes the fraction in per cent where that is exact.
func (f Fraction) String() string {
	percent := strconv.FormatFloat(math.Round(float64(f)*100e9)/1e9, 'f', -1, 64)
	if v, err := strconv.ParseFloat(percent, 64); err == nil && Fraction(v/100) == f {
		return percent + "%"
	}
	return strconv.FormatFloat(float64(f), 'f', -1, 64)
}

// MarshalText writes the fraction as ParseFraction reads it, exactly.
func (f Fraction) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText is ParseFraction.
func (f *Fraction) UnmarshalText(text []byte) (err error) {
	*f, err = ParseFraction(string(text))
	return err
}

// ParseFraction reads "1%" or "0.01" and refuses what lies outside [0, 1].
func ParseFraction(s string) (Fraction, error) {
	number, unit := splitUnit(s)
	v, err := strconv.ParseFloat(number, 64)
	if err != nil || (unit != "" && unit != "%") {
		return 0, fmt.Errorf("bad share %q: want a percentage or a number from 0 to 1, such as 1%% or 0.01", s)
	}
	if unit == "%" {
		v /= 100
	}
	if v > 1 {
		return 0, fmt.Errorf("share %q is above 1 (percentages end in %%)", s)
	}
	return Fraction(v), nil
}

// A Duration is a time.Duration whose text must carry its unit: "20ms", "1.5s".
type Duration time.Duration

// String writes the duration as time.Duration does.
func (d Duration) String() string { return time.Duration(d).String() }

// MarshalText writes the duration as ParseDuration reads it.
func (d Duration) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText is ParseDuration.
func (d *Duration) UnmarshalText(text []byte) error {
	v, err := ParseDuration(string(text))
	*d = Duration(v)
	return err
}

// ParseDuration reads a duration that is not negative, such as "20ms".
func ParseDuration(s string) (time.Duration, error) {
	v, err := time.ParseDuration(s)
	if err != nil {
		return 0, fmt.Errorf("bad duration %q: want a number with its unit, such as 20ms or 1.5s", s)
	}
	if v < 0 {
		return 0, fmt.Errorf("duration %q is negative", s)
	}
	return v, nil
}

// splitUnit cuts "5 mbit" into "5" and "mbit". The number has no sign and no
// exponent, so neither "-1" nor "inf" passes for one.
func splitUnit(s string) (number, unit string) {
	s = strings.TrimSpace(s)
	end := strings.IndexFunc(s, func(c rune) bool { return c != '.' && (c < '0' || c > '9') })
	if end < 0 {
		return s, ""
	}
	return s[:end], strings.TrimSpace(s[end:])
}
