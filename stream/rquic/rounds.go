package rquic

// rounds tells a cubic which acknowledgements begin a round trip and which
// belong to a recovery. It knows packet numbers of one space only.
type rounds struct {
	largestSent, largestAcked int64
	roundEnd, recoveryEnd     int64
}

func newRounds() rounds { return rounds{-1, -1, -1, -1} }

func (r *rounds) sent(pn int64) { r.largestSent = max(r.largestSent, pn) }

// acked returns whether packet pn is the first acknowledged of a round trip.
func (r *rounds) acked(pn int64) (first bool) {
	r.largestAcked = max(r.largestAcked, pn)
	if first = pn > r.roundEnd; first {
		r.roundEnd = r.largestSent
	}
	return first
}

func (r *rounds) inRecovery() bool { return r.largestAcked >= 0 && r.largestAcked <= r.recoveryEnd }

// recover begins a recovery that lasts until a packet sent from now on is acknowledged.
func (r *rounds) recover() { r.recoveryEnd = r.largestSent }
