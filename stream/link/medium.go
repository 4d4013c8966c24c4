package link

import (
	"math"
	"math/rand/v2"
)

// correlation is the default of Direction.JitterCorrelation: independent
// jitter with the order kept would hold back most packets and so lengthen the
// mean delay (56.6 instead of 50 ms at a deviation of 5 ms and 1000 packets/s).
const correlation = .999

// Numbers of the generators, one per impairment.
const (
	lossStream = iota + 1
	geStream
	jitterStream
	reorderStream
	duplicateStream
)

// A medium decides by chance. Every impairment has a generator of its own and
// draws for every packet offered to the path, even one that the queue drops:
// so packet number n has the same fate whatever else happens to it or others.
type medium struct {
	d         Direction
	loss      *rand.Rand
	ge        *rand.Rand
	jitter    *rand.Rand
	reorder   *rand.Rand
	duplicate *rand.Rand

	bad   bool    // the Gilbert-Elliott state
	sway  float64 // the jitter, in standard deviations
	rho   float64
	begun bool // sway holds a value
}

// A fate is what the medium has in store for one packet.
type fate struct {
	lost      bool
	jitter    int64 // ns, may be negative
	held      bool  // reordered
	duplicate bool
}

func newMedium(d Direction) medium {
	generator := func(stream uint64) *rand.Rand { return rand.New(rand.NewPCG(mix(d.Seed), mix(stream))) }
	m := medium{
		d:         d,
		loss:      generator(lossStream),
		ge:        generator(geStream),
		jitter:    generator(jitterStream),
		reorder:   generator(reorderStream),
		duplicate: generator(duplicateStream),
		rho:       d.JitterCorrelation,
	}
	switch m.rho {
	case 0:
		m.rho = correlation
	case None:
		m.rho = 0
	}
	if m.d.GE.LossBad == 0 {
		m.d.GE.LossBad = 1
	}
	return m
}

func (m *medium) draw() fate {
	var f fate
	if m.d.Loss > 0 {
		f.lost = m.loss.Float64() < m.d.Loss
	}
	if m.d.GE.P > 0 && m.burst() {
		f.lost = true
	}
	if m.d.Jitter > 0 {
		f.jitter = m.swing()
	}
	if m.d.Reorder.Chance > 0 {
		f.held = m.reorder.Float64() < m.d.Reorder.Chance
	}
	if m.d.Duplicate.Chance > 0 {
		f.duplicate = m.duplicate.Float64() < m.d.Duplicate.Chance
	}
	return f
}

// burst moves the Gilbert-Elliott channel by one packet.
func (m *medium) burst() bool {
	change, loss := m.ge.Float64(), m.ge.Float64()
	if m.bad {
		m.bad = change >= m.d.GE.R
	} else {
		m.bad = change < m.d.GE.P
	}
	if m.bad {
		return loss < m.d.GE.LossBad
	}
	return loss < m.d.GE.LossGood
}

// swing moves the jitter by one packet: a stationary AR(1) process, normal
// with the deviation asked for from the first packet on.
func (m *medium) swing() int64 {
	noise := m.jitter.NormFloat64()
	if m.begun {
		noise = m.rho*m.sway + math.Sqrt(1-m.rho*m.rho)*noise
	}
	m.sway, m.begun = noise, true
	return int64(noise * float64(m.d.Jitter))
}

// mix spreads neighbouring seeds over all bits (the finaliser of splitmix64,
// Steele, Lea, Flood, OOPSLA 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// seeded returns d with a seed of its own made from the run's, unless it has one.
func seeded(d Direction, run, direction uint64) Direction {
	if d.Seed == 0 {
		d.Seed = mix(run ^ mix(direction))
	}
	return d
}
