package kernel

// constants turn the sums over a window of n samples into an SSIM value in
// integers, everything multiplied by n².
type constants struct {
	n      int64 // samples a window
	c1, c2 int64
}

// ffmpegConstants are those of ffmpeg's ssim filter (vf_ssim.c, ssim_end1x):
// 8x8 windows, variance with n-1. 416 and 235963 at depth 8. Its c1 lacks a
// factor 64 that the sums' squares have, in ffmpeg as in x264, so that a flat
// pair of 1 and 2 reads .804 and not .913; pictures of usual brightness agree
// with the usual formula within 2e-6.
func ffmpegConstants(depth int) constants {
	l := float64(int(1)<<depth - 1)
	return constants{n: 64, c1: int64(.01*.01*l*l*64 + .5), c2: int64(.03*.03*l*l*64*63 + .5)}
}

// boxConstants are for 11x11 windows and the variance of the population. They
// are rounded to integers, which moves a value by less than 3e-7 of itself.
func boxConstants(depth int) constants {
	l := float64(int(1)<<depth - 1)
	return constants{n: 121, c1: int64(.01*.01*l*l*121*121 + .5), c2: int64(.03*.03*l*l*121*121 + .5)}
}

// value is the SSIM of a window of 8-bit samples with sums s1, s2, of all
// squares ss and of products s12. Nothing exceeds 121²·2·255² < 2^31. Each of
// the four factors is rounded to float32 once, as in ffmpeg.
func (k *constants) value(s1, s2, ss, s12 int32) float32 {
	n, c1, c2 := int32(k.n), int32(k.c1), int32(k.c2)
	sq, prod := s1*s1+s2*s2, s1*s2
	return float32(2*prod+c1) * float32(2*(n*s12-prod)+c2) /
		(float32(sq+c1) * float32(n*ss-sq+c2))
}

// value64 is value for samples of up to 16 bits; nothing exceeds 2^48.
func (k *constants) value64(s1, s2, ss, s12 int64) float32 {
	sq, prod := s1*s1+s2*s2, s1*s2
	return float32(2*prod+k.c1) * float32(2*(k.n*s12-prod)+k.c2) /
		(float32(sq+k.c1) * float32(k.n*ss-sq+k.c2))
}
