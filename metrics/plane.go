package metrics

import "fmt"

// Plane is one component of a picture. The scorer reads it and never keeps it.
type Plane struct {
	Pix    []byte // rows from the top; one byte a sample at depth 8, two little endian above
	Stride int    // bytes from one row to the next, at least a row's own
	Width  int    // samples a row
	Height int    // rows
}

// Format says how the samples of a picture are laid out.
type Format struct {
	Depth        int  // bits a sample, 8 to 16; the samples stand in the low bits
	Planes       int  // 1 (luma only) or 3 (Y, U, V)
	ChromaShiftX int  // log2 of the horizontal subsampling of U and V: 1 for 4:2:0 and 4:2:2
	ChromaShiftY int  // log2 of the vertical subsampling of U and V: 1 for 4:2:0
	FullRange    bool // samples use all code values; metrics compare as coded and ignore it
}

// Picture is one frame. Planes beyond Format.Planes are not looked at.
type Picture struct {
	Format Format
	Planes [3]Plane
}

// Max is the largest code value, 2^Depth - 1.
func (f Format) Max() int { return 1<<f.Depth - 1 }

// BytesPerSample is 1 at depth 8 and 2 above.
func (f Format) BytesPerSample() int {
	if f.Depth > 8 {
		return 2
	}
	return 1
}

// PlaneSize is the size in samples of plane i (0 = Y) of a picture of
// width x height; odd sizes round up, as every codec does.
func (f Format) PlaneSize(i, width, height int) (w, h int) {
	if i == 0 {
		return width, height
	}
	return -(-width >> f.ChromaShiftX), -(-height >> f.ChromaShiftY)
}

// Check reports a format that cannot be measured.
func (f Format) Check() error {
	switch {
	case f.Depth < 8 || f.Depth > 16:
		return fmt.Errorf("depth of %d bits is not within 8..16", f.Depth)
	case f.Planes != 1 && f.Planes != 3:
		return fmt.Errorf("%d planes, want 1 or 3", f.Planes)
	case f.ChromaShiftX < 0 || f.ChromaShiftX > 2 || f.ChromaShiftY < 0 || f.ChromaShiftY > 2:
		return fmt.Errorf("chroma subsampling of 2^%d x 2^%d is not within 1..4", f.ChromaShiftX, f.ChromaShiftY)
	}
	return nil
}

// check reports a plane that does not hold w x h samples of bps bytes.
func (p Plane) check(w, h, bps int) error {
	switch {
	case p.Width != w || p.Height != h:
		return fmt.Errorf("size is %dx%d, want %dx%d", p.Width, p.Height, w, h)
	case p.Stride < w*bps:
		return fmt.Errorf("stride of %d bytes is less than a row's %d", p.Stride, w*bps)
	case len(p.Pix) < (h-1)*p.Stride+w*bps:
		return fmt.Errorf("%d bytes, want at least %d", len(p.Pix), (h-1)*p.Stride+w*bps)
	}
	return nil
}
