package h264

import (
	"errors"
	"fmt"
)

// A Config is what a container knows of a stream beside its samples: the
// AVCDecoderConfigurationRecord, or avcC (ISO/IEC 14496-15, 5.3.3.1).
type Config struct {
	LengthSize                  int // bytes of the length before each NAL unit, 1, 2 or 4; 0 = the samples are Annex B
	Profile, Constraints, Level int // the three bytes of an SPS that begin with profile_idc
	SPS, PPS                    [][]byte
	// Extension holds the bytes behind the last PPS as they are: chroma format,
	// bit depths and SPS extensions of the high profiles, or nothing.
	Extension []byte
}

var errConfigEnd = errors.New("avcC: ends too early")

// ParseConfig reads an avcC. Parameter sets in Annex B form, which other
// containers keep in the same place, are accepted too; LengthSize is then 0.
// The Config shares the memory of b.
func ParseConfig(b []byte) (Config, error) {
	if len(b) >= 4 && b[0] == 0 && b[1] == 0 && (b[2] == 1 || b[2] == 0 && b[3] == 1) {
		return configOf(SplitAnnexB(b))
	}
	if len(b) < 7 {
		return Config{}, errConfigEnd
	}
	if b[0] != 1 {
		return Config{}, fmt.Errorf("avcC: version %d, want 1", b[0])
	}
	c := Config{Profile: int(b[1]), Constraints: int(b[2]), Level: int(b[3]), LengthSize: int(b[4]&3) + 1}
	var err error
	if c.SPS, b, err = configSets(b[5:], 0x1f, TypeSPS); err != nil {
		return Config{}, err
	}
	if c.PPS, b, err = configSets(b, 0xff, TypePPS); err != nil {
		return Config{}, err
	}
	c.Extension = b[:len(b):len(b)]
	return c, nil
}

// configSets reads a counted list of parameter sets and returns what follows.
func configSets(b []byte, mask byte, want Type) (sets [][]byte, rest []byte, err error) {
	if len(b) == 0 {
		return nil, nil, errConfigEnd
	}
	count := int(b[0] & mask)
	b = b[1:]
	for range count {
		if len(b) < 2 {
			return nil, nil, errConfigEnd
		}
		size := int(b[0])<<8 | int(b[1])
		b = b[2:]
		if size > len(b) {
			return nil, nil, errConfigEnd
		}
		n := b[:size:size]
		if TypeOf(n) != want {
			return nil, nil, fmt.Errorf("avcC: NAL unit type %d among those of type %d", TypeOf(n), want)
		}
		sets, b = append(sets, n), b[size:]
	}
	return sets, b, nil
}

// configOf collects the parameter sets among NAL units.
func configOf(nalus [][]byte) (Config, error) {
	var c Config
	for _, n := range nalus {
		switch TypeOf(n) {
		case TypeSPS:
			c.SPS = append(c.SPS, n)
		case TypePPS:
			c.PPS = append(c.PPS, n)
		}
	}
	if len(c.SPS) == 0 || len(c.SPS[0]) < 4 {
		return Config{}, errors.New("codec configuration: no SPS among the NAL units")
	}
	s := c.SPS[0]
	c.Profile, c.Constraints, c.Level = int(s[1]), int(s[2]), int(s[3])
	return c, nil
}

// NewConfig describes a stream by its first access unit with an SPS, for
// samples with a length of four bytes. Without an SPS it is an error.
func NewConfig(units []AccessUnit) (Config, error) {
	for _, u := range units {
		if c, err := configOf(u.NALUs); err == nil {
			c.LengthSize = 4
			return c, nil
		}
	}
	return Config{}, errors.New("codec configuration: no SPS in the stream")
}

// Append appends the configuration as an avcC to dst. It is an error if a
// parameter set is longer than 65535 bytes, if there are more than 31 SPS or
// 255 PPS, or if LengthSize is not 1, 2 or 4.
func (c Config) Append(dst []byte) ([]byte, error) {
	if c.LengthSize != 1 && c.LengthSize != 2 && c.LengthSize != 4 {
		return dst, fmt.Errorf("avcC: length field of %d bytes, want 1, 2 or 4", c.LengthSize)
	}
	if len(c.SPS) > 31 || len(c.PPS) > 255 {
		return dst, fmt.Errorf("avcC: %d SPS and %d PPS, want at most 31 and 255", len(c.SPS), len(c.PPS))
	}
	out := append(dst, 1, byte(c.Profile), byte(c.Constraints), byte(c.Level), 0xfc|byte(c.LengthSize-1), 0xe0|byte(len(c.SPS)))
	out, err := AppendAVCC(out, 2, c.SPS...)
	if err == nil {
		out, err = AppendAVCC(append(out, byte(len(c.PPS))), 2, c.PPS...)
	}
	if err != nil {
		return dst, err
	}
	return append(out, c.Extension...), nil
}
