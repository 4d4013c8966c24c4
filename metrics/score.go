package metrics

import "math"

// MaxPSNR is the ceiling of PSNR in dB, VQMT's convention. It also catches
// frames that are not identical (at 1920x1080 every luma sum of squared errors
// up to 13), so Score.Identical says which were.
const MaxPSNR = 100

// Score is the distance of one captured picture from its reference. Arrays are
// in the order Y, U, V; the entries of planes that were not measured are 0.
type Score struct {
	SSE  [3]uint64  // sum of squared errors in squared code values, exact
	MSE  [3]float64 // SSE per sample
	PSNR [3]float64 // dB, at most MaxPSNR
	SSIM [3]float64 // -1..1

	MSEYUV, PSNRYUV, SSIMYUV float64 // planes weighted by their area; PSNRYUV is the PSNR of MSEYUV
	MSSSIM                   float64 // 0..1, of luma; 0 if it was not asked for

	Identical bool // every measured sample is equal
	Planes    int  // planes measured, 1 or 3
}

// PSNR is the peak signal to noise ratio in dB for a mean squared error in
// squared code values and the largest code value max: at most MaxPSNR, never
// infinite.
func PSNR(mse float64, max int) float64 {
	if mse <= 0 {
		return MaxPSNR
	}
	return min(MaxPSNR, 10*math.Log10(float64(max)*float64(max)/mse))
}

// finish derives everything from SSE, SSIM and the planes' areas in samples.
func (s *Score) finish(areas [3]int, max int) {
	var sse uint64
	var area, ssim float64
	for i := range s.Planes {
		a := float64(areas[i])
		s.MSE[i] = float64(s.SSE[i]) / a
		s.PSNR[i] = PSNR(s.MSE[i], max)
		sse += s.SSE[i]
		area += a
		ssim += s.SSIM[i] * a
	}
	s.MSEYUV = float64(sse) / area
	s.PSNRYUV = PSNR(s.MSEYUV, max)
	s.SSIMYUV = ssim / area
	s.Identical = sse == 0
}
