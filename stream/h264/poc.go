package h264

// An orderCounter derives picture order counts (8.2.1) of pictures in decoding
// order. Its zero value stands before the first picture.
type orderCounter struct {
	msb, lsb int // of the previous reference picture (type 0)
	frameNum int // of the previous picture (types 1 and 2)
	offset   int // FrameNumOffset of the previous picture
}

// next returns the picture order count of a picture: of a frame the smaller of
// its fields'. A picture with memory management operation 5 counts from 0 again.
func (c *orderCounter) next(h *sliceHeader) int {
	var top, bottom int
	switch h.sps.POCType {
	case 0:
		top, bottom = c.typeZero(h)
	case 1:
		top, bottom = c.typeOne(h)
	default:
		top, bottom = c.typeTwo(h)
	}
	poc := min(top, bottom)
	if h.field && h.bottom {
		poc = bottom
	} else if h.field {
		poc = top
	}
	if h.reset {
		*c = orderCounter{}
		if !h.bottom {
			c.lsb = top - poc
		}
		return 0
	}
	return poc
}

// typeZero is 8.2.1.1.
func (c *orderCounter) typeZero(h *sliceHeader) (top, bottom int) {
	if h.idr() {
		c.msb, c.lsb = 0, 0
	}
	size := 1 << h.sps.POCBits
	msb := c.msb
	switch {
	case h.lsb < c.lsb && c.lsb-h.lsb >= size/2:
		msb += size
	case h.lsb > c.lsb && h.lsb-c.lsb > size/2:
		msb -= size
	}
	if h.refIDC != 0 {
		c.msb, c.lsb = msb, h.lsb
	}
	return msb + h.lsb, msb + h.lsb + h.bottomLSB
}

// frameOffset is FrameNumOffset (equations 8-6 and 8-11).
func (c *orderCounter) frameOffset(h *sliceHeader) int {
	if h.idr() {
		c.offset = 0
	} else if c.frameNum > h.frameNum {
		c.offset += 1 << h.sps.FrameBits
	}
	c.frameNum = h.frameNum
	return c.offset
}

// typeOne is 8.2.1.2.
func (c *orderCounter) typeOne(h *sliceHeader) (top, bottom int) {
	s, cycle := h.sps, len(h.sps.POCRefOffsets)
	abs := c.frameOffset(h) + h.frameNum
	if cycle == 0 {
		abs = 0
	}
	if h.refIDC == 0 && abs > 0 {
		abs--
	}
	expected, sum := 0, 0
	for i, offset := range s.POCRefOffsets {
		if abs > 0 && i <= (abs-1)%cycle {
			expected += int(offset)
		}
		sum += int(offset)
	}
	if abs > 0 {
		expected += (abs - 1) / cycle * sum
	}
	if h.refIDC == 0 {
		expected += int(s.POCNonRef)
	}
	top = expected + h.delta[0]
	return top, top + int(s.POCTopToBottom) + h.delta[1]
}

// typeTwo is 8.2.1.3: pictures are shown in decoding order.
func (c *orderCounter) typeTwo(h *sliceHeader) (top, bottom int) {
	poc := 2 * (c.frameOffset(h) + h.frameNum)
	if h.refIDC == 0 {
		poc--
	}
	return poc, poc
}
