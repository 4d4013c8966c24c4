package h264

import (
	"bytes"
	"slices"
	"testing"
)

// TestGroup holds 7.4.1.2.3 and 7.4.1.2.4. A picture of its own begins a unit;
// "want" counts the NAL units of each.
func TestGroup(t *testing.T) {
	plain, fields := stream{delta: true}, stream{fields: true}
	one, redundant, planes := stream{pocType: 1, delta: true}, stream{redun: true}, stream{planes: true}
	sps, pps := plain.sps(0), plain.pps(0, 0)
	aud, sei, filler := []byte{9, 0xf0}, []byte{6, 1, 1, 0, 0x80}, []byte{12, 0xff, 0x80}
	prefix, end, ext := []byte{14, 0x80}, []byte{11}, []byte{0x74, 0x80, 1, 2}
	idr := pic{idr: true, ref: 3, kind: 2}
	p := pic{ref: 2, num: 1, lsb: 2}
	with := func(p pic, change func(*pic)) pic { change(&p); return p }
	second := func(q pic) pic { return with(q, func(q *pic) { q.mb = 8 }) }
	start := func(s stream, rest ...[]byte) [][]byte { return append([][]byte{s.sps(0), s.pps(0, 0)}, rest...) }
	two := func(s stream, a, b pic) [][]byte { return start(s, s.slice(a), s.slice(b)) }

	tests := []struct {
		name  string
		nalus [][]byte
		want  []int
	}{
		{"nothing", nil, nil},
		{"no picture", [][]byte{sps, pps}, []int{2}},
		{"slices of one picture", start(plain, plain.slice(idr), plain.slice(second(idr))), []int{4}},
		{"delimiters", [][]byte{aud, sps, pps, plain.slice(idr), aud, plain.slice(second(idr))}, []int{4, 2}},
		{"SEI ahead", start(plain, sei, plain.slice(idr), sei, plain.slice(p)), []int{4, 2}},
		{"filler stays", start(plain, plain.slice(idr), filler, plain.slice(p), filler), []int{4, 2}},
		{"end of stream stays", start(plain, plain.slice(p), end, plain.slice(idr)), []int{4, 1}},
		{"SEI at the end", start(plain, plain.slice(idr), sei), []int{4}},
		{"delimiter and SEI at the end", start(plain, plain.slice(idr), plain.slice(p), aud, sei), []int{3, 3}},
		{"prefix NAL units", start(plain, prefix, plain.slice(idr), prefix, plain.slice(second(idr)), prefix, plain.slice(p)), []int{6, 2}},
		{"slice extension", start(plain, plain.slice(idr), ext, plain.slice(p), ext), []int{4, 2}},
		{"empty NAL units", [][]byte{{}, sps, pps, {}, plain.slice(idr)}, []int{3}},
		{"cut slice stays", start(plain, plain.slice(idr), []byte{0x41}, plain.slice(p)), []int{4, 1}},

		{"frame_num", two(plain, p, with(second(p), func(q *pic) { q.num = 2 })), []int{3, 1}},
		{"nal_ref_idc 0", two(plain, p, with(second(p), func(q *pic) { q.ref = 0 })), []int{3, 1}},
		{"nal_ref_idc 1 and 2", two(plain, p, with(second(p), func(q *pic) { q.ref = 1 })), []int{4}},
		{"pic_order_cnt_lsb", two(plain, p, with(second(p), func(q *pic) { q.lsb = 4 })), []int{3, 1}},
		{"delta_pic_order_cnt_bottom", two(plain, p, with(second(p), func(q *pic) { q.delta[0] = 1 })), []int{3, 1}},
		{"delta_pic_order_cnt 0", two(one, p, with(second(p), func(q *pic) { q.delta[0] = 1 })), []int{3, 1}},
		{"delta_pic_order_cnt 1", two(one, p, with(second(p), func(q *pic) { q.delta[1] = 1 })), []int{3, 1}},
		{"IDR flag", two(plain, with(idr, func(q *pic) { q.lsb = 2; q.num = 1 }), second(p)), []int{3, 1}},
		{"idr_pic_id", two(plain, idr, with(second(idr), func(q *pic) { q.idrID = 1 })), []int{3, 1}},
		{"field after frame", two(fields, p, with(second(p), func(q *pic) { q.field = 1 })), []int{3, 1}},
		{"second field", two(fields, with(p, func(q *pic) { q.field = 1 }), with(second(p), func(q *pic) { q.field = 2 })), []int{3, 1}},
		{"other parameter set", append([][]byte{plain.pps(1, 0)}, two(plain, p, with(second(p), func(q *pic) { q.pps = 1 }))...), []int{4, 1}},
		{"same header, first macroblock again", two(plain, p, p), []int{3, 1}},
		{"redundant slices", start(redundant, redundant.slice(p), redundant.slice(with(p, func(q *pic) { q.redundant = 1 }))), []int{4}},
		{"colour planes", start(planes, planes.slice(p), planes.slice(with(p, func(q *pic) { q.plane = 1 })), planes.slice(p)), []int{4, 1}},
		{"arbitrary slice order", two(plain, second(p), p), []int{4}},

		{"no parameter sets", [][]byte{plain.slice(idr), plain.slice(second(idr)), plain.slice(p), plain.slice(second(p)), plain.slice(p)}, []int{2, 2, 1}},
		{"no parameter sets, first slice lost", [][]byte{plain.slice(idr), plain.slice(second(p))}, []int{1, 1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []int
			var all [][]byte
			for _, u := range Group(tt.nalus) {
				got = append(got, len(u.NALUs))
				all = append(all, u.NALUs...)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("units of %v NAL units, want %v", got, tt.want)
			}
			in := slices.DeleteFunc(slices.Clone(tt.nalus), func(n []byte) bool { return len(n) == 0 })
			if !slices.EqualFunc(all, in, bytes.Equal) {
				t.Error("a NAL unit was lost, or the order changed")
			}
		})
	}
}

