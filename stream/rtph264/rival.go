package rtph264

import "slices"

// A rival is a source that may be our sender after a restart, or someone else.
type rival struct {
	ssrc    uint32
	packets []packet
	times   []uint32 // different timestamps since our source was heard last
	fresh   int      // packets since then
	overlap int      // packets of our source since the rival appeared
}

// Limits of judging rivals. A sender that restarted is alone on the line for
// good; another stream on the same port takes turns with ours, frame by frame.
const (
	maxRivals    = 4    // further ones are foreign
	rivalTimes   = 8    // frames of silence of our source until the rival takes over, plus one for each packet of overlap
	rivalPackets = 4096 // so does it with so many packets, however few the frames
	rivalTail    = 2    // packets that suffice at the end of the stream
	rivalOverlap = 64   // packets of ours beside the rival: it is a stranger
	maxStrangers = 64   // strangers remembered
)

// suspect books a packet that is not of the current source.
func (d *Depacketizer) suspect(p *packet) {
	i := slices.IndexFunc(d.rivals, func(r rival) bool { return r.ssrc == p.ssrc })
	if i < 0 {
		if slices.Contains(d.strangers, p.ssrc) || len(d.rivals) == maxRivals {
			d.stats.Foreign++
			return
		}
		i = len(d.rivals)
		d.rivals = append(d.rivals, rival{ssrc: p.ssrc})
	}
	r := &d.rivals[i]
	q := *p
	q.payload = slices.Clone(p.payload)
	r.packets, r.fresh = append(r.packets, q), r.fresh+1
	if !slices.Contains(r.times, p.timestamp) {
		r.times = append(r.times, p.timestamp)
	}
	if len(r.times) >= rivalTimes+r.overlap || len(r.packets) >= rivalPackets {
		d.restart(i)
	}
}

// outlive notes that the current source is alive, which speaks against rivals.
func (d *Depacketizer) outlive() {
	for i := 0; i < len(d.rivals); {
		r := &d.rivals[i]
		r.times, r.fresh, r.overlap = r.times[:0], 0, r.overlap+1
		if r.overlap < rivalOverlap {
			i++
			continue
		}
		d.stats.Foreign += len(r.packets)
		if r.ssrc != d.source.ssrc && len(d.strangers) < maxStrangers {
			d.strangers = append(d.strangers, r.ssrc)
		}
		d.rivals = slices.Delete(d.rivals, i, i+1)
	}
}

// heir returns the rival that the stream ended with, or -1.
func (d *Depacketizer) heir() int {
	best := -1
	for i, r := range d.rivals {
		if r.fresh >= rivalTail && (best < 0 || r.fresh > d.rivals[best].fresh) {
			best = i
		}
	}
	return best
}

// restart makes a rival the current source. Its extended numbers begin beyond
// all that the old one could have, with the same low 16 bits as in its packets.
func (d *Depacketizer) restart(i int) {
	r := d.rivals[i]
	d.rivals = slices.Delete(d.rivals, i, i+1)
	d.drain()
	d.assembler.restart()
	if ticks := int32(r.packets[0].timestamp - d.source.newest); r.ssrc == d.source.ssrc && ticks > -moment && ticks < pause {
		d.assembler.clock.restarted = false // new numbers, the same clock
	}
	d.stats.SSRCChanges++
	d.lost += d.source.lost()
	base := d.source.highest + 1<<15
	base += int64(r.packets[0].seq - uint16(base))
	d.source = newSource(&r.packets[0], base)
	for k := range r.packets {
		d.arrive(&r.packets[k])
	}
}
