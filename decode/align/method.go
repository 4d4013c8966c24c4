package align

import "fmt"

// Method is a way to pair frames.
type Method uint8

// The methods, Auto being the best of those that the clips allow.
const (
	Auto    Method = iota
	RTP            // RTP timestamps
	PTS            // presentation times of the container
	Index          // order of frames from the first
	Content        // the pictures
	Coded          // coded pictures that are those of the reference, byte for byte
)

var names = [...]string{"auto", "rtp", "pts", "index", "content", "coded"}

// String is the method's name on the command line.
func (m Method) String() string {
	if int(m) < len(names) {
		return names[m]
	}
	return fmt.Sprintf("Method(%d)", uint8(m))
}

// MarshalText writes the method's name.
func (m Method) MarshalText() ([]byte, error) {
	if int(m) >= len(names) {
		return nil, fmt.Errorf("unknown alignment method %d", m)
	}
	return []byte(names[m]), nil
}

// UnmarshalText reads a name that MarshalText writes.
func (m *Method) UnmarshalText(text []byte) error {
	for i, n := range names {
		if n == string(text) {
			*m = Method(i)
			return nil
		}
	}
	return fmt.Errorf("unknown alignment method %q: want auto, rtp, pts, index, content or coded", text)
}

// Methods lists the names that Method reads and writes, in their order.
func Methods() []string { return append([]string(nil), names[:]...) }
