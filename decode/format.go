package decode

// #include <stdlib.h>
// #include "libav.h"
import "C"

import (
	"fmt"
	"strings"
	"unsafe"

	"github.com/vqeval/vqeval/metrics"
)

// maxAlpha is how many components a format with an alpha plane has.
const maxAlpha = 4

// A layout is a pixel format as we hand it out.
type layout struct {
	name    string         // of the format that is handed out, such as yuv420p10le
	id      int            // libav's number of it
	format  metrics.Format // what it looks like in memory, but for the range
	full    bool           // the name itself says full range (yuvj420p)
	from    string         // the format that it stands for, where they differ in more than a name
	convert bool           // samples must be converted to get there
	rgb     bool           // they are converted from RGB, which makes them limited range
}

// layoutOf finds how pixel format id is handed out: as it is where its planes are
// separate, little-endian and YUV or grey; else as the nearest such format.
func layoutOf(id int) (layout, error) {
	d := C.av_pix_fmt_desc_get(C.enum_AVPixelFormat(id))
	if d == nil || d.flags&C.AV_PIX_FMT_FLAG_HWACCEL != 0 {
		return layout{}, fmt.Errorf("pixel format %d has no samples in memory", id)
	}
	name := C.GoString(d.name)
	if planar(d) {
		return planarLayout(d, name, id), nil
	}
	to := nearest(d)
	l, err := layoutByName(to)
	if err != nil {
		return layout{}, fmt.Errorf("pixel format %s: %w", name, err)
	}
	l.from, l.convert, l.rgb = name, true, d.flags&C.AV_PIX_FMT_FLAG_RGB != 0
	return l, nil
}

// layoutByName is layoutOf a format's name.
func layoutByName(name string) (layout, error) {
	s := C.CString(name)
	defer C.free(unsafe.Pointer(s))
	id := C.av_get_pix_fmt(s)
	if id == C.AV_PIX_FMT_NONE {
		return layout{}, fmt.Errorf("unknown pixel format %q: want one such as yuv420p, yuv422p10le, gray", name)
	}
	return layoutOf(int(id))
}

// planar reports whether the format's Y, U and V can be handed out as they lie.
func planar(d *C.AVPixFmtDescriptor) bool {
	const never = C.AV_PIX_FMT_FLAG_RGB | C.AV_PIX_FMT_FLAG_PAL | C.AV_PIX_FMT_FLAG_BITSTREAM | C.AV_PIX_FMT_FLAG_FLOAT | C.AV_PIX_FMT_FLAG_BAYER
	if d.flags&never != 0 || d.nb_components == 2 {
		return false
	}
	big := d.flags&C.AV_PIX_FMT_FLAG_BE != 0
	for i := range int(d.nb_components) {
		c := d.comp[i]
		size := C.int(1)
		if c.depth > 8 {
			size = 2
		}
		if c.plane != C.int(i) || c.step != size || c.offset != 0 || c.shift != 0 || c.depth < 8 || c.depth > 16 || size == 2 && big {
			return false
		}
	}
	return true
}

// planarLayout describes a format that planar accepts. The yuvj formats are the
// yuv ones with a range in their name; a fourth plane (alpha) is left out.
func planarLayout(d *C.AVPixFmtDescriptor, name string, id int) layout {
	l := layout{name: name, id: id, format: metrics.Format{Depth: int(d.comp[0].depth), Planes: 1}}
	if d.nb_components >= 3 {
		l.format.Planes = 3
		l.format.ChromaShiftX, l.format.ChromaShiftY = int(d.log2_chroma_w), int(d.log2_chroma_h)
	}
	plain := name
	if rest, ok := strings.CutPrefix(name, "yuvj"); ok {
		plain, l.full = "yuv"+rest, true
	}
	if d.nb_components == maxAlpha {
		plain, l.from = strings.Replace(name, "yuva", "yuv", 1), name
	}
	if plain != name {
		s := C.CString(plain)
		defer C.free(unsafe.Pointer(s))
		if p := C.av_get_pix_fmt(s); p != C.AV_PIX_FMT_NONE {
			l.name, l.id = plain, int(p)
		}
	}
	return l
}

// nearest names the planar format that holds every sample of d: the same chroma
// subsampling for YUV, 4:4:4 for RGB, no fewer bits.
func nearest(d *C.AVPixFmtDescriptor) string {
	depth := 8
	for i := range int(d.nb_components) {
		depth = max(depth, int(d.comp[i].depth))
	}
	base := "yuv444p"
	switch {
	case d.flags&(C.AV_PIX_FMT_FLAG_RGB|C.AV_PIX_FMT_FLAG_PAL|C.AV_PIX_FMT_FLAG_BAYER) != 0:
	case d.nb_components <= 2:
		base = "gray"
	case d.log2_chroma_w == 1 && d.log2_chroma_h == 1:
		base = "yuv420p"
	case d.log2_chroma_w == 1:
		base = "yuv422p"
	}
	return base + depthSuffix(depth)
}

// depthSuffix completes a format's name with the next depth for which libav has
// a name.
func depthSuffix(depth int) string {
	switch {
	case depth <= 8:
		return ""
	case depth <= 10:
		return "10le"
	case depth <= 12:
		return "12le"
	case depth <= 14:
		return "14le"
	}
	return "16le"
}
