package stream

import (
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vqeval/vqeval/stream/rtph264"
)

func TestBooking(t *testing.T) {
	good := Booking{Sent: 36, Unsent: 1, LostQueue: 2, LostRandom: 3, LostMTU: 4, LostKernel: 5, LostQUICQueue: 6, LostTransport: 7, Received: 8}
	if err := good.Check(); err != nil || good.Lost() != 27 {
		t.Errorf("got %v, %d lost; want it to add up, 27", err, good.Lost())
	}
	more, less, negative := good, good, good
	more.LostRandom++
	less.Received--
	negative.LostQueue, negative.LostMTU = -1, 7
	for _, b := range []Booking{more, less, negative, {Sent: 1}, {Received: 1}} {
		if err := b.Check(); !errors.Is(err, ErrBooking) || !strings.Contains(err.Error(), `"lost_quic_queue"`) {
			t.Errorf("%+v: got %v, want %v with the book in it", b, err, ErrBooking)
		}
	}
	if err := (Booking{}).Check(); err != nil {
		t.Error(err)
	}
	text, err := json.Marshal(good)
	if want := `{"sent":36,"unsent":1,"lost_queue":2,"lost_random":3,"lost_mtu":4,"lost_kernel":5,"lost_quic_queue":6,"lost_transport":7,"received":8}`; err != nil || string(text) != want {
		t.Errorf("got %s, %v; want %s", text, err, want)
	}
	if err := (Use{Received: 3, OnTime: 1, LateUsed: 1, Late: 1}).Check(); err != nil {
		t.Error(err)
	}
	if err := (Use{Received: 3, OnTime: 1}).Check(); !errors.Is(err, ErrBooking) {
		t.Errorf("got %v, want %v", err, ErrBooking)
	}
}

func TestGoodput(t *testing.T) {
	w := newWire(t, rtph264.Packetizer{}, clip(100, 900)) // 4 s
	bits := make([]float64, 4)
	for i := range w.packets {
		if at := w.sent[i]; at >= time.Second && at < 2*time.Second {
			w.delay[i] = -1
			continue
		}
		bits[w.sent[i]/time.Second] += 8 * float64(len(w.packets[i]))
	}
	r := w.load(t, LoadOptions{})
	got := r.Goodput(6 * time.Second)
	if want := append(bits, 0, 0); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := r.Goodput(0); !slices.Equal(got, bits[:3]) { // the last second is not full
		t.Errorf("without a span: got %v, want %v", got, bits[:3])
	}
	if got := Stalls(got, bits[0]); got != 3 {
		t.Errorf("%d stalls, want 3", got)
	}
	want := (bits[0] + bits[2] + bits[3]) / 3.96 // the last packet leaves after 99 frames
	if got := r.MeanGoodput(); math.Abs(got-want) > 1e-6 {
		t.Errorf("mean goodput %v, want %v", got, want)
	}
	short := newWire(t, rtph264.Packetizer{}, clip(6, 900)).load(t, LoadOptions{})
	if got, want := short.Goodput(0), short.MeanGoodput(); len(got) != 1 || got[0] != want {
		t.Errorf("200 ms: got %v, want the mean %v", got, want)
	}
}

func TestVariation(t *testing.T) {
	for _, tt := range []struct {
		series []float64
		want   float64
	}{{nil, 0}, {[]float64{0, 0}, 0}, {[]float64{5, 5, 5}, 0}, {[]float64{2, 4, 4, 4, 5, 5, 7, 9}, 0.4}} { // deviation 2, mean 5
		if got := Variation(tt.series); math.Abs(got-tt.want) > 1e-12 {
			t.Errorf("%v: got %v, want %v", tt.series, got, tt.want)
		}
	}
}

// Packets of pictures before the first one shown count for no second.
func TestGoodputHidden(t *testing.T) {
	units := clip(35, 900)
	for i := range units {
		units[i].PTS -= 10 * frame
	}
	w := newWire(t, rtph264.Packetizer{}, units)
	want := 0.0
	for i := range w.packets {
		if w.unit[i] >= 10 {
			want += 8 * float64(len(w.packets[i]))
		}
	}
	r := w.load(t, LoadOptions{})
	if got := r.Goodput(time.Second); len(got) != 1 || got[0] != want {
		t.Errorf("got %v, want %v", got, want)
	}
	if got, want := r.MeanGoodput(), want/.96; math.Abs(got-want) > 1e-6 {
		t.Errorf("mean goodput %v, want %v", got, want)
	}
}
