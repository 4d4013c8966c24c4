package main

import (
	"bufio"
	"os"
	"time"

	"github.com/vqeval/vqeval/stream"
	"github.com/vqeval/vqeval/stream/h264"
	"github.com/vqeval/vqeval/stream/rtph264"
)

// liveEvery is how often NAME.h264 and NAME.json are brought up to date while
// packets come: what they lack at most when the process is killed.
const liveEvery = time.Second

// liveWindow is how many packets wait for a missing one. It is short, since the
// first ones wait as well; what comes later than that is only in the end result.
const liveWindow = 32

// live writes NAME.h264 and NAME.json while packets come, as far as they can
// be known by then. Whatever fails here is left to recordingFiles.finish, which
// writes both again from the whole capture.
type live struct {
	files  *recordingFiles
	rx     *incoming
	got    stream.Received
	frames receivedFrames
	d      rtph264.Depacketizer
	params [][]byte // to be put before the first unit
	out    *os.File // nil: nothing is written
	w      *bufio.Writer
	buf    []byte
	told   time.Time // when the files were brought up to date
}

func newLive(files *recordingFiles, rx *incoming) *live {
	l := &live{files: files, rx: rx, params: files.how.session.Params}
	l.d = rtph264.Depacketizer{Policy: files.how.policy, Window: liveWindow, PayloadType: int(files.how.session.PayloadType)}
	if files.device {
		return l
	}
	if f, err := os.OpenFile(files.name+".h264", os.O_WRONLY, 0); err == nil {
		l.out, l.w = f, bufio.NewWriterSize(f, 1<<16)
	}
	return l
}

// packet takes what has arrived.
func (l *live) packet(at time.Time, p []byte) {
	if l.out == nil {
		return
	}
	if l.got.Packets == 0 {
		l.got.First, l.got.End, l.told = at, unfinished, at
	}
	l.got.Packets++
	l.got.Bytes += int64(len(p))
	l.got.Last = at
	l.d.Push(p, at)
	for u, ok := l.d.Next(); ok; u, ok = l.d.Next() {
		l.unit(u)
	}
	if at.Sub(l.told) >= liveEvery || l.got.Packets == 1 {
		l.told = at
		l.flush()
	}
}

func (l *live) unit(u rtph264.Unit) {
	l.frames.add(u)
	if len(u.NALUs) > 0 && l.params != nil {
		l.buf = h264.AppendAnnexB(l.buf[:0], l.params...)
		l.w.Write(l.buf)
		l.params = nil
	}
	l.buf = h264.AppendAnnexB(l.buf[:0], u.NALUs...)
	l.w.Write(l.buf)
}

// flush brings both files up to date.
func (l *live) flush() {
	l.w.Flush()
	s := summarize(l.rx, l.got, nil)
	s.BrokenNAL, s.Frames, s.RTP = l.files.how.policy, l.frames, l.d.Stats()
	s.remark()
	text, err := jsonText(s)
	if err != nil {
		return
	}
	temporary := l.files.name + ".json.tmp"
	if os.WriteFile(temporary, text, 0o644) != nil || os.Rename(temporary, l.files.name+".json") != nil {
		os.Remove(temporary)
	}
}

func (l *live) close() {
	if l.out != nil {
		l.w.Flush()
		l.out.Close()
	}
}
