package lab

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/vqeval/vqeval/stream"
	"github.com/vqeval/vqeval/stream/capture"
	"github.com/vqeval/vqeval/stream/link"
)

// Names of a run's files.
const (
	captureFile = "capture.pcapng" // RTP packets with arrival times
	summaryFile = "summary.json"   // the Outcome; there only when the run ended
	senderFile  = "sender.json"    // stream.Sent: what was handed over, and when
	linkFile    = "link.csv"       // every packet that entered the link

	decisionsFile = "decisions.csv" // of an rQUIC sender, for each access unit
	traceFile     = "trace.csv"     // of an rQUIC sender, every 100 ms
)

// recording is the files that a run writes while it runs.
type recording struct {
	dir     string
	file    *os.File
	capture *capture.Writer
	link    *os.File
	linkBuf *bufio.Writer
	line    []byte
	instant time.Time // of the lines in back
	back    []byte    // lines of this instant's packets on the way back
	began   time.Time
	udp     bool
	losses  losses
	err     error // the first error of the link's log
}

// losses counts the RTP packets that the link took from a UDP run, by place.
type losses struct{ queue, random, tooBig int64 }

// newRecording makes dir and the files in it.
func newRecording(dir string, spec Spec) (*recording, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("recording: %w", err)
	}
	os.Remove(filepath.Join(dir, summaryFile))
	r := &recording{dir: dir, udp: spec.Transport.Mode == "udp"}
	if spec.Bulk.On() {
		return r, nil // its packets say nothing that their number does not
	}
	var err error
	if r.file, err = os.Create(filepath.Join(dir, captureFile)); err != nil {
		return nil, fmt.Errorf("recording: %w", err)
	}
	if r.link, err = os.Create(filepath.Join(dir, linkFile)); err != nil {
		return nil, errors.Join(fmt.Errorf("recording: %w", err), r.file.Close())
	}
	r.linkBuf = bufio.NewWriterSize(r.link, 1<<16)
	r.linkBuf.WriteString("t_ms,direction,bytes,verdict,deliver_ms,queue_bytes,rtp_seq,rtp_timestamp\n")
	comment, err := json.Marshal(spec)
	if err == nil {
		r.capture, err = capture.NewWriter(r.file, capture.WriterOptions{App: "vqeval", Comment: string(comment)})
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("recording: %w", err), r.file.Close(), r.link.Close())
	}
	return r, nil
}

// event logs one packet's fate on the link. The link calls it from whichever
// goroutine sends, one call at a time. Which of two goroutines that wake at the
// same instant comes first is chance, so that the lines of one instant are
// sorted: those of the media's direction stand before those of the way back.
func (r *recording) event(e link.Event) {
	if r.began.IsZero() {
		r.began = e.At
	}
	if !e.At.Equal(r.instant) {
		r.flushBack()
		r.instant = e.At
	}
	b := append(r.line[:0], strconv.FormatFloat(ms(e.At.Sub(r.began)), 'f', 6, 64)...)
	if e.Up {
		b = append(b, ",up,"...)
	} else {
		b = append(b, ",down,"...)
	}
	b = append(strconv.AppendInt(b, int64(e.Size), 10), ',')
	b = append(append(b, e.Verdict.String()...), ',')
	if e.Verdict == link.Delivered {
		b = strconv.AppendFloat(b, ms(e.Deliver.Sub(r.began)), 'f', 6, 64)
	}
	b = append(b, ',')
	b = strconv.AppendInt(b, int64(e.Queue), 10)
	if seq, ts, ok := rtpHeader(e.Data); ok && r.udp && !e.Up {
		r.losses.count(e.Verdict)
		b = append(b, ',')
		b = strconv.AppendUint(b, uint64(seq), 10)
		b = append(b, ',')
		b = strconv.AppendUint(b, uint64(ts), 10)
	} else {
		b = append(b, ",,"...)
	}
	r.line = append(b, '\n')
	if e.Up {
		r.back = append(r.back, r.line...)
		return
	}
	r.log(r.line)
}

// flushBack writes the lines that wait for the end of their instant.
func (r *recording) flushBack() {
	r.log(r.back)
	r.back = r.back[:0]
}

// log keeps the first error for close.
func (r *recording) log(lines []byte) {
	if _, err := r.linkBuf.Write(lines); err != nil && r.err == nil {
		r.err = fmt.Errorf("link log: %w", err)
	}
}

func (l *losses) count(v link.Verdict) {
	switch v {
	case link.DroppedQueue:
		l.queue++
	case link.LostRandom:
		l.random++
	case link.TooBig:
		l.tooBig++
	}
}

// rtpHeader returns the sequence number and timestamp of an RTP packet; ok is
// false for RTCP (RFC 5761 section 4) and for anything else.
func rtpHeader(p []byte) (seq uint16, timestamp uint32, ok bool) {
	if len(p) < 12 || p[0]>>6 != 2 || p[1] >= 192 && p[1] <= 223 {
		return 0, 0, false
	}
	return uint16(p[2])<<8 | uint16(p[3]), uint32(p[4])<<24 | uint32(p[5])<<16 | uint32(p[6])<<8 | uint32(p[7]), true
}

// qlog opens a qlog file in the run's folder.
func (r *recording) qlog(name string) io.WriteCloser {
	dir := filepath.Join(r.dir, "qlog")
	if os.MkdirAll(dir, 0o755) != nil {
		return nil
	}
	f, err := os.Create(filepath.Join(dir, name))
	if err != nil {
		return nil
	}
	return f
}

// write makes a file in the run's folder.
func (r *recording) write(name string, f func(io.Writer) error) error {
	var b bytes.Buffer
	if err := f(&b); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return WriteFile(filepath.Join(r.dir, name), b.Bytes())
}

// keepSent writes what the sender did.
func (r *recording) keepSent(s stream.Sent) error {
	return writeJSON(filepath.Join(r.dir, senderFile), s)
}

// close ends the files. What was recorded is readable afterwards.
func (r *recording) close() error {
	if r.capture == nil {
		return nil
	}
	r.flushBack()
	return errors.Join(r.err, r.capture.Close(), r.file.Close(), r.linkBuf.Flush(), r.link.Close())
}
