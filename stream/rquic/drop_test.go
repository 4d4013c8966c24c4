package rquic

import (
	"math"
	"testing"
	"time"
)

func TestChance(t *testing.T) {
	d := newDropper(Config{})
	for _, v := range []struct{ age, want float64 }{{0, 0}, {.5, 0}, {.6, .2}, {.75, .5}, {.9, .8}, {.999, .998}, {1, 1}, {1.5, 1}} {
		if got := d.chance(time.Duration(v.age * float64(DefaultExpire))); math.Abs(got-v.want) > 1e-9 {
			t.Errorf("age %v x: got %v, want %v", v.age, got, v.want)
		}
	}
	half := newDropper(Config{PMax: .5, Theta: .75, Expire: time.Second})
	if got := half.chance(900 * time.Millisecond); math.Abs(got-.3) > 1e-9 {
		t.Errorf("pmax .5, theta .75: got %v, want .3", got)
	}
	for _, c := range []Config{{PMax: None}, {Expire: None}, {Theta: 1}} {
		if got := newDropper(c).chance(399 * time.Millisecond); got != 0 {
			t.Errorf("%+v: chance %v, want none", c, got)
		}
	}
	if got := newDropper(Config{Theta: None}).chance(200 * time.Millisecond); got != .5 {
		t.Errorf("theta none: got %v, want .5", got)
	}
}

// TestDraw: vectors computed by an independent program.
func TestDraw(t *testing.T) {
	for n, want := range map[int]float64{0: .766301757339, 1: .126031020421, 2: .700931241871, 3: .632876260771, 100: .677380938208} {
		if got := draw(1, n); math.Abs(got-want) > 1e-12 {
			t.Errorf("unit %d: got %.12f, want %.12f", n, got, want)
		}
	}
}

func TestDecide(t *testing.T) {
	d := newDropper(Config{})
	for _, v := range []struct {
		unit int
		age  time.Duration
		want Status
	}{
		{1, 0, StatusSent},
		{1, 200 * time.Millisecond, StatusSent},   // chance 0
		{1, 225 * time.Millisecond, StatusSent},   // .125 < u(1)
		{1, 226 * time.Millisecond, StatusRandom}, // .13 > u(1)
		{0, 300 * time.Millisecond, StatusSent},   // .5 < u(0)
		{0, 399 * time.Millisecond, StatusRandom},
		{0, 400 * time.Millisecond, StatusExpired},
		{0, time.Hour, StatusExpired},
	} {
		if got := d.decide(v.unit, v.age); got != v.want {
			t.Errorf("unit %d of age %v: got %v, want %v", v.unit, v.age, got, v.want)
		}
	}
	if got := newDropper(Config{Expire: None}).decide(0, time.Hour); got != StatusSent {
		t.Errorf("without expiry: %v", got)
	}
}
