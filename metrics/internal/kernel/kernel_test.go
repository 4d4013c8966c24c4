package kernel

import (
	"encoding/binary"
	"math/rand/v2"
)

// sizes straddle every block of the kernels.
var sizes = []int{0, 1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 35, 63, 64, 65, 138, 139, 1919, 1920, 1921}

// content fills planes with something that tests a kernel.
type content struct {
	name string
	fill func(rng *rand.Rand, max int) uint16
}

// contents are noise, and the farthest that samples can be apart.
var contents = []content{
	{"noise", func(rng *rand.Rand, max int) uint16 { return uint16(rng.IntN(max + 1)) }},
	{"black", func(*rand.Rand, int) uint16 { return 0 }},
	{"white", func(_ *rand.Rand, max int) uint16 { return uint16(max) }},
	{"specks", func(rng *rand.Rand, max int) uint16 { return uint16(max * (rng.IntN(9) / 8)) }},
}

// plane makes samples of the given depth.
func (c content) plane(rng *rand.Rand, n, depth int) []byte {
	p := make([]byte, 0, 2*n)
	for range n {
		v := c.fill(rng, 1<<depth-1)
		if depth == 8 {
			p = append(p, byte(v))
		} else {
			p = binary.LittleEndian.AppendUint16(p, v)
		}
	}
	return p
}

// pairs calls f with the pairs of contents that stress a kernel most.
func pairs(f func(name string, a, b content)) {
	noise, black, white, specks := contents[0], contents[1], contents[2], contents[3]
	for _, p := range [][2]content{{noise, noise}, {black, white}, {white, black}, {white, white}, {specks, noise}} {
		f(p[0].name+"/"+p[1].name, p[0], p[1])
	}
}

func newRand() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

func portable(depth int) Config { return Config{Depth: depth, Portable: true} }
