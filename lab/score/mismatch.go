package score

import (
	"fmt"

	"github.com/vqeval/vqeval/decode"
)

// A MismatchError refuses to compare pictures of different kinds, which nobody
// may convert unasked.
type MismatchError struct {
	What     string // "size", "bit depth"
	Ref, Got string // of the reference and of the capture
	Flag     string // that makes the conversion happen, as on the command line
}

// Error names both and the flag.
func (e *MismatchError) Error() string {
	return fmt.Sprintf("%s differs: the reference has %s, the capture %s; %s converts the capture", e.What, e.Ref, e.Got, e.Flag)
}

// compare says whether captured pictures can be measured against the reference's:
// refused, or with luma only, and what to note about them.
func compare(ref, got decode.Info, o Options) (lumaOnly bool, notes []string, err error) {
	if ref.Width != got.Width || ref.Height != got.Height {
		return false, nil, &MismatchError{"picture size", sizeOf(ref), sizeOf(got), "--scale bicubic"}
	}
	if ref.Format.Depth != got.Format.Depth {
		return false, nil, &MismatchError{"bit depth", depthOf(ref), depthOf(got), "--convert"}
	}
	if got.ConvertedFrom != "" {
		notes = append(notes, fmt.Sprintf("the capture's pictures were converted from %s to %s", got.ConvertedFrom, describe(got)))
	}
	if ref.ConvertedFrom != "" {
		notes = append(notes, fmt.Sprintf("the reference's pictures were converted from %s to %s", ref.ConvertedFrom, describe(ref)))
	}
	if a, b := ref.Format, got.Format; a.Planes != b.Planes || a.Planes > 1 && (a.ChromaShiftX != b.ChromaShiftX || a.ChromaShiftY != b.ChromaShiftY) {
		lumaOnly = true
		notes = append(notes, fmt.Sprintf("only luma is compared: the reference is %s, the capture %s; --convert converts the capture", ref.PixelFormat, got.PixelFormat))
	}
	if full(ref) != full(got) && o.Range == decode.RangeUnknown {
		notes = append(notes, fmt.Sprintf("warning: the sample ranges differ: the reference is tagged %s, the capture %s; samples are compared as coded, --range limited converts them",
			rangeOf(ref), rangeOf(got)))
	}
	if a, b := ref.FrameRate.Float(), got.FrameRate.Float(); got.HasPTS && a > 0 && b > 0 && (a-b > a/1000 || b-a > a/1000) {
		notes = append(notes, fmt.Sprintf("the frame rates differ: reference %.3f, capture %.3f frames/s", a, b))
	}
	return lumaOnly, notes, nil
}

// conversionFor is what Options ask of a capture's decoder.
func conversionFor(ref, got decode.Info, o Options) conversion {
	c := conversion{to: o.Range}
	if o.Scale && (ref.Width != got.Width || ref.Height != got.Height) {
		c.scale = decode.Size{Width: ref.Width, Height: ref.Height}
	}
	if o.Convert && ref.PixelFormat != got.PixelFormat {
		c.format = ref.PixelFormat
	}
	return c
}

func full(i decode.Info) bool { return i.RangeTag == decode.RangeFull }

func rangeOf(i decode.Info) string {
	if i.RangeTag == decode.RangeUnknown {
		return "with none (taken as limited)"
	}
	return i.RangeTag.String()
}

func sizeOf(i decode.Info) string { return fmt.Sprintf("%dx%d", i.Width, i.Height) }

func depthOf(i decode.Info) string {
	return fmt.Sprintf("%d bits (%s)", i.Format.Depth, i.PixelFormat)
}

func describe(i decode.Info) string { return sizeOf(i) + " " + i.PixelFormat }
