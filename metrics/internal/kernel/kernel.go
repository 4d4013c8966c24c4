// Package kernel holds the inner loops of the metrics.
//
// Each kernel has a portable form, named …Generic, which is the definition of
// what it computes and is built on every machine. Where there is an assembly
// form (amd64 with AVX2 and FMA, for the Gaussian also with AVX-512, unless
// built with the tag purego), the tests hold it to the portable one: bit for bit
// where the arithmetic is in integers or has one defined order, within a stated
// bound for the Gaussian.
//
// Planes are byte slices with a stride in bytes. Samples of depth 8 are bytes,
// deeper ones two bytes little endian. Assembly cannot be interrupted by Go's
// scheduler, so it is called for a band of rows at a time.
package kernel

// MaxWidth is the widest plane in samples. It keeps every 32-bit lane of the
// kernels from overflowing: a row adds at most 16*255² for each 32 samples.
const MaxWidth = 1 << 16

// Config chooses the samples' depth and the form of the kernels.
type Config struct {
	Depth    int  // bits a sample, 8 to 16
	Portable bool // the generic form even where there is a faster one
	Narrow   bool // no vectors of 512 bits even where the processor has them
}

func (c Config) bytes() int {
	if c.Depth > 8 {
		return 2
	}
	return 1
}

// lanes sums values in eight columns, value i in column i%8, so that vector
// code and plain code add in the same order and agree to the last bit.
type lanes [8]float64

func (l *lanes) sum() float64 {
	return ((l[0] + l[1]) + (l[2] + l[3])) + ((l[4] + l[5]) + (l[6] + l[7]))
}
