package score

import (
	"context"
	"hash/maphash"
	"math"
	"os"
	"slices"
	"sort"

	"github.com/vqeval/vqeval/decode"
	"github.com/vqeval/vqeval/stream/h264"
)

// noTime marks an access unit whose place in the reference is not known.
const noTime = math.MinInt64

// maxCoded bounds the files that are read for their coded pictures, bytes: they
// are in memory while that lasts.
const maxCoded = 1 << 30

// A codebook recognises the coded pictures of a reference.
type codebook struct {
	seed maphash.Seed
	sums []uint64 // per access unit, in decoding order
	pts  []int64  // 90 kHz
}

// codebook reads the reference's access units once. It is empty if the reference
// is not H.264, or too large.
func (g *group) codebook(ctx context.Context) *codebook {
	if g.coded != nil {
		return g.coded
	}
	g.coded = &codebook{seed: maphash.MakeSeed()}
	if g.ref.info.Codec != "h264" || !readable(g.ref.path) {
		return g.coded
	}
	clip, err := decode.ReadUnits(ctx, g.ref.path)
	if err != nil {
		return g.coded
	}
	for _, u := range clip.Units {
		g.coded.sums = append(g.coded.sums, g.coded.sum(u))
		g.coded.pts = append(g.coded.pts, u.PTS)
	}
	return g.coded
}

func readable(path string) bool {
	st, err := os.Stat(path)
	return err == nil && st.Mode().IsRegular() && st.Size() <= maxCoded
}

// sum is a checksum of the unit's slices. Parameter sets, SEI and fillers may
// differ on the way without any change of the picture.
func (b *codebook) sum(u h264.AccessUnit) uint64 {
	var h maphash.Hash
	h.SetSeed(b.seed)
	for _, n := range u.NALUs {
		if h264.TypeOf(n).Slice() {
			h.Write(n)
			h.WriteByte(0)
		}
	}
	return h.Sum64()
}

// match finds for each unit the time of the reference's unit with the same bytes.
// It returns nil if that are too few to be the reference's own stream.
func (b *codebook) match(units []h264.AccessUnit) []int64 {
	sums := make([]uint64, len(units))
	for i, u := range units {
		sums[i] = b.sum(u)
	}
	at := inOrder(b.sums, sums)
	twins, found := make([]int64, len(units)), 0
	for i, k := range at {
		twins[i] = noTime
		if k >= 0 {
			twins[i] = b.pts[k]
			found++
		}
	}
	if found == 0 || 4*found < len(units) {
		return nil
	}
	return twins
}

// inOrder finds the elements of part in whole, in the same order, -1 where there
// is none. What is the only one of its kind in both is found first; the rest, as
// still pictures that were coded alike, lies between.
func inOrder(whole, part []uint64) []int {
	at := make([]int, len(part))
	single := singles(whole)
	for j := range at {
		at[j] = -1
	}
	last := -1
	for j, unique := range uniqueIn(part) {
		if k, ok := single[part[j]]; ok && unique && k > last {
			at[j], last = k, k
		}
	}
	next := 0
	for j := range at { // forward from what is known
		if at[j] < 0 && next < len(whole) && whole[next] == part[j] && free(at, j, next) {
			at[j] = next
		}
		if at[j] >= 0 {
			next = at[j] + 1
		}
	}
	for j := len(at) - 2; j >= 0; j-- { // and backward
		if k := at[j+1] - 1; at[j] < 0 && at[j+1] > 0 && whole[k] == part[j] && (j == 0 || at[j-1] < k) {
			at[j] = k
		}
	}
	return at
}

// free reports whether place k lies before the next known place behind j.
func free(at []int, j, k int) bool {
	for _, next := range at[j+1:] {
		if next >= 0 {
			return k < next
		}
	}
	return true
}

func singles(v []uint64) map[uint64]int {
	m := make(map[uint64]int, len(v))
	twice := map[uint64]bool{}
	for i, x := range v {
		if _, ok := m[x]; ok {
			twice[x] = true
		}
		m[x] = i
	}
	for x := range twice {
		delete(m, x)
	}
	return m
}

func uniqueIn(v []uint64) []bool {
	single, unique := singles(v), make([]bool, len(v))
	for i, x := range v {
		_, unique[i] = single[x]
	}
	return unique
}

// recognise gives the units of a bare stream the times of the reference's own
// units, and those in between, damaged ones, a time by their order.
func (g *group) recognise(ctx context.Context, c *captured) {
	c.twins = g.codebook(ctx).match(c.source.units)
	if c.twins == nil {
		c.notes = append(c.notes, "the stream has no times; its frames follow in the order of its picture counts")
		return
	}
	retime(c.source.units, c.twins)
}

// retime moves units without a twin as the unit with one that is shown before
// them, or behind them, was moved.
func retime(units []h264.AccessUnit, twins []int64) {
	shown := make([]int, len(units))
	for i := range shown {
		shown[i] = i
	}
	slices.SortStableFunc(shown, func(a, b int) int { return int(units[a].PTS - units[b].PTS) })
	first := slices.IndexFunc(shown, func(i int) bool { return twins[i] != noTime })
	shift := twins[shown[first]] - units[shown[first]].PTS
	for _, i := range shown {
		if twins[i] != noTime {
			shift = twins[i] - units[i].PTS
		}
		units[i].PTS += shift
	}
}

// recogniseFile looks for the reference's coded pictures in a container.
func (g *group) recogniseFile(ctx context.Context, c *captured) {
	if c.info.Codec != "h264" || !readable(c.path) || len(g.codebook(ctx).sums) == 0 {
		return
	}
	clip, err := decode.ReadUnits(ctx, c.path)
	if err != nil {
		return
	}
	c.twins = g.coded.match(clip.Units)
	for _, u := range clip.Units {
		c.unitTime = append(c.unitTime, u.PTS)
	}
}

// twinFrames translates twins of access units to frames: per captured frame the
// number of the reference frame, -1 for none; nil if nothing is known.
func (g *group) twinFrames(c *captured) []int {
	if c.twins == nil {
		return nil
	}
	frames := make([]int, len(c.unitOf))
	for j, u := range c.unitOf {
		frames[j] = -1
		if u < 0 || u >= len(c.twins) || c.twins[u] == noTime {
			continue
		}
		if c.unitTime != nil && c.unitTime[u] != c.clip.PTS[j] {
			continue // packets and access units were not counted alike
		}
		if k := sort.Search(len(g.clip.PTS), func(k int) bool { return g.clip.PTS[k] >= c.twins[u] }); k < len(g.clip.PTS) && g.clip.PTS[k] == c.twins[u] {
			frames[j] = k
		}
	}
	return frames
}
