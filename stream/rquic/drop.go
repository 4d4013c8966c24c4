package rquic

import "time"

// A dropper is Algorithm 2 of the paper: what happens to a unit whose turn
// comes when it has the given age.
type dropper struct {
	expire      time.Duration // x; <= 0: never
	pMax, theta float64
	seed        uint64
}

func newDropper(c Config) dropper {
	return dropper{
		expire: or(c.Expire, DefaultExpire),
		pMax:   max(0, or(c.PMax, DefaultPMax)),
		theta:  max(0, or(c.Theta, DefaultTheta)),
		seed:   or(c.Seed, 1),
	}
}

// decide returns StatusSent, StatusExpired or StatusRandom for unit n.
func (d dropper) decide(n int, age time.Duration) Status {
	switch {
	case d.expired(age):
		return StatusExpired
	case draw(d.seed, n) < d.chance(age):
		return StatusRandom
	}
	return StatusSent
}

// fresh reports whether a sender that comes to a unit of this age keeps up: the
// age is below half of that of expiry, or of its default if nothing expires.
func (d dropper) fresh(age time.Duration) bool {
	if d.expire > 0 {
		return age < d.expire/2
	}
	return age < DefaultExpire/2
}

func (d dropper) expired(age time.Duration) bool { return d.expire > 0 && age >= d.expire }

// chance is that of the random drop: it rises from 0 at the age theta*x to pMax at x.
func (d dropper) chance(age time.Duration) float64 {
	if d.expire <= 0 || d.theta >= 1 {
		return 0
	}
	p := (float64(age)/float64(d.expire) - d.theta) / (1 - d.theta)
	return max(0, min(1, p)) * d.pMax
}

// draw returns unit n's number in [0, 1), one a unit: splitmix64 of both.
func draw(seed uint64, n int) float64 {
	x := (seed<<32 ^ uint64(n)) + 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	x ^= x >> 31
	return float64(x>>11) / (1 << 53)
}
