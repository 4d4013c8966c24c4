package metrics

import (
	"fmt"
	"strings"
)

// Dialect is one of the definitions of SSIM in use. They differ by up to .003
// on the same clip, so a figure is worth nothing without its dialect. Per
// window, with L the largest code value, C1 = (.01 L)^2 and C2 = (.03 L)^2:
//
//	((2 mx my + C1)(2 sxy + C2)) / ((mx^2 + my^2 + C1)(sx^2 + sy^2 + C2))
//
// A plane's value is the mean over its windows. A plane narrower or lower than
// one window is continued by its last column and row until one fits.
type Dialect uint8

const (
	FFmpeg  Dialect = iota // 8x8 windows every 4 samples, unbiased variance; rows and columns beyond a multiple of 4 ignored: ffmpeg's ssim filter and x264
	Precise                // 11x11 Gaussian, sigma 1.5, around every sample, edges replicated: VQMT "precise"
	Fast                   // 11x11 box around every sample, edges replicated: VQMT "fast"
	Wang                   // 11x11 Gaussian, sigma 1.5, where it fits: Wang et al. 2004; scikit-image without sample covariance
)

var dialects = [...]string{"ffmpeg", "precise", "fast", "wang"}

// Dialects lists the names that Dialect reads and writes.
func Dialects() []string { return append([]string(nil), dialects[:]...) }

// String returns the dialect's name.
func (d Dialect) String() string {
	if int(d) < len(dialects) {
		return dialects[d]
	}
	return fmt.Sprintf("Dialect(%d)", uint8(d))
}

// MarshalText writes the dialect's name.
func (d Dialect) MarshalText() ([]byte, error) {
	return marshalName(dialects[:], int(d), "SSIM dialect")
}

// UnmarshalText reads a name that MarshalText writes.
func (d *Dialect) UnmarshalText(b []byte) error {
	i, err := unmarshalName(dialects[:], b, "SSIM dialect")
	if err == nil {
		*d = Dialect(i)
	}
	return err
}

// Options say what a Scorer measures. The zero value is MSE, PSNR and ffmpeg's
// SSIM of every plane.
type Options struct {
	SSIM     Dialect `json:"ssim"`
	MSSSIM   bool    `json:"ms_ssim,omitempty"`   // MS-SSIM of luma too; needs at least 176x176 samples
	LumaOnly bool    `json:"luma_only,omitempty"` // leave U and V out
}

func marshalName(names []string, i int, what string) ([]byte, error) {
	if i < 0 || i >= len(names) {
		return nil, fmt.Errorf("unknown %s %d", what, i)
	}
	return []byte(names[i]), nil
}

func unmarshalName(names []string, b []byte, what string) (int, error) {
	for i, n := range names {
		if n == string(b) {
			return i, nil
		}
	}
	return 0, fmt.Errorf("unknown %s %q, want one of %s", what, b, strings.Join(names, ", "))
}
