package decode

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

const (
	y4mMagic  = "YUV4MPEG2"
	frameMark = "FRAME"
	y4mLine   = 1024 // longest line we take, bytes; libavformat takes 96
)

// A y4mHeader is what the first line of a .y4m says.
type y4mHeader struct {
	size   Size
	rate   Rate
	format string // libav's name
	tag    Range
	length int // of the line with its end, bytes
}

// readY4M reads the first line of a .y4m; of any other file ok is false.
func readY4M(file []byte) (h y4mHeader, ok bool, err error) {
	if !bytes.HasPrefix(file, []byte(y4mMagic+" ")) {
		return h, false, nil
	}
	line, _, ended := bytes.Cut(file[:min(y4mLine, len(file))], []byte("\n"))
	if !ended {
		return h, false, fmt.Errorf("%w: the first line of the .y4m does not end", ErrFormat)
	}
	h, err = parseY4M(string(line))
	h.length = len(line) + 1
	return h, err == nil, err
}

// parseY4M reads a first line without its end, such as "YUV4MPEG2 W64 H48 F25:1
// Ip A1:1 C420jpeg XCOLORRANGE=LIMITED".
func parseY4M(line string) (y4mHeader, error) {
	h := y4mHeader{format: "yuv420p"}
	for _, word := range strings.Fields(line)[1:] {
		var err error
		switch value := word[1:]; word[0] {
		case 'W':
			h.size.Width, err = strconv.Atoi(value)
		case 'H':
			h.size.Height, err = strconv.Atoi(value)
		case 'F':
			h.rate, err = parseY4MRate(value)
		case 'C':
			h.format, err = y4mFormat(value)
		case 'X':
			switch strings.ToUpper(value) {
			case "COLORRANGE=FULL":
				h.tag = RangeFull
			case "COLORRANGE=LIMITED":
				h.tag = RangeLimited
			}
		}
		if err != nil {
			return y4mHeader{}, fmt.Errorf("%w: .y4m header: bad %q: %w", ErrFormat, word, err)
		}
	}
	if err := h.size.check(); err != nil {
		return y4mHeader{}, fmt.Errorf("%w: .y4m header: %w", ErrFormat, err)
	}
	h.rate = h.rate.orDefault()
	return h, nil
}

// parseY4MRate reads 30000:1001; 0:0 is an unknown rate.
func parseY4MRate(s string) (Rate, error) {
	a, b, ok := strings.Cut(s, ":")
	num, err := strconv.Atoi(a)
	if err != nil || !ok {
		return Rate{}, errors.New("want a fraction such as 25:1")
	}
	den, err := strconv.Atoi(b)
	if err != nil || num < 0 || den < 0 || num > 1<<31-1 || den > 1<<31-1 {
		return Rate{}, errors.New("want a fraction such as 25:1")
	}
	return Rate{num, den}, nil
}

// y4mFormat translates a colour space into libav's name: 420jpeg, 420mpeg2 and
// 420paldv differ in where chroma samples sit, not in their layout.
func y4mFormat(s string) (string, error) {
	switch s {
	case "420jpeg", "420mpeg2", "420paldv", "420":
		return "yuv420p", nil
	case "411", "422", "444", "440", "410":
		return "yuv" + s + "p", nil
	case "mono":
		return "gray", nil
	}
	base, depth, ok := strings.Cut(s, "p")
	if rest, mono := strings.CutPrefix(s, "mono"); mono {
		base, depth, ok = "mono", rest, true
	}
	switch depth {
	case "9", "10", "12", "14", "16":
	default:
		ok = false
	}
	switch {
	case ok && base == "mono":
		return "gray" + depth + "le", nil
	case ok && (base == "420" || base == "422" || base == "444"):
		return "yuv" + base + "p" + depth + "le", nil
	}
	return "", errors.New("unknown colour space")
}
