package kernel

// Blocks measures planes in the ffmpeg dialect of SSIM, and their squared
// error in the same pass: windows of 8x8 samples every 4 samples, each made of
// 2x2 cells of 4x4 samples, so that every sample is read once. It is the
// memory for that, for one goroutine.
type Blocks struct {
	c      Config
	k      constants
	stride int          // entries between the maps of a row of cells
	narrow [2][]int32   // two rows of cells, depth 8
	wide   [2][]float64 // two rows of cells, above
	acc    lanes
}

// NewBlocks returns the memory for planes of up to width samples a row.
func NewBlocks(width int, c Config) *Blocks {
	k := &Blocks{c: c, k: ffmpegConstants(c.Depth), stride: (width/4+7)&^7 + 8} // a last group of 8 windows reads 9 cells
	for i := range 2 {
		if c.Depth > 8 {
			k.wide[i] = make([]float64, 4*k.stride)
		} else {
			k.narrow[i] = make([]int32, 3*k.stride)
		}
	}
	return k
}

// Measure returns the mean SSIM and the sum of squared differences of two
// planes of at least 8x8 samples. Rows and columns beyond a multiple of 4 count
// for the sum alone.
func (k *Blocks) Measure(a []byte, sa int, b []byte, sb, w, h int) (ssim float64, sse uint64) {
	k.acc = lanes{}
	cols, rows := w/4, h/4
	for y := range rows {
		sse += k.row(a[4*y*sa:], sa, b[4*y*sb:], sb, cols, y)
	}
	if x := 4 * cols; x < w {
		o := x * k.c.bytes()
		sse += SSE(k.c, a[o:], sa, b[o:], sb, w-x, 4*rows)
	}
	if y := 4 * rows; y < h {
		sse += SSE(k.c, a[y*sa:], sa, b[y*sb:], sb, w, h-y)
	}
	return k.acc.sum() / (float64(cols-1) * float64(rows-1)), sse
}

// row sums the row y of cells and adds the windows that it completes.
func (k *Blocks) row(a []byte, sa int, b []byte, sb, cols, y int) (sse uint64) {
	if k.c.Depth > 8 {
		cur, prev := k.wide[y&1], k.wide[y&1^1]
		sse = cells16(k.c, a, sa, b, sb, cols, cur, k.stride)
		if y > 0 {
			windows16(k.c, cur, prev, k.stride, cols-1, &k.k, &k.acc)
		}
		return sse
	}
	cur, prev := k.narrow[y&1], k.narrow[y&1^1]
	sse = cells8(k.c, a, sa, b, sb, cols, cur, k.stride)
	if y > 0 {
		windows8(k.c, cur, prev, k.stride, cols-1, &k.k, &k.acc)
	}
	return sse
}
