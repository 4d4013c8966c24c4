package report

import (
	"errors"
	"fmt"
	"image/png"
	"io"

	"github.com/vqeval/vqeval/metrics"
)

// Panel is one transport's picture in a comparison.
type Panel struct {
	Name    string
	Picture metrics.Picture
	Score   metrics.Score
	Verdict metrics.Verdict
	Note    string // one more line below, such as "shows frame 30 again"; may be empty
}

// CompareOptions say how a comparison looks. The zero value is frame 0 with
// pictures scaled to fit a page and differences amplified four times.
type CompareOptions struct {
	Title     string // "" = "Frame N"
	Frame     int    // its number, for the title
	CellWidth int    // pixels a picture is wide; 0 = 640 for up to two transports, less for more
	FullSize  bool   // pictures pixel by pixel, as wide as they are
	Gain      int    // amplification of the difference map; 0 = 4
	Matrix    Matrix
	NoMaps    bool // only the pictures, without difference and SSIM maps
}

// Compare draws one frame as every transport delivered it, beside the
// reference: the pictures at one size and in true colours, SSIM, PSNR and MSE
// and the verdict under each, below that the amplified difference of luma and
// the map of local SSIM with their scales. It writes a lossless PNG. Labels
// never lie on a picture.
//
// All pictures must have the reference's size and depth.
func Compare(w io.Writer, ref metrics.Picture, panels []Panel, o CompareOptions) error {
	if len(panels) == 0 {
		return errors.New("comparison: no panels")
	}
	if err := check(ref); err != nil {
		return fmt.Errorf("comparison: reference: %w", err)
	}
	if o.Gain <= 0 {
		o.Gain = 4
	}
	if o.Title == "" {
		o.Title = fmt.Sprintf("Frame %d", o.Frame)
	}
	b := newBoard(ref.Planes[0].Width, ref.Planes[0].Height, len(panels), o)
	if err := b.draw(ref, panels); err != nil {
		return fmt.Errorf("comparison: %w", err)
	}
	if err := png.Encode(w, b.canvas); err != nil {
		return fmt.Errorf("comparison: %w", err)
	}
	return nil
}
