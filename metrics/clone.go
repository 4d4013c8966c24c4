package metrics

// Clone returns a copy of p that shares no memory with it. Its rows follow each
// other without padding.
func (p Picture) Clone() Picture {
	out := Picture{Format: p.Format}
	for i, from := range p.Planes {
		if from.Pix == nil {
			continue
		}
		row := from.Width
		if p.Format.Depth > 8 {
			row *= 2
		}
		to := Plane{Pix: make([]byte, row*from.Height), Stride: row, Width: from.Width, Height: from.Height}
		for y := range from.Height {
			copy(to.Pix[y*row:(y+1)*row], from.Pix[y*from.Stride:])
		}
		out.Planes[i] = to
	}
	return out
}
