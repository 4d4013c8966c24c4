package rquic

import (
	"bufio"
	"context"
	"errors"
	"io"
	"time"

	"github.com/apernet/quic-go"
	"github.com/apernet/quic-go/qlog"
	"github.com/apernet/quic-go/qlogwriter"
	"github.com/vqeval/vqeval/stream/transport"
)

// tracer returns a function for the fork's Config.Tracer that feeds t and
// writes the events to the writer that open returns; open may be nil.
func tracer(t *tracker, open func(name string) io.WriteCloser) func(context.Context, bool, quic.ConnectionID) qlogwriter.Trace {
	return func(_ context.Context, client bool, id quic.ConnectionID) qlogwriter.Trace {
		tr := trace{tracker: t}
		if open == nil {
			return tr
		}
		if w := open(id.String() + "_client.sqlog"); w != nil {
			tr.file = qlogwriter.NewConnectionFileSeq(&bufferedFile{bufio.NewWriter(w), w}, client, id, []string{qlog.EventSchema})
			go tr.file.Run() // ends when the connection closes its last recorder
		}
		return tr
	}
}

// bufferedFile buffers writes to a file until it is closed.
type bufferedFile struct {
	w *bufio.Writer
	c io.Closer
}

func (f *bufferedFile) Write(p []byte) (int, error) { return f.w.Write(p) }
func (f *bufferedFile) Close() error                { return errors.Join(f.w.Flush(), f.c.Close()) }

// trace is one connection's events on their way to a tracker and a file.
type trace struct {
	tracker *tracker
	file    *qlogwriter.FileSeq // nil: none
}

func (t trace) SupportsSchemas(schema string) bool { return schema == qlog.EventSchema }

func (t trace) AddProducer() qlogwriter.Recorder {
	r := recorder{tracker: t.tracker}
	if t.file != nil {
		r.next = t.file.AddProducer()
	}
	return r
}

type recorder struct {
	tracker *tracker
	next    qlogwriter.Recorder // nil: none
}

func (r recorder) Close() error {
	if r.next == nil {
		return nil
	}
	return r.next.Close()
}

// RecordEvent runs on the connection's own goroutine and must not block.
func (r recorder) RecordEvent(e qlogwriter.Event) {
	switch e := e.(type) {
	case qlog.PacketSent:
		if e.Header.PacketType == qlog.PacketType1RTT {
			spans, datagrams := contents(e.Frames)
			r.tracker.sent(int64(e.Header.PacketNumber), e.Raw.Length, spans, datagrams)
		}
	case qlog.PacketLost:
		if e.Header.PacketType == qlog.PacketType1RTT {
			r.tracker.declaredLost(int64(e.Header.PacketNumber))
		}
	case qlog.PacketReceived:
		r.tracker.meter.Hear()
		if e.Header.PacketType == qlog.PacketType1RTT {
			r.acks(e.Frames)
		}
	case qlog.PacketDropped:
		r.tracker.meter.Discarded()
	case qlog.MetricsUpdated:
		r.tracker.measured(metrics{e.SmoothedRTT, e.LatestRTT, e.MinRTT, e.RTTVariance, e.CongestionWindow})
	}
	if r.next != nil {
		r.next.RecordEvent(e)
	}
}

func (r recorder) acks(frames []qlog.Frame) {
	for _, f := range frames {
		ack, ok := f.Frame.(*qlog.AckFrame)
		if !ok {
			continue
		}
		ranges := make([]transport.Range, len(ack.AckRanges))
		for i, a := range ack.AckRanges {
			ranges[i] = transport.Range{Smallest: int64(a.Smallest), Largest: int64(a.Largest)}
		}
		r.tracker.ackedRanges(time.Now(), ranges)
	}
}

// contents lists the stream data of a packet and the sizes of its datagrams.
func contents(frames []qlog.Frame) (spans []transport.Span, datagrams []int) {
	for _, f := range frames {
		switch f := f.Frame.(type) {
		case *qlog.StreamFrame:
			spans = append(spans, transport.Span{Stream: int64(f.StreamID), Offset: f.Offset, Length: f.Length})
		case *qlog.DatagramFrame:
			datagrams = append(datagrams, int(f.Length))
		}
	}
	return spans, datagrams
}
