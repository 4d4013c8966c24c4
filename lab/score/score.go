// Package score compares captures with their reference: it decodes both, finds
// out which captured picture answers which reference frame, measures each pair
// and gives every reference frame its one verdict.
//
// Reference and captures decode in parallel, frames go round in bounded pools
// and are measured by a few workers; the result does not depend on how many.
// Pairs are made by time on the fly. Only where the pictures turn out to
// contradict that, or broken data were met by a decoder with several threads, is
// a capture decoded a second time.
package score

import (
	"context"
	"time"

	"github.com/vqeval/vqeval/decode"
	"github.com/vqeval/vqeval/decode/align"
	"github.com/vqeval/vqeval/metrics"
	"github.com/vqeval/vqeval/stream"
	"github.com/vqeval/vqeval/stream/capture"
	"github.com/vqeval/vqeval/stream/rtph264"
)

// Raw says how a file of bare pictures (.yuv) is laid out; the zero value is for
// files that say so themselves.
type Raw struct {
	Size   decode.Size
	Format string      // libav's name of the pixel format; empty = yuv420p
	Rate   decode.Rate // zero = 25 frames/s
}

// A Reference is the clip that captures are compared with.
type Reference struct {
	Path string
	Name string // in the result; empty = Path
	Raw  Raw
}

// A Capture is what arrived: a video file, bare pictures, a bare H.264 stream, or
// a recording of RTP packets (pcap, pcapng).
type Capture struct {
	Path string
	Name string // in the result; empty = Path
	Raw  Raw

	// The rest is for recordings.
	Recording *stream.Recording // already loaded; nil = read Path
	Load      stream.LoadOptions
	Policy    rtph264.Policy    // what becomes of broken NAL units
	Deadline  time.Duration     // playout delay, 0 = whatever arrived counts
	Late      stream.LatePolicy // what packets are good for that come later
	Params    [][]byte          // parameter sets for a stream that begins without
	Expired   []int64           // presentation times that the sender gave up, 90 kHz ticks
}

// Options say how to score. The zero value measures MSE, PSNR and ffmpeg's SSIM
// of all planes, aligns automatically and converts nothing.
type Options struct {
	Align   align.Method
	Metrics metrics.Options
	Workers int // that measure; 0 = one per processor
	Threads int // of each decoder that has no damage to expect; 0 = one per processor

	// Conversions that make unequal pictures comparable. Without them such
	// pictures are refused with a MismatchError.
	Scale   bool         // captures to the size of the reference, bicubic
	Convert bool         // captures to the pixel format of the reference
	Range   decode.Range // both to this sample range

	// Progress, if not nil, is told after each reference frame how many are done,
	// and how many there probably are (0 = unknown).
	Progress func(done, total int)

	// Keep, if not nil, is called for every reference frame in Frames with the
	// pair that was measured. Should a capture have to be decoded again, it is
	// called again: the last call counts. It may be called by several goroutines.
	Frames []int
	Keep   func(Pair)

	// Only the pictures of Frames are wanted: where times alone pair them, nothing
	// is decoded behind the last. The series end there.
	PicturesOnly bool

	Tool, Version string            // of the program, for the result
	Settings      map[string]string // more to note in the result
}

// A Pair is a reference frame and what was shown for it. The pictures are valid
// during the call only.
type Pair struct {
	Capture    int // index in the group
	Row        metrics.Row
	Ref, Shown metrics.Picture
	Matrix     string // luma coefficients of the reference: bt709, bt601, bt2020, or empty
}

// An Outcome is the result for one capture of a group.
type Outcome struct {
	Series    metrics.Series
	Alignment align.Result
	Stats     *rtph264.Stats // of a recording: what became of its packets
	Use       *stream.Use    // of a recording: which packets met the deadline
	Stream    *capture.Stream
	Err       error // then the rest is not valid
}

// Score compares one capture with its reference.
func Score(ctx context.Context, ref Reference, c Capture, o Options) (metrics.Series, error) {
	outcomes, err := ScoreGroup(ctx, ref, []Capture{c}, o)
	if err != nil {
		return metrics.Series{}, err
	}
	return outcomes[0].Series, outcomes[0].Err
}

// ScoreGroup compares several captures with one reference, which is decoded once
// for up to eight of them: memory does not grow with their number, but for the
// results. It returns an outcome for each; its error is of the reference or of
// ctx.
func ScoreGroup(ctx context.Context, ref Reference, captures []Capture, o Options) ([]Outcome, error) {
	g := &group{ref: &source{path: ref.Path, name: ref.Name, raw: ref.Raw}, opts: o, loaded: map[string]*loading{}}
	for k, c := range captures {
		g.captures = append(g.captures, &captured{Capture: c, source: source{path: c.Path, name: c.Name, raw: c.Raw}, index: k})
	}
	if err := g.open(); err != nil {
		return nil, err
	}
	defer g.close()
	if err := g.run(ctx); err != nil {
		return nil, err
	}
	outcomes := make([]Outcome, len(captures))
	for k, c := range g.captures {
		outcomes[k] = g.outcome(c)
	}
	return outcomes, nil
}
