package transport

import (
	"bufio"
	"context"
	"errors"
	"io"
	"time"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/qlog"
	"github.com/quic-go/quic-go/qlogwriter"
)

type meterKey struct{}

// withMeter returns a context that carries m to the connection's tracer.
func withMeter(ctx context.Context, m *Meter) context.Context {
	return context.WithValue(ctx, meterKey{}, m)
}

// NewConnContext is for quic.Transport.ConnContext: it gives every connection a
// Meter of its own, which MeterOf finds and Tracer feeds.
func NewConnContext(ctx context.Context, _ *quic.ClientInfo) (context.Context, error) {
	return withMeter(ctx, new(Meter)), nil
}

// MeterOf returns the Meter of a connection's context, an idle one if it has none.
func MeterOf(ctx context.Context) *Meter {
	if m, ok := ctx.Value(meterKey{}).(*Meter); ok {
		return m
	}
	return new(Meter)
}

// Tracer returns a function for quic.Config.Tracer that feeds the Meter in the
// connection's context and writes the events to the writer that open returns.
// Both may be missing. qvis reads the files.
func Tracer(open func(name string) io.WriteCloser) func(context.Context, bool, quic.ConnectionID) qlogwriter.Trace {
	return func(ctx context.Context, client bool, id quic.ConnectionID) qlogwriter.Trace {
		t := trace{meter: MeterOf(ctx)}
		if open == nil {
			return t
		}
		side := "server"
		if client {
			side = "client"
		}
		if w := open(id.String() + "_" + side + ".sqlog"); w != nil {
			t.file = qlogwriter.NewConnectionFileSeq(&bufferedFile{bufio.NewWriter(w), w}, client, id)
			go t.file.Run() // ends when the connection closes its last recorder
		}
		return t
	}
}

// bufferedFile buffers writes to a file until it is closed.
type bufferedFile struct {
	w *bufio.Writer
	c io.Closer
}

func (f *bufferedFile) Write(p []byte) (int, error) { return f.w.Write(p) }
func (f *bufferedFile) Close() error                { return errors.Join(f.w.Flush(), f.c.Close()) }

// trace is one connection's events on their way to a Meter and a file.
type trace struct {
	meter *Meter
	file  *qlogwriter.FileSeq // nil: none
}

func (t trace) AddProducer() qlogwriter.Recorder {
	r := recorder{meter: t.meter}
	if t.file != nil {
		r.next = t.file.AddProducer()
	}
	return r
}

type recorder struct {
	meter *Meter
	next  qlogwriter.Recorder // nil: none
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
			r.meter.Sent(int64(e.Header.PacketNumber), spans, datagrams)
		}
	case qlog.PacketLost:
		if e.Header.PacketType == qlog.PacketType1RTT {
			r.meter.Lost(int64(e.Header.PacketNumber))
		}
	case qlog.PacketReceived:
		r.meter.Hear()
		if e.Header.PacketType == qlog.PacketType1RTT {
			r.acks(e.Frames)
		}
	case qlog.PacketDropped:
		if e.Trigger == qlog.PacketDropDOSPrevention {
			r.meter.Overflowed()
		} else {
			r.meter.Discarded()
		}
	case qlog.DatagramDropped:
		r.meter.Dropped(e.Direction == qlog.DirectionReceiving)
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
		ranges := make([]Range, len(ack.AckRanges))
		for i, a := range ack.AckRanges {
			ranges[i] = Range{int64(a.Smallest), int64(a.Largest)}
		}
		r.meter.Acked(time.Now(), ranges...)
	}
}

// contents lists the stream data of a packet and counts its datagrams.
func contents(frames []qlog.Frame) (spans []Span, datagrams int) {
	for _, f := range frames {
		switch f := f.Frame.(type) {
		case *qlog.StreamFrame:
			spans = append(spans, Span{int64(f.StreamID), f.Offset, f.Length})
		case *qlog.DatagramFrame:
			datagrams++
		}
	}
	return spans, datagrams
}
