package align

import (
	"encoding/binary"
	"hash/crc32"

	"github.com/vqeval/vqeval/metrics"
)

// The luma is cut into this many blocks.
const (
	blocksX = 32
	blocksY = 18
	blocks  = blocksX * blocksY
)

// A Signature is the essence of a frame's luma. Equal luma planes have equal
// signatures, whatever their strides. Its size is fixed, about 1.1 KiB, so that
// of an hour at 25 frames/s takes 100 MB.
type Signature struct {
	means [blocks]uint16 // means of blocks, in 1/256 of an 8-bit code value
	sum   uint32         // CRC-32C of all samples: tells apart what the means do not
}

// fewRows is what a block's mean is taken from at least: of the 60 rows of a
// block at 1080p every seventh.
const fewRows = 8

// Sign makes the signature of a plane, whose samples have depth bits. A plane
// without samples gives the zero Signature.
func Sign(p metrics.Plane, depth int) Signature {
	var s Signature
	if p.Width <= 0 || p.Height <= 0 {
		return s
	}
	size := 1
	if depth > 8 {
		size = 2
	}
	table := crc32.MakeTable(crc32.Castagnoli)
	for by := range blocksY {
		y0, y1 := span(by, blocksY, p.Height)
		step := max(1, (y1-y0)/fewRows)
		var sums [blocksX]uint32
		rows := 0
		for y := y0; y < y1; y++ {
			row := p.Pix[y*p.Stride : y*p.Stride+p.Width*size]
			s.sum = crc32.Update(s.sum, table, row)
			if (y-y0)%step == 0 {
				addRow(&sums, row, size)
				rows++
			}
		}
		for bx := range sums {
			x0, x1 := span(bx, blocksX, p.Width)
			mean := uint64(sums[bx]) * 256 / uint64(rows*(x1-x0))
			s.means[by*blocksX+bx] = uint16(mean >> max(0, depth-8))
		}
	}
	return s
}

// span cuts length into n parts, of which each has at least one element.
func span(i, n, length int) (from, to int) {
	from = i * length / n
	return from, max(from+1, (i+1)*length/n)
}

// addRow adds the samples of a row, of size bytes each, to the blocks it crosses.
func addRow(sums *[blocksX]uint32, row []byte, size int) {
	width := len(row) / size
	for bx := range sums {
		x0, x1 := span(bx, blocksX, width)
		if size == 1 {
			sums[bx] += sumBytes(row[x0:x1])
		} else {
			sums[bx] += sumPairs(row[2*x0 : 2*x1])
		}
	}
}

// sumBytes adds bytes, eight at a time in 16-bit lanes.
func sumBytes(b []byte) uint32 {
	const (
		lanes = 0x00ff00ff00ff00ff
		most  = 512 // bytes that cannot overflow a lane: 128 of them, 255 each
	)
	if len(b) > most {
		return sumBytes(b[:most]) + sumBytes(b[most:])
	}
	var acc uint64
	if n := len(b); n > 8 && n%8 > 0 { // the last n%8, out of the eight that end with them
		x := binary.LittleEndian.Uint64(b[n-8:]) >> (64 - 8*(n%8))
		acc, b = x&lanes+x>>8&lanes, b[:n&^7]
	}
	for len(b) >= 8 {
		x := binary.LittleEndian.Uint64(b)
		acc += x&lanes + x>>8&lanes
		b = b[8:]
	}
	total := fold(acc)
	for _, v := range b { // of fewer than eight in all
		total += uint32(v)
	}
	return total
}

// sumPairs adds samples of two bytes, four at a time in 32-bit lanes, which
// hold those of any row.
func sumPairs(b []byte) uint32 {
	const lanes = 0x0000ffff0000ffff
	var acc uint64
	for len(b) >= 8 {
		x := binary.LittleEndian.Uint64(b)
		acc += x&lanes + x>>16&lanes
		b = b[8:]
	}
	total := uint32(acc) + uint32(acc>>32)
	for ; len(b) >= 2; b = b[2:] {
		total += uint32(binary.LittleEndian.Uint16(b))
	}
	return total
}

// fold adds the four 16-bit lanes.
func fold(x uint64) uint32 {
	return uint32(x&0xffff + x>>16&0xffff + x>>32&0xffff + x>>48)
}

// flat reports whether the picture has no features: the means of all blocks lie
// within four code values.
func (s *Signature) flat() bool {
	lo, hi := s.means[0], s.means[0]
	for _, m := range s.means {
		lo, hi = min(lo, m), max(hi, m)
	}
	return hi-lo <= 4*256
}
