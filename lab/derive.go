package lab

import (
	"errors"
	"path/filepath"

	"github.com/vqeval/vqeval/stream"
	"github.com/vqeval/vqeval/stream/capture"
	"github.com/vqeval/vqeval/stream/h264"
)

// annexBFile is the stream as a decoder gets it when everything that arrived
// counts and broken slices keep their beginning.
const annexBFile = "capture.h264"

// derive reads back what was recorded in dir, writes it as a bare H.264 stream,
// and returns how many distinct packets of the stream there are.
func derive(dir string) (packets int, err error) {
	rec, err := loadRecording(dir)
	if errors.Is(err, capture.ErrNoStream) {
		return 0, WriteFile(filepath.Join(dir, annexBFile), nil)
	}
	if err != nil {
		return 0, err
	}
	a, err := rec.Assemble(stream.AssembleOptions{})
	if err != nil {
		return 0, err
	}
	var b []byte
	for _, u := range a.Units {
		b = h264.AppendAnnexB(b, u.NALUs...)
	}
	s := rec.Stats()
	return s.Packets - s.Duplicates, WriteFile(filepath.Join(dir, annexBFile), b)
}
