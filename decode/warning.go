package decode

import "fmt"

// Trouble is a kind of Warning.
type Trouble uint8

// The kinds of trouble that do not stop a decoder.
const (
	Truncated  Trouble = iota // the input ends inside a picture
	Corrupt                   // the decoder or the demuxer met broken data
	SizeChange                // pictures change their size or format on the way
	NoAlpha                   // an alpha plane is left out
	Hidden                    // the container's edit list hides pictures, and they are not shown
)

// A Warning is something about an input that its numbers must not hide.
type Warning struct {
	Kind   Trouble
	Frame  int    // picture where it was first met: from 0, in presentation order; for Truncated in coded order
	Count  int    // pictures or packets that it is about; 0 = not known
	Total  int    // pictures that the container promises; 0 = not known
	Detail string // what libav said, or the sizes
}

// String is a sentence without a full stop.
func (w Warning) String() string {
	detail := ""
	if w.Detail != "" {
		detail = ": " + w.Detail
	}
	switch w.Kind {
	case Truncated:
		if w.Total > 0 {
			return fmt.Sprintf("the file ends inside frame %d of %d", w.Frame, w.Total) + detail
		}
		return fmt.Sprintf("the file ends inside frame %d", w.Frame) + detail
	case Corrupt:
		return fmt.Sprintf("broken data in %s, first near frame %d", plural(w.Count, "picture"), w.Frame) + detail
	case SizeChange:
		return fmt.Sprintf("pictures change at frame %d", w.Frame) + detail
	case NoAlpha:
		return "the alpha plane is left out" + detail
	case Hidden:
		return "the container's edit list hides " + plural(w.Count, "picture") + detail
	}
	return fmt.Sprintf("trouble %d", w.Kind) + detail
}

func plural(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}
