package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/vqeval/vqeval/stream"
	"github.com/vqeval/vqeval/stream/capture"
	"github.com/vqeval/vqeval/stream/h264"
	"github.com/vqeval/vqeval/stream/rtph264"
)

// recordingFiles are NAME.pcapng, NAME.h264 and NAME.json.
type recordingFiles struct {
	name    string
	how     assembly
	file    *os.File
	capture *capture.Writer
	device  bool // NAME itself is a device: the packets go there and nothing else is written
}

// assembly says how a recording becomes a stream for a decoder.
type assembly struct {
	policy  rtph264.Policy
	session stream.SDP
}

// extensions of a recording's files.
func extensions() []string { return []string{".pcapng", ".h264", ".json"} }

// createRecording checks that all three files can be written and begins the first.
func createRecording(name string, force bool, how assembly, comment string) (*recordingFiles, error) {
	r := &recordingFiles{name: name, how: how}
	var err error
	if info, serr := os.Stat(name); serr == nil && info.Mode()&os.ModeDevice != 0 {
		r.device = true
		if r.file, err = os.OpenFile(name, os.O_WRONLY, 0); err != nil {
			return nil, writeError(name, err)
		}
	} else if err := r.prepare(force); err != nil {
		return nil, err
	}
	if r.capture, err = capture.NewWriter(r.file, capture.WriterOptions{App: "vqeval " + version(), Comment: comment}); err == nil {
		err = r.capture.Flush()
	}
	if err != nil {
		r.discard()
		return nil, writeError(r.file.Name(), err)
	}
	return r, nil
}

// prepare makes the folder, and the files themselves so that later writing
// cannot come as a surprise. Nothing is made where one of them exists already.
func (r *recordingFiles) prepare(force bool) error {
	for _, ext := range extensions() {
		if _, err := os.Lstat(r.name + ext); err == nil && !force {
			return writeError(r.name+ext, errExists)
		}
	}
	dir := filepath.Dir(r.name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return writeError(r.name, fmt.Errorf("folder %s: %w", dir, bare(err)))
	}
	for _, ext := range extensions() {
		f, err := os.OpenFile(r.name+ext, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o644)
		if err != nil {
			r.discard()
			return writeError(r.name+ext, err)
		}
		if ext == ".pcapng" {
			r.file = f
		} else if err := f.Close(); err != nil {
			return writeError(r.name+ext, err)
		}
	}
	return nil
}

// discard closes the recording and removes its files: they hold nothing.
func (r *recordingFiles) discard() {
	if r.file == nil {
		return
	}
	r.file.Close()
	if r.device {
		return
	}
	for _, ext := range extensions() {
		os.Remove(r.name + ext)
	}
}

// finish ends the capture and derives the other two files from it. cause is
// what ended the reception, nil at the end of the stream.
func (r *recordingFiles) finish(rx *incoming, got stream.Received, cause error) (receivedSummary, error) {
	s := summarize(rx, got, cause)
	s.BrokenNAL = r.how.policy
	if err := errors.Join(r.capture.Close(), r.file.Close()); err != nil {
		return s, writeError(r.file.Name(), err)
	}
	if r.device {
		return s, nil
	}
	units, err := r.assemble(&s)
	if err != nil {
		s.Notes = append(s.Notes, err.Error())
	}
	s.remark()
	if err := writeSync(r.name+".h264", annexB(units)); err != nil {
		return s, writeError(r.name+".h264", err)
	}
	text, err := jsonText(s)
	if err == nil {
		err = writeSync(r.name+".json", text)
	}
	if err != nil {
		return s, writeError(r.name+".json", err)
	}
	return s, nil
}

// assemble makes access units of the capture and counts them into s.
func (r *recordingFiles) assemble(s *receivedSummary) ([]rtph264.Unit, error) {
	f, err := os.Open(r.name + ".pcapng")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rd, err := capture.Open(f)
	if err != nil {
		return nil, err
	}
	rec, err := stream.Load(rd, stream.LoadOptions{})
	if err != nil {
		return nil, err
	}
	out, err := rec.Assemble(stream.AssembleOptions{Policy: r.how.policy, Params: r.how.session.Params})
	if err != nil {
		return nil, err
	}
	s.RTP, s.Streams = out.Stats, rec.Streams
	s.Frames = receivedFrames{}
	for _, u := range out.Units {
		s.Frames.add(u)
	}
	return out.Units, nil
}

// annexB is the stream as a decoder gets it.
func annexB(units []rtph264.Unit) []byte {
	var b []byte
	for _, u := range units {
		b = h264.AppendAnnexB(b, u.NALUs...)
	}
	return b
}