// TestPartitions: B and C belong to the picture of A.
func TestPartitions(t *testing.T) {
	s := stream{}
	a, next := s.slice(pic{ref: 2, num: 1, lsb: 2}), s.slice(pic{ref: 2, num: 2, lsb: 4})
	a[0], next[0] = a[0]&0xe0|2, next[0]&0xe0|2
	units := Group([][]byte{s.sps(0), s.pps(0, 0), a, {0x43, 0x80}, {0x44, 0x80}, next, {0x43, 0x80}})
	if len(units) != 2 || len(units[0].NALUs) != 5 || len(units[1].NALUs) != 2 {
		t.Errorf("got %v, want units of 5 and 2 NAL units", units)
	}
}

func TestAccessUnit(t *testing.T) {
	tests := []struct {
		name                   string
		nalus                  [][]byte
		key, reference, params bool
		size                   int
	}{
		{"empty", nil, false, false, false, 0},
		{"key", [][]byte{{9, 1}, {0x67, 1}, {0x68}, {0x65, 1, 2}}, true, true, true, 8},
		{"P", [][]byte{{0x41, 1}}, false, true, false, 2},
		{"disposable B", [][]byte{{0x01, 1}, {0x01, 2}}, false, false, false, 4},
		{"sets alone", [][]byte{{0x67, 1}}, false, false, true, 2},
		{"one slice of two is a reference", [][]byte{{0x01, 1}, {0x41, 2}}, false, true, false, 4},
	}
	for _, tt := range tests {
		u := AccessUnit{NALUs: tt.nalus}
		if u.Key() != tt.key || u.Reference() != tt.reference || u.Disposable() == tt.reference ||
			u.HasParams() != tt.params || u.Size() != tt.size {
			t.Errorf("%s: key %v, reference %v, disposable %v, params %v, size %d; want %v, %v, %v, %v, %d", tt.name,
				u.Key(), u.Reference(), u.Disposable(), u.HasParams(), u.Size(), tt.key, tt.reference, !tt.reference, tt.params, tt.size)
		}
	}
}

func BenchmarkGroup(b *testing.B) {
	nalus := SplitAnnexB(read(b, "slices"))
	b.ReportAllocs()
	for b.Loop() {
		Group(nalus)
	}
}
