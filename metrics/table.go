package metrics

// metricTable names every metric of a score, in the order of the columns.
var metricTable = [...]struct {
	name   string
	planes int // planes that a score needs to have it
	field  func(*Score) *float64
}{
	{"mse_y", 1, func(s *Score) *float64 { return &s.MSE[0] }},
	{"mse_u", 3, func(s *Score) *float64 { return &s.MSE[1] }},
	{"mse_v", 3, func(s *Score) *float64 { return &s.MSE[2] }},
	{"psnr_y", 1, func(s *Score) *float64 { return &s.PSNR[0] }},
	{"psnr_u", 3, func(s *Score) *float64 { return &s.PSNR[1] }},
	{"psnr_v", 3, func(s *Score) *float64 { return &s.PSNR[2] }},
	{"psnr_yuv", 1, func(s *Score) *float64 { return &s.PSNRYUV }},
	{"ssim_y", 1, func(s *Score) *float64 { return &s.SSIM[0] }},
	{"ssim_u", 3, func(s *Score) *float64 { return &s.SSIM[1] }},
	{"ssim_v", 3, func(s *Score) *float64 { return &s.SSIM[2] }},
	{"ssim_yuv", 1, func(s *Score) *float64 { return &s.SSIMYUV }},
	{"mse_yuv", 1, func(s *Score) *float64 { return &s.MSEYUV }},
	{"ms_ssim", 1, func(s *Score) *float64 { return &s.MSSSIM }},
}
