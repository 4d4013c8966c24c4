// Package metrics measures how far a captured picture is from its reference:
// MSE, PSNR and SSIM in four dialects, per frame and pooled over a clip, and
// reads and writes files of such scores.
//
// It sees planes of samples and never a codec. A figure is defined by the
// comments here and can be checked by arithmetic: sums of squared errors are
// exact integers, a score does not depend on the machine's instruction set for
// the integer dialects (FFmpeg, Fast), and the same pictures give the same
// digits in every run.
package metrics
