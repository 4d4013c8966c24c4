package metrics

import "testing"

func TestCloneSharesNothing(t *testing.T) {
	for _, depth := range []int{8, 10} {
		bytes := 1
		if depth > 8 {
			bytes = 2
		}
		pix := make([]byte, 7*3*bytes+20)
		for i := range pix {
			pix[i] = byte(i)
		}
		p := Picture{Format: Format{Depth: depth, Planes: 1}, Planes: [3]Plane{{Pix: pix, Stride: 7*bytes + 3, Width: 7, Height: 3}}}
		c := p.Clone()
		for y := range 3 {
			for x := range 7 * bytes {
				if got, want := c.Planes[0].Pix[y*7*bytes+x], pix[y*(7*bytes+3)+x]; got != want {
					t.Fatalf("depth %d: byte %d of row %d is %d, want %d", depth, x, y, got, want)
				}
			}
		}
		pix[0] = 99
		if c.Planes[0].Pix[0] == 99 {
			t.Errorf("depth %d: the copy changes with the original", depth)
		}
	}
}
