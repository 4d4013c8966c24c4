package h264

import (
	"slices"
	"strings"
	"testing"
)

// TestPresentationOrder holds 8.2.1 against ranks worked out by hand.
func TestPresentationOrder(t *testing.T) {
	idr := pic{idr: true, ref: 3, kind: 2}
	tests := []struct {
		name   string
		stream stream
		pics   []pic
		want   []int
	}{
		{"type 0, B pictures", stream{}, []pic{idr, {ref: 2, num: 1, lsb: 6}, {kind: 1, num: 2, lsb: 2}, {kind: 1, num: 2, lsb: 4}}, []int{0, 3, 1, 2}},
		{"type 0, lsb wraps", stream{}, []pic{idr, {ref: 2, num: 1, lsb: 6}, {ref: 2, num: 2, lsb: 12}, {ref: 2, num: 3, lsb: 2}, {kind: 1, num: 4, lsb: 14}}, []int{0, 1, 2, 4, 3}},
		{"type 0, before the IDR picture", stream{}, []pic{idr, {kind: 1, num: 1, lsb: 14}, {kind: 1, num: 1, lsb: 2}}, []int{1, 0, 2}},
		{"type 0, second IDR picture", stream{}, []pic{idr, {ref: 2, num: 1, lsb: 8}, {idr: true, ref: 3, idrID: 1}, {ref: 2, num: 1, lsb: 4}}, []int{0, 1, 2, 3}},
		{"type 0, bottom field first", stream{delta: true}, []pic{idr, {ref: 2, num: 1, lsb: 6, delta: [2]int{-5}}, {kind: 1, num: 2, lsb: 2}}, []int{0, 1, 2}},
		{"type 0, operation 5", stream{}, []pic{idr, {ref: 2, num: 1, lsb: 8}, {ref: 2, num: 2, lsb: 2, reset: true}, {ref: 2, num: 1, lsb: 4}, {kind: 1, num: 2, lsb: 2}}, []int{0, 1, 2, 4, 3}},
		{"type 0, operation 5 behind weights", stream{weighted: true}, []pic{idr, {ref: 2, kind: 1, num: 1, lsb: 8}, {ref: 2, num: 2, lsb: 2, reset: true}, {ref: 2, num: 1, lsb: 4}}, []int{0, 1, 2, 3}},
		{"type 0, fields", stream{fields: true}, []pic{
			{idr: true, ref: 3, kind: 2, field: 1}, {ref: 3, field: 2, lsb: 1},
			{ref: 2, num: 1, field: 1, lsb: 4}, {ref: 2, num: 1, field: 2, lsb: 5},
			{kind: 1, num: 2, field: 1, lsb: 2}, {kind: 1, num: 2, field: 2, lsb: 3},
		}, []int{0, 0, 2, 2, 1, 1}},
		{"type 0, field without its twin", stream{fields: true}, []pic{
			{idr: true, ref: 3, kind: 2, field: 1}, {ref: 3, field: 2, lsb: 1},
			{ref: 2, num: 1, field: 1, lsb: 2}, {ref: 2, num: 2, field: 1, lsb: 4}, {ref: 2, num: 2, field: 2, lsb: 5},
		}, []int{0, 0, 1, 2, 2}},
		{"type 1", stream{pocType: 1, cycle: []int{6}, nonRef: -2}, []pic{idr, {ref: 2, num: 1}, {kind: 1, num: 2}, {ref: 2, num: 2}, {kind: 1, num: 3}}, []int{0, 2, 1, 4, 3}},
		{"type 1, cycle of two", stream{pocType: 1, cycle: []int{2, 6}, nonRef: -4}, []pic{idr, {ref: 2, num: 1}, {ref: 2, num: 2}, {kind: 1, num: 3, delta: [2]int{-1}}}, []int{0, 1, 3, 2}},
		{"type 1, deltas", stream{pocType: 1, delta: true}, []pic{idr, {ref: 2, num: 1, delta: [2]int{8, 1}}, {kind: 1, num: 2, delta: [2]int{4, -2}}, {kind: 1, num: 2, delta: [2]int{6, -3}}}, []int{0, 3, 1, 2}},
		{"type 2, frame_num wraps", stream{pocType: 2}, []pic{idr, {ref: 2, num: 9}, {num: 10}, {ref: 2, num: 10}, {ref: 2, num: 1}}, []int{0, 1, 2, 3, 4}},
		{"type 2, fields", stream{pocType: 2, fields: true}, []pic{{idr: true, ref: 3, kind: 2, field: 1}, {ref: 3, field: 2}, {ref: 1, num: 1, field: 2}, {ref: 1, num: 1, field: 1}}, []int{0, 0, 1, 1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := PresentationOrder(tt.stream.units(tt.pics...))
			if err != nil || !slices.Equal(got, tt.want) {
				t.Errorf("got %v, %v; want %v", got, err, tt.want)
			}
		})
	}
}

// TestPresentationOrderParams: parameter sets that come late, or in between.
func TestPresentationOrderParams(t *testing.T) {
	s := stream{}
	idr, p := s.slice(pic{idr: true, ref: 3, kind: 2}), s.slice(pic{ref: 2, num: 1, lsb: 2})
	sets := [][]byte{s.sps(0), s.pps(0, 0)}
	tests := []struct {
		name  string
		units []AccessUnit
		want  []int
		err   string
	}{
		{"none at all", nil, []int{}, ""},
		{"late", []AccessUnit{{NALUs: [][]byte{idr}}, {NALUs: [][]byte{p}}, {NALUs: append(slices.Clone(sets), idr)}}, []int{0, 1, 2}, ""},
		{"missing", []AccessUnit{{NALUs: [][]byte{idr}}}, nil, "access unit 0: slice refers to a parameter set"},
		{"unit without a slice", []AccessUnit{{NALUs: sets}, {NALUs: [][]byte{idr}}, {NALUs: [][]byte{{0x0c, 0xff}}}, {NALUs: [][]byte{p}}}, []int{0, 1, 1, 2}, ""},
		{"cut slice", []AccessUnit{{NALUs: append(slices.Clone(sets), idr[:1])}}, nil, "access unit 0: slice header: ends too early"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := PresentationOrder(tt.units)
			if tt.err != "" {
				if err == nil || !strings.HasPrefix(err.Error(), tt.err) {
					t.Errorf("error %v, want %s...", err, tt.err)
				}
				return
			}
			if err != nil || !slices.Equal(got, tt.want) {
				t.Errorf("got %v, %v; want %v", got, err, tt.want)
			}
		})
	}
}
